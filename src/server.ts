/** A running server: what it works with, its jobs and HTTP. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DemoAccount } from './api/page.ts'
import type { Config } from './config.ts'
import type { Deps } from './deps.ts'
import { findInDist } from './dist-folder.ts'
import { systemCode } from './errors.ts'
import { createApp } from './http/app.ts'
import { openDrain } from './http/drain.ts'
import { answerUnparsed } from './http/unparsed.ts'
import { type JobKind, startJobs } from './jobs.ts'
import { addServerMetrics } from './server-metrics.ts'

export interface RunningServer {
  /** Where it listens: `http://127.0.0.1:8080`. */
  url: string
  deps: Deps
  /** Starts the jobs of one more kind. */
  startJobs(kind: JobKind): void
  /**
   * Lets running requests finish, until `end` says that all are to end at once, and stops the jobs; the database stays
   * open. Gives back how many requests were cut.
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

/** What stands in the way of listening, and what to do about it. */
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

const serverOptions = {
  // Node's default cuts every upload after five minutes; http/slow-body.ts cuts those that do not move.
  requestTimeout: 0,
  headersTimeout: 60_000,
  keepAliveTimeout: 65_000,
  // The path of a hundred folders with the longest names, percent-encoded, is 77 KB of a request's first line.
  maxHeaderSize: 128 * 1024,
}

/** `demoAccounts` are those that the sign-in screen shows with their passwords; `kinds` of jobs as `startJobs` has them. */
export async function startServer(
  deps: Deps,
  demoAccounts: readonly DemoAccount[] = [],
  kinds?: readonly JobKind[],
): Promise<RunningServer> {
  addServerMetrics(deps)
  const app = createApp(deps, findInDist('web'), demoAccounts)
  const server = createServer(serverOptions, app.callback())
  answerUnparsed(server)
  const drain = openDrain(server)
  const url = await listen(server, deps.config)
  const jobs = startJobs(deps, kinds)
  return {
    url,
    deps,
    startJobs: jobs.start,
    close: async end => {
      const cut = await drain(end)
      await jobs.stop()
      await deps.journal.close()
      return cut
    },
  }
}
