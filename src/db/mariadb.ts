/** MariaDB: a pool of read-only sessions; a write starts a transaction that may change rows. */
import type { Connection as Session } from 'mysql2'
import { openTurns } from '../base/turns.ts'
import {
  type Bind,
  type Connection,
  type Connections,
  driverError,
  type LockedRow,
  RowBusy,
  StatementError,
} from './connections.ts'
import { takesNoChanges } from './failures.ts'
import { housekeeping } from './write-actor.ts'

/** The rows of a SELECT, or the result of a change. */
type Answer = object[] | { affectedRows: number; insertId: number }

/**
 * Size of the pool, and how many connections writes may hold: writes that wait for a lock must leave some for reads.
 */
export const poolSize = 12
const writersAtOnce = 6
/**
 * Of these, how many may be of one turn: writes that wait for a tree which a frozen server has locked must leave some for
 * other trees. Those of a user mostly wait for each other anyway, for the row of their storage. One is kept for short
 * writes that lock no storage, such as a session's or the sign of life of this server.
 */
function limitsOf(whose: string) {
  if (whose === housekeeping) return { own: 4, all: writersAtOnce }
  return { own: whose.startsWith('user ') ? 2 : 4, all: writersAtOnce - 1 }
}

/**
 * Replaces the server's own mode. A value that does not fit its column fails instead of being cut silently. It sets the
 * whole mode, so that quotes and operators have their usual meaning on every server.
 */
export const strictMode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'

/** Seconds to wait for a lock of rows, or of a table that somebody else has locked. A write is then tried again. */
const lockTimeout = 10

/**
 * Seconds without a statement after which MariaDB ends a transaction. That of a write waits for no client, so this is one
 * of a frozen server or a broken line, whose locks would keep others waiting as long as the connection lives. It may have
 * locked rows before its first change, for which `idle_write_transaction_timeout` would not end it.
 */
const idleTimeout = 15
/** The same for a snapshot, which locks no rows and waits for the disk of a backup. */
const idleSnapshotTimeout = 3600

/** Bytes of a GROUP_CONCAT, which MariaDB would cut without an error: its own default, which a server may have lowered. */
const groupConcatBytes = 1024 ** 2

/** Set when a session opens. MariaDB's own time for a table's lock is a day, in which every session would wait for it. */
const settings = [
  "time_zone = '+00:00'",
  `innodb_lock_wait_timeout = ${lockTimeout}`,
  `lock_wait_timeout = ${lockTimeout}`,
  `idle_transaction_timeout = ${idleTimeout}`,
  // A database server may have values of its own for these, which would count instead.
  'idle_write_transaction_timeout = 0',
  'idle_readonly_transaction_timeout = 0',
  `sql_mode = '${strictMode}'`,
  `group_concat_max_len = ${groupConcatBytes}`,
].join(', ')

/** Also set while whole tables are loaded: rows may come before those they refer to, and an id may be 0. */
const loadingSettings = `foreign_key_checks = 0, sql_mode = '${strictMode},NO_AUTO_VALUE_ON_ZERO'`

/**
 * MariaDB error codes: row changed since it was read; lock wait timed out; deadlock, which on a cluster also means that
 * another node changed the same row first; and a new row refers to one that was removed since it was read, so that the
 * next try finds none. Of a transaction that a cluster has ended between two statements, the next change may be the first
 * to hear: in the session's own mode it is refused (1792). A deadlock about the ids of a table has an error of its own
 * (1467).
 */
const retryable = new Set([1020, 1205, 1213, 1452, 1467, 1792])
const deadlock = 1213
const lockTimedOut = 1205

/**
 * Seconds that a write which has locked one row waits for another one. Meanwhile it keeps those waiting that want the
 * first, and may belong to others; then it gives back what it has, and begins again with the row that was busy.
 */
const impatience = 1

const nameOf = ({ table, value }: LockedRow): string => `${table} ${value}`

/** Turns each `$n` into a `?` of its own, because mysql2 binds values by position only. */
function placed(sql: string, bind: readonly Bind[]): [sql: string, values: Bind[]] {
  const values: Bind[] = []
  const text = sql.replace(/\$(\d+)/g, (_match, number: string) => {
    values.push(bind[Number(number) - 1] ?? null)
    return '?'
  })
  return [text, values]
}

/** Ends a SELECT after this many ms (SET STATEMENT, which takes seconds). */
const within = (most: number | undefined): string =>
  most === undefined ? '' : `SET STATEMENT max_statement_time=${most / 1000} FOR `

/**
 * Whether a statement walks or counts by an index with the generated column `live_parent`. When MariaDB (10.11) runs a kept
 * statement again, on another of its open copies of the table, it takes such an index as one that lacks columns, and reads
 * each row: 150,000 pages in place of 328 for a folder of 50,000. So these are not kept.
 */
const needsIndexAlone = (sql: string): boolean => /\blive_parent\b/.test(sql) && /\b(RECURSIVE|COUNT|SUM)\b/.test(sql)

