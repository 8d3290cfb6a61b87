/** MariaDB: a pool of read-only sessions; a write makes its own transaction writable. */
import type { Connection as Session } from 'mysql2'
import { openSemaphore } from '../base/semaphore.ts'
import { type Bind, type Connection, type Connections, driverError } from './connections.ts'

/** Rows of a SELECT, or what a change did. */
type Answer = object[] | { affectedRows: number; insertId: number }

/** Connections of the pool, and how many of them writes may hold: those that wait for a lock must leave some to reads. */
export const poolSize = 12
const writersAtOnce = 6

/**
 * Whatever the server is set to: a value that does not fit its column fails, and is not cut in silence. It is the whole of
 * the mode, so that no quote and no operator means something else there either.
 */
export const strictMode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'

/** Set when a session opens. A write that waits longer than these seconds for a lock is tried again from its start. */
const settings = `time_zone = '+00:00', innodb_lock_wait_timeout = 10, sql_mode = '${strictMode}'`

/** Set as well where whole tables are filled: rows may come before those they refer to, and an id may be 0. */
const loadingSettings = `foreign_key_checks = 0, sql_mode = '${strictMode},NO_AUTO_VALUE_ON_ZERO'`

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

/** Ends a SELECT after so many ms (SET STATEMENT, in seconds). */
const within = (most: number | undefined): string =>
  most === undefined ? '' : `SET STATEMENT max_statement_time=${most / 1000} FOR `

const run = (connection: Connection, sql: string, bind: readonly Bind[] = []): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const session = connection as Session
    const done = (error: Error | null, answer: unknown) => (error ? reject(error) : resolve(answer as Answer))
    if (bind.length === 0) session.query(sql, done)
    // As a prepared statement, which the session keeps.
    else session.execute(...placed(sql, bind), done)
  })

/** Opens the database of a URL; connections are made when they are needed. */
export async function openMariadb(url: string, isLoading: boolean): Promise<Connections> {
  // Loaded here, for SQLite, which most have, starts sooner without it.
  const { openPool } = await import('./mariadb-pool.ts')
  const pool = openPool(url, poolSize, async session => {
    await run(session, 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY')
    await run(session, `SET SESSION ${isLoading ? `${settings}, ${loadingSettings}` : settings}`)
  })
  const release = (connection: Connection) => pool.giveBack(connection as Session)
  const withPermit = openSemaphore({ atOnce: writersAtOnce })
  return {
    begin: 'START TRANSACTION READ WRITE',
    beginSnapshot: async connection => {
      await run(connection, 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ')
      await run(connection, 'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY')
    },
    reader: pool.take,
    release,
    execute: async (connection, sql) => {
      await run(connection, sql)
    },
    select: async (connection, sql, bind, most) => (await run(connection, within(most) + sql, bind)) as object[],
    change: async (connection, sql, bind) => {
      const { affectedRows, insertId } = (await run(connection, sql, bind)) as Exclude<Answer, object[]>
      return { count: affectedRows, lastId: insertId }
    },
    withWriter: job =>
      withPermit(async () => {
        const connection = await pool.take()
        try {
          return await job(connection)
        } finally {
          release(connection)
        }
      }),
    waiting: withPermit.waiting,
    mayRetry: error => retryable.has(driverError(error).errno ?? 0),
    close: pool.close,
  }
}
