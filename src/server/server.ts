/** A running server: its dependencies, its jobs and HTTP. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { DemoAccount } from '../api/page.ts'
import { minute, second } from '../base/clock.ts'
import { systemCode } from '../base/errors.ts'
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import { findInDist } from '../dist-folder.ts'
import { createApp } from '../http/app.ts'
import { type ConnectionRules, defaultRules, openConnections } from '../http/connections.ts'
import { openDrain } from '../http/drain.ts'
import { holdBackBodies } from '../http/expect-continue.ts'
import { BoundedRequest } from '../http/limits/bounded-request.ts'
import { answerUnparsed } from '../http/unparsed.ts'
import { type JobKind, startJobs } from './jobs.ts'
import { addServerMetrics } from './metrics.ts'

export interface RunningServer {
  /** The address it listens on: `http://127.0.0.1:8080`. */
  url: string
  deps: Deps
  /** Starts the jobs of another kind. */
  startJobs(kind: JobKind): void
  /** Rejects when the server cannot go on. */
  failure: Promise<never>
  /**
   * Serves on for the configured seconds, so that balancers turn away, lets running requests finish, until `end` aborts
   * them, and stops the jobs; the database stays open. Returns how many requests were cut off.
   */
  close(end?: AbortSignal): Promise<number>
}

function listen(server: Server, { host, port }: Config): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', error => reject(toListenError(error, host, port)))
    server.listen(port, host, () => {
      const { address, port: actual, family } = server.address() as AddressInfo
      resolve(`http://${family === 'IPv6' ? `[${address}]` : address}:${actual}`)
    })
  })
}

/** Explains an error of listening, and what to do about it. */
function toListenError(error: Error, host: string, port: number): Error {
  const code = systemCode(error)
  if (code === 'EADDRINUSE')
    return new Error(`Port ${port} on ${host} is in use: choose another with --port`, { cause: error })
  if (code === 'EACCES')
    return new Error(`Port ${port} needs more rights: choose one above 1023 with --port`, { cause: error })
  if (code === 'EADDRNOTAVAIL')
    return new Error(`This machine has no address ${host}: choose another with --host`, { cause: error })
  return error
}

const serverOptions = ({ headTime }: ConnectionRules) => ({
  IncomingMessage: BoundedRequest,
  headersTimeout: headTime,
  connectionsCheckingInterval: headTime / 4,
  // Node's default would cut off every upload after five minutes; http/limits/slow-body.ts cuts off those that stall.
  requestTimeout: 0,
  keepAliveTimeout: 65_000,
  // Fits a browser's headers and a path of some 10,000 characters; `POST /files/by-path` takes longer paths.
  maxHeaderSize: 32 * 1024,
  // http/proper-requests.ts checks the Host header, and refuses with the API's own headers and error body.
  requireHostHeader: false,
})

interface ServerOptions {
  /** Accounts that the sign-in screen shows with their passwords. */
  demoAccounts?: readonly DemoAccount[]
  /** The kinds of jobs to run, as in `startJobs`. */
  kinds?: readonly JobKind[]
  /** Overrides of the default connection rules. */
  rules?: Partial<ConnectionRules>
}

/** ms between two log lines about the same problem. */
const tellEvery = minute

/** Logs that connections are closed because there are too many. */
function openFullWarning({ log, clock }: Deps): (connections: number, network?: string) => void {
  let told = Number.NEGATIVE_INFINITY
  return (connections, network) => {
    if (clock.monotonic() - told < tellEvery) return
    told = clock.monotonic()
    log.warn(
      { connections, network },
      'no more connections fit: idle ones are closed, then those of nobody signed in, or else new ones',
    )
  }
}

/** Waits for the seconds for which a stopping server serves on, or until `end` aborts. */
async function serveOn({ drainSeconds }: Config, end?: AbortSignal): Promise<void> {
  if (drainSeconds === 0) return
  await setTimeout(drainSeconds * second, undefined, { signal: end }).catch(() => undefined)
}

export async function startServer(
  deps: Deps,
  { demoAccounts = [], kinds, rules: given }: ServerOptions = {},
): Promise<RunningServer> {
  addServerMetrics(deps)
  const rules = { ...defaultRules, ...given }
  let isStopping = false
  const app = createApp(deps, { webFolder: findInDist('web'), demoAccounts, isStopping: () => isStopping })
  const server = createServer(serverOptions(rules))
  const connections = openConnections(server, app.callback(), {
    rules,
    trustProxy: deps.config.trustProxy,
    onFull: openFullWarning(deps),
  })
  holdBackBodies(server)
  // Node would answer this by itself.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  answerUnparsed(server, connections, deps.config)
  const drain = openDrain(server, connections)
  const url = await listen(server, deps.config)
  const jobs = startJobs(deps, { kinds, address: url })
  return {
    url,
    deps,
    startJobs: jobs.start,
    failure: jobs.failure,
    close: async end => {
      isStopping = true
      await serveOn(deps.config, end)
      deps.live.close()
      const cut = await drain(end)
      await jobs.stop()
      await deps.linkUse.close()
      await deps.journal.close()
      return cut
    },
  }
}
