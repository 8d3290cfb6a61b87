/** A running server: database, store, jobs and HTTP, opened in this order and closed in the other. */
import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { openPasswords } from './access/passwords.ts'
import { openSignInLimits } from './access/rate-limit.ts'
import { openLocalStore } from './blobs/local.ts'
import type { Config } from './config.ts'
import { openDatabase } from './db/database.ts'
import type { Deps } from './deps.ts'
import { createApp } from './http/app.ts'
import { startJobs } from './jobs.ts'
import { openLog } from './log.ts'

export interface RunningServer {
  /** Where it listens: `http://127.0.0.1:8080`. */
  url: string
  deps: Deps
  /** Lets running requests finish for `grace` ms, then ends them; closes the database last. */
  close(grace?: number): Promise<void>
}

/** Opens what commands and routes work with. The database must have been migrated. */
export async function openDeps(config: Config): Promise<Deps> {
  return {
    config,
    db: await openDatabase(config.database),
    store: await openLocalStore(config.storage),
    log: openLog(config.logLevel),
    passwords: openPasswords(),
    limits: openSignInLimits(),
  }
}

/** The folder of the built page, from this file's place in the sources or in dist. */
function findWebFolder(): string {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const web = join(folder, 'dist/web')
    if (existsSync(web)) return web
  }
  throw new Error("dist/web is missing: run 'npm run build'")
}

function listen(server: Server, { host, port }: Config): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      const { address, port: actual, family } = server.address() as AddressInfo
      resolve(`http://${family === 'IPv6' ? `[${address}]` : address}:${actual}`)
    })
  })
}

async function closeServer(server: Server, grace: number): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), grace).unref()
  await closed
  clearTimeout(timer)
}

export async function startServer(deps: Deps): Promise<RunningServer> {
  const app = createApp(deps, findWebFolder())
  // Node's default cuts every upload after five minutes; http/slow-body.ts cuts those that do not move.
  const server = createServer({ requestTimeout: 0, headersTimeout: 60_000, keepAliveTimeout: 65_000 }, app.callback())
  const stopJobs = startJobs(deps)
  const url = await listen(server, deps.config)
  return {
    url,
    deps,
    close: async (grace = 10_000) => {
      await closeServer(server, grace)
      await stopJobs()
      await deps.db.close()
    },
  }
}
