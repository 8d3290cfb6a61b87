/**
 * Starts a real server for a test on a free port, with a database and a blob folder that are deleted when it closes.
 */
import type { Flags } from '../../src/config-options.ts'
import type { ConnectionRules } from '../../src/http/connections.ts'
import { openDeps } from '../../src/server/open-deps.ts'
import { startServer as start } from '../../src/server/server.ts'
import { createFirstAdmin } from '../../src/users/first-admin.ts'
import { migrateTest } from './migrated.ts'
import { createConfig, type TestServer, testServerOf } from './test-server.ts'

/** The number of workers of the built binary that serve a test; without it, the server runs in the test's process. */
const workers = process.env.FILESTORE_TEST_WORKERS
/** The number of such servers behind a balancer that serve a test together. */
const nodes = process.env.FILESTORE_TEST_NODES

/**
 * Starts a server with its administrator; `flags` are flags of `filestore serve`, `rules` change its connection limits.
 */
export async function startServer(flags: Flags = {}, rules: Partial<ConnectionRules> = {}): Promise<TestServer> {
  if (nodes !== undefined) return (await import('./balanced.ts')).startBalanced(flags, Number(nodes))
  if (workers !== undefined) return (await import('./workers.ts')).startWorkers(flags, Number(workers))
  const { config, database } = await createConfig(flags)
  await migrateTest(config.database)
  const deps = await openDeps(config)
  const keeper = { keep: async () => undefined, undo: async () => undefined }
  await createFirstAdmin(deps, keeper)
  const server = await start(deps, { rules })
  return testServerOf({ url: server.url, config, database, deps, stop: () => server.close(AbortSignal.abort()) })
}