const run = (connection: Connection, sql: string, bind: readonly Bind[] = []): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const session = connection as Session
    const done = (error: Error | null, answer: unknown) => (error ? reject(error) : resolve(answer as Answer))
    if (bind.length === 0) {
      session.query(sql, done)
      return
    }
    const [text, values] = placed(sql, bind)
    // Runs a prepared statement, which the session keeps.
    session.execute(text, values, (error, answer) => {
      if (needsIndexAlone(text)) session.unprepare(text)
      done(error, answer)
    })
  })

/** Whether a session is at a node of a Galera cluster. */
async function isAtCluster(session: Session): Promise<boolean> {
  const rows = (await run(session, "SHOW VARIABLES LIKE 'wsrep_on'")) as { Value: string }[]
  return rows[0]?.Value === 'ON'
}

/**
 * Fails like a deadlock if the transaction has ended. A cluster may end one whose row another node has changed first without
 * any statement hearing of it, and a commit without a transaction succeeds.
 */
async function refuseEnded(session: Session): Promise<void> {
  const rows = (await run(session, 'SELECT @@in_transaction AS is_open')) as { is_open: number }[]
  if (rows[0]?.is_open !== 1)
    throw Object.assign(new Error('the cluster has ended the transaction'), { errno: deadlock })
}

/** Opens the database at a URL; connections are made when they are needed. */
export async function openMariadb(url: string, isLoading: boolean): Promise<Connections> {
  // Loaded only here: most servers use SQLite, and start sooner without it.
  const { openPool } = await import('./mariadb-pool.ts')
  let isCluster = false
  const pool = openPool(url, poolSize, async session => {
    await run(session, 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY')
    await run(session, `SET SESSION ${isLoading ? `${settings}, ${loadingSettings}` : settings}`)
    isCluster = await isAtCluster(session)
    // Reads, and a write when it begins, wait for what was committed at another node before.
    if (isCluster) await run(session, 'SET SESSION wsrep_sync_wait = 1')
  })
  const runHere = async (connection: Connection, sql: string, bind?: readonly Bind[]): Promise<Answer> => {
    try {
      return await run(connection, sql, bind)
    } catch (error) {
      if (takesNoChanges(error)) pool.leaveHost(connection as Session)
      throw error
    }
  }
  const release = (connection: Connection) => pool.giveBack(connection as Session)
  const inTurn = openTurns(limitsOf)

  /**
   * The nodes of a Galera cluster do not know each other's row locks, but of two writes that change the same row, one has to
   * run again. So on a cluster the lock is a change.
   */
  async function lock(connection: Connection, row: LockedRow, isPatient: boolean): Promise<void> {
    const statement = isCluster
      ? `UPDATE ${row.table} SET lock_turn = lock_turn + 1 WHERE ${row.column} = $1`
      : `SELECT id FROM ${row.table} WHERE ${row.column} = $1 FOR UPDATE`
    const sql = isPatient ? statement : `SET STATEMENT innodb_lock_wait_timeout=${impatience} FOR ${statement}`
    try {
      await runHere(connection, sql, [row.value])
    } catch (error) {
      const isBusy = !isPatient && driverError(error).errno === lockTimedOut
      throw isBusy ? new RowBusy(row, sql, error) : new StatementError(sql, error)
    }
  }
  return {
    begin: 'START TRANSACTION READ WRITE',
    refuseEnded: async connection => {
      if (isCluster) await refuseEnded(connection as Session)
    },
    beginSnapshot: async connection => {
      await runHere(connection, `SET SESSION idle_transaction_timeout = ${idleSnapshotTimeout}`)
      await runHere(connection, 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ')
      await runHere(connection, 'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY')
    },
    endSnapshot: async connection => {
      await runHere(connection, 'ROLLBACK')
      await runHere(connection, `SET SESSION idle_transaction_timeout = ${idleTimeout}`)
    },
    reader: pool.take,
    release,
    execute: async (connection, sql) => {
      await runHere(connection, sql)
    },
    select: async (connection, sql, bind, most) => (await runHere(connection, within(most) + sql, bind)) as object[],
    change: async (connection, sql, bind) => {
      const { affectedRows, insertId } = (await runHere(connection, sql, bind)) as Exclude<Answer, object[]>
      return { count: affectedRows, lastId: insertId }
    },
    withWriter: ({ whose, first }, job) =>
      inTurn(
        whose,
        async () => {
          const connection = await pool.take()
          try {
            return await job(connection)
          } finally {
            release(connection)
          }
        },
        first === null ? undefined : nameOf(first),
      ),
    lock,
    isHeld: row => inTurn.isHeld(nameOf(row)),
    hold: row => inTurn.hold(nameOf(row)),
    isCluster: () => isCluster,
    waiting: inTurn.waiting,
    mayRetry: error => retryable.has(driverError(error).errno ?? 0),
    close: pool.close,
  }
}
