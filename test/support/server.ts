/** A real server for a test: port 0, a database and a blob folder of its own, gone when it is closed. */
import type { Flags } from '../../src/config.ts'
import type { ConnectionRules } from '../../src/http/connections.ts'
import { openDeps } from '../../src/server/open-deps.ts'
import { startServer as start } from '../../src/server/server.ts'
import { createFirstAdmin } from '../../src/users/first-admin.ts'
import { migrateTest } from './migrated.ts'
import { createConfig, type TestServer, testServerOf } from './test-server.ts'

/** How many workers of the built binary are a test's server; where it is not set, the server runs in the test itself. */
const workers = process.env.FILESTORE_TEST_WORKERS

/** Starts a server with its administrator; `flags` are those of `filestore serve`, `rules` others for its connections. */
export async function startServer(flags: Flags = {}, rules: Partial<ConnectionRules> = {}): Promise<TestServer> {
  if (workers !== undefined) return (await import('./workers.ts')).startWorkers(flags, Number(workers))
  const { config, database } = await createConfig(flags)
  await migrateTest(config.database)
  const deps = await openDeps(config)
  const keeper = { keep: async () => undefined, undo: async () => undefined }
  await createFirstAdmin(deps, keeper)
  const server = await start(deps, { rules })
  return testServerOf({ url: server.url, config, database, deps, stop: () => server.close(AbortSignal.abort()) })
}
