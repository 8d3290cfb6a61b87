/**
 * Runs several servers of the built binary on one MariaDB and one store of bytes, as on several machines; on SQLite one
 * after another.
 */
import type { Flags } from '../../src/config-options.ts'
import { migrateUp } from '../../src/db/migrate.ts'
import { openDeps } from '../../src/server/open-deps.ts'
import { type ServeProcess, serveBinary } from './binary.ts'
import { migrateTest } from './migrated.ts'
import { environmentFor, storageFlagOf } from './s3-service.ts'
import { adminPassword, createConfig, type TestServer, testServerOf } from './test-server.ts'

export interface Node extends ServeProcess {
  /** The lines that it has logged since it was ready. */
  log(): Record<string, unknown>[]
}

/** The data of all nodes, with no server of its own: its `url` is none. */
export interface Cluster extends TestServer {
  start(args?: string[], env?: NodeJS.ProcessEnv): Promise<Node>
}

/** The environment of a process on a machine whose clock is `ahead` ms ahead. */
export const wrongClock = (ahead: number): Record<string, string> => {
  const script = `const { now } = Date; Date.now = () => now() + ${ahead}`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` }
}

function followLog({ child }: ServeProcess): Node['log'] {
  let text = ''
  child.stderr?.on('data', (piece: Buffer) => {
    text += piece.toString()
  })
  // The message with which it ends is not of the log.
  const lines = () => text.split('\n').filter(line => line.startsWith('{') && line.endsWith('}'))
  return () => lines().map(line => JSON.parse(line) as Record<string, unknown>)
}

/** Opens the data of a cluster, with these flags; `close` kills the nodes that still run. */
export async function openCluster(given: Flags = {}): Promise<Cluster> {
  const { config, database } = await createConfig(given)
  // A database that the test names may be of several servers.
  await (given.database === undefined ? migrateTest : migrateUp)(config.database)
  const { dataDir } = config
  const storage = given.storage ?? storageFlagOf(config)
  const known = given.storage === undefined ? {} : environmentFor(given.storage)
  const nodes: Node[] = []
  const start: Cluster['start'] = async (args = [], env = {}) => {
    const place = database.flag === undefined || args.includes('--database') ? [] : ['--database', database.flag]
    const flags = ['--data-dir', dataDir, ...place, ...(storage === undefined ? [] : ['--storage', storage]), ...args]
    const node = await serveBinary(flags, { FILESTORE_ADMIN_PASSWORD: adminPassword, ...known, ...env })
    const followed = Object.assign(node, { log: followLog(node) })
    nodes.push(followed)
    return followed
  }
  const deps = await openDeps(config)
  const stop = () => Promise.all(nodes.map(node => node.stop('SIGKILL')))
  return { ...testServerOf({ url: 'none', config, database, deps, stop }), start }
}
