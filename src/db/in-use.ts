/** Checks whether another process has a database open that is about to lose tables. */
import { setTimeout } from 'node:timers/promises'
import { QueryTypes, type Sequelize } from 'sequelize'
import { AppError } from '../base/errors.ts'
import type { DatabaseConfig } from '../config-values.ts'
import { driverError } from './connections.ts'
import { sqlNow } from './database-time.ts'
import { type Node, silentTime } from './nodes.ts'

/**
 * Number of looks at MariaDB's sessions, and ms between two. A session stays listed for a moment after it is closed.
 */
const looks = 20
const pause = 100

/** A connection can leave WAL mode only if it is the only one, so SQLite itself detects any other process. */
async function isSqliteShared(sequelize: Sequelize): Promise<boolean> {
  await sequelize.query('PRAGMA busy_timeout = 0')
  try {
    await sequelize.query('PRAGMA journal_mode = DELETE')
    return false
  } catch (error) {
    if (['SQLITE_BUSY', 'SQLITE_LOCKED'].includes(driverError(error).code ?? '')) return true
    throw error
  } finally {
    await sequelize.query('PRAGMA busy_timeout = 10000')
    await sequelize.query('PRAGMA journal_mode = WAL')
  }
}

/**
 * A running server always has a session: it queries the database each minute, and an idle session stays open as long.
 * Sessions at another database server of a cluster are not listed.
 */
async function isMariadbShared(sequelize: Sequelize): Promise<boolean> {
  const query = 'SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID() LIMIT 1'
  for (let look = 0; look < looks; look++) {
    if ((await sequelize.query(query, { type: QueryTypes.SELECT })).length === 0) return false
    await setTimeout(pause)
  }
  return true
}

type Beat = Pick<Node, 'node_id' | 'name' | 'address'> & { seen_at: number }

/** Returns the nodes that were seen within the last 30 seconds; none where the table has not been made yet. */
async function findBeats(sequelize: Sequelize): Promise<Beat[]> {
  const age = `ABS(${sqlNow('mariadb')} - seen_at)`
  const query = `SELECT node_id, name, address, seen_at FROM nodes WHERE ${age} < ${silentTime}`
  try {
    return await sequelize.query<Beat>(query, { type: QueryTypes.SELECT })
  } catch (error) {
    if (driverError(error).code === 'ER_NO_SUCH_TABLE') return []
    throw error
  }
}

/**
 * Returns a node that is alive, wherever its session is. One that was killed gives no more signs of life: this waits
 * until one comes, or until the last one is old.
 */
async function findLiveNode(sequelize: Sequelize): Promise<Beat | undefined> {
  const first = new Map((await findBeats(sequelize)).map(({ node_id, seen_at }) => [node_id, seen_at]))
  for (;;) {
    const beats = await findBeats(sequelize)
    const live = beats.find(({ node_id, seen_at }) => first.get(node_id) !== seen_at)
    if (live !== undefined || beats.length === 0) return live
    await setTimeout(pause)
  }
}

/** Throws `in_use` while a server uses the MariaDB, which would go on with tables that it does not know. */
export async function refuseNodes(sequelize: Sequelize): Promise<void> {
  const node = await findLiveNode(sequelize)
  if (node === undefined) return
  throw new AppError('in_use', `The server on ${node.name} (${node.address}) uses the database: stop it first`)
}

/** Throws `in_use` while another process has the database open. */
export async function refuseInUse(sequelize: Sequelize, dialect: DatabaseConfig['dialect']): Promise<void> {
  const isShared = await (dialect === 'sqlite' ? isSqliteShared(sequelize) : isMariadbShared(sequelize))
  if (isShared) throw new AppError('in_use', 'A server, or another command, has the database open: stop it first')
  if (dialect === 'mariadb') await refuseNodes(sequelize)
}
