/** MariaDB: a pool of read-only sessions; a write makes its own transaction writable. */
import { openTurns } from '../turns.ts'
import { type Bind, type Connection, type Connections, driverError } from './connections.ts'

/** Rows of a SELECT, or what a change did. */
type Answer = object[] | { affectedRows: number; insertId: number }
type Done = (error: Error | null, answer: Answer) => void

interface MysqlConnection {
  query(sql: string, done: Done): void
  /** As a prepared statement, which the connection keeps. */
  execute(sql: string, values: readonly Bind[], done: Done): void
}

/** Sequelize's own pool, which its typings leave out. */
interface Pool {
  getConnection(options: unknown): Promise<Connection>
  releaseConnection(connection: Connection): void
}

/** Connections of the pool, and how many of them writes may hold: those that wait for a lock must leave some to reads. */
export const poolSize = 12
const writersAtOnce = 6

/**
 * mysql2: an UPDATE that meets a row counts it although nothing changed; SUM is a number; and a connection keeps so many
 * prepared statements, of which MariaDB allows 16,382 to all connections together.
 */
const mysqlOptions = { flags: ['FOUND_ROWS'], decimalNumbers: true, maxPreparedStatements: 200 }

/** Set when a session opens. A write that waits longer than these seconds for a lock is tried again from its start. */
const sessionSettings = [
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY',
  'SET SESSION innodb_lock_wait_timeout = 10',
]

/** Set as well where whole tables are filled: rows may come before those they refer to, and nothing is cut to fit. */
const loadingSettings = [
  'SET SESSION foreign_key_checks = 0',
  "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO'",
]

/** Changed since it was read; lock wait timed out; deadlock (MariaDB error codes). */
const retryable = new Set([1020, 1205, 1213])

/** mysql2 knows values by their place alone: each `$n` becomes a `?` of its own. */
function placed(sql: string, bind: readonly Bind[]): [sql: string, values: Bind[]] {
  const values: Bind[] = []
  const text = sql.replace(/\$(\d+)/g, (_match, number: string) => {
    values.push(bind[Number(number) - 1] ?? null)
    return '?'
  })
  return [text, values]
}

const run = (connection: Connection, sql: string, bind: readonly Bind[] = []): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const mysql = connection as MysqlConnection
    const done: Done = (error, answer) => (error ? reject(error) : resolve(answer))
    if (bind.length === 0) mysql.query(sql, done)
    else mysql.execute(...placed(sql, bind), done)
  })

/** Opens the database of a URL; connections are made when they are needed. */
export async function openMariadb(url: string, isLoading: boolean): Promise<Connections> {
  // Loaded here, for its pool alone: SQLite, which most have, starts in half the time without it.
  const { Sequelize } = await import('sequelize')
  const pool = { max: poolSize, idle: 60_000, acquire: 30_000 }
  const sequelize = new Sequelize(url, { logging: false, retry: { max: 1 }, pool, dialectOptions: mysqlOptions })
  const manager = (sequelize as unknown as { connectionManager: Pool }).connectionManager
  const take = manager.getConnection.bind(manager)
  const release = manager.releaseConnection.bind(manager)
  const takeTurn = openTurns({ atOnce: writersAtOnce })
  sequelize.addHook('afterConnect', async connection => {
    for (const setting of [...sessionSettings, ...(isLoading ? loadingSettings : [])])
      await run(connection as Connection, setting)
  })
  return {
    begin: 'START TRANSACTION READ WRITE',
    beginSnapshot: async connection => {
      await run(connection, 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ')
      await run(connection, 'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY')
    },
    reader: take,
    release,
    execute: async (connection, sql) => {
      await run(connection, sql)
    },
    select: async (connection, sql, bind) => (await run(connection, sql, bind)) as object[],
    change: async (connection, sql, bind) => {
      const { affectedRows, insertId } = (await run(connection, sql, bind)) as Exclude<Answer, object[]>
      return { count: affectedRows, lastId: insertId }
    },
    withWriter: job =>
      takeTurn(async () => {
        const connection = await take({})
        try {
          return await job(connection)
        } finally {
          release(connection)
        }
      }),
    waiting: takeTurn.waiting,
    mayRetry: error => retryable.has(driverError(error).errno ?? 0),
    close: () => sequelize.close(),
  }
}
