/** MariaDB: a pool of read-only sessions; a write makes its own transaction writable. */
import type { Sequelize } from 'sequelize'
import { openTurns } from '../turns.ts'
import { type Connection, type Connections, driverError } from './connections.ts'

interface MysqlConnection {
  promise(): { query(sql: string): Promise<unknown> }
}

/** Sequelize's own pool, which its typings leave out. */
interface Pool {
  getConnection(options: unknown): Promise<Connection>
  releaseConnection(connection: Connection): void
}

/** Connections of the pool, and how many of them writes may hold: those that wait for a lock must leave some to reads. */
export const poolSize = 12
const writersAtOnce = 6

/** Set when a session opens. A write that waits longer than these seconds for a lock is tried again from its start. */
const sessionSettings = [
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY',
  'SET SESSION innodb_lock_wait_timeout = 10',
]

/** Changed since it was read; lock wait timed out; deadlock (MariaDB error codes). */
const retryable = new Set([1020, 1205, 1213])

const query = async (connection: Connection, sql: string): Promise<void> => {
  await (connection as MysqlConnection).promise().query(sql)
}

/** Takes over the connections of a Sequelize that has not been used yet. */
export function openMariadb(sequelize: Sequelize): Connections {
  const manager = (sequelize as unknown as { connectionManager: Pool }).connectionManager
  const take = manager.getConnection.bind(manager)
  const release = manager.releaseConnection.bind(manager)
  const takeTurn = openTurns({ atOnce: writersAtOnce })
  sequelize.addHook('afterConnect', async connection => {
    for (const setting of sessionSettings) await query(connection as Connection, setting)
  })
  return {
    begin: 'START TRANSACTION READ WRITE',
    reader: take,
    release,
    execute: query,
    withWriter: job =>
      takeTurn(async () => {
        const connection = await take({})
        try {
          return await job(connection)
        } finally {
          release(connection)
        }
      }),
    mayRetry: error => retryable.has(driverError(error).errno ?? 0),
    close: () => sequelize.close(),
  }
}
