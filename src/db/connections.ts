/** The interface that write.ts and database.ts need from a dialect: one way to read, one way to write. */

/** A driver's own connection; only the dialect's file knows its type. */
export type Connection = object

/** A value that can be bound to a `$1` in a statement. */
export type Bind = string | number | null | Buffer

/** The result of an INSERT, UPDATE or DELETE. */
export interface Change {
  /** The number of matched rows. */
  count: number
  /** The id that the database gave to the last row added. */
  lastId: number
}

/** A row that writes lock for a decision. */
export interface LockedRow {
  table: 'spaces' | 'roles' | 'links'
  column: 'id' | 'name'
  value: string | number
}

/** When a write may begin. */
export interface Turn {
  whose: string
  /** The row that it locks first: it begins when no other write of this process holds it. Null: it is not known. */
  first: LockedRow | null
}

export interface Connections {
  /** The statement that starts a transaction which may change rows. */
  readonly begin: string
  /** Fails, like a write that may be tried again, if the database has ended the transaction without an error. */
  refuseEnded(connection: Connection): Promise<void>
  /** Starts a transaction on a reader; until it ends, the reader sees the database as it was at this moment. */
  beginSnapshot(connection: Connection): Promise<void>
  /** Ends that transaction. */
  endSnapshot(connection: Connection): Promise<void>
  /** A connection on which every change fails. */
  reader(): Promise<Connection>
  /** Returns a reader to the pool. */
  release(connection: Connection): void
  /** Runs a statement without a result on exactly this connection. */
  execute(connection: Connection, sql: string): Promise<void>
  /** Returns the rows of a SELECT. Fails if it takes longer than `most` ms. Rejects with the driver's own error. */
  select(connection: Connection, sql: string, bind: readonly Bind[], most?: number): Promise<object[]>
  /** Runs an INSERT, UPDATE or DELETE. Rejects with the driver's own error. */
  change(connection: Connection, sql: string, bind: readonly Bind[]): Promise<Change>
  /**
   * Lends the connection for changes to one job at a time (SQLite), or one connection to each job (MariaDB). Jobs that wait
   * are taken by whose they are, in turns.
   */
  withWriter<T>(turn: Turn, job: (connection: Connection) => Promise<T>): Promise<T>
  /**
   * Locks a row until the commit; with SQLite, which has one writer, there is nothing to do. Throws RowBusy if it takes more
   * than a second and `isPatient` is false.
   */
  lock(connection: Connection, row: LockedRow, isPatient: boolean): Promise<void>
  /** Whether a write of this process holds the row, or waits for it with a connection. */
  isHeld(row: LockedRow): boolean
  /** Says that a write does so; returns what ends that. */
  hold(row: LockedRow): () => void
  /** Whether the same write may succeed if it is tried again. */
  mayRetry(error: unknown): boolean
  /** Returns a text that each commit changes, by any process; absent if the dialect has none that costs nothing. */
  version?(): string
  /** Whether the nodes of a cluster take changes without knowing each other's row locks. */
  isCluster(): boolean
  /** The number of jobs that wait for the writer. */
  waiting(): number
  close(): Promise<void>
}

/** Adds the statement to a driver's own error. Leaves out the bound values, because some are secret. */
export class StatementError extends Error {
  constructor(sql: string, cause: unknown) {
    super(`${cause instanceof Error ? cause.message : String(cause)} in '${sql.slice(0, 200)}'`, { cause })
    this.name = 'StatementError'
  }
}

/** A row that another write has locked. The write ends, and begins again when it may begin with this row. */
export class RowBusy extends StatementError {
  constructor(
    readonly row: LockedRow,
    sql: string,
    cause?: unknown,
  ) {
    super(sql, cause ?? new Error('locked by another write'))
  }
}

/**
 * A commit that failed without a rollback being certain: its line broke, say. The database may have committed, or may do so
 * later, so what a row of the write would name must not be removed.
 */
class CommitError extends StatementError {}

/** The error of a failed commit: a CommitError unless the write was certainly rolled back. */
export function commitError({ mayRetry }: Connections, sql: string, error: unknown): unknown {
  // A full SQLite has not written the end of the transaction, without which nobody ever sees it.
  const isRolledBack = mayRetry(error) || driverError(error).code === 'SQLITE_FULL'
  return isRolledBack ? error : new CommitError(sql, error)
}

/** Whether the error, or its cause, leaves open whether a write was committed. */
export const mayBeCommitted = (error: unknown): boolean =>
  error instanceof Error && (error instanceof CommitError || mayBeCommitted(error.cause))

/** No connection to the database could be opened, or not in time. */
export class ConnectError extends Error {
  constructor(cause: unknown) {
    super(`No connection to the database: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'ConnectError'
  }
}

/** The database returned data that was never written. Has the code that SQLite itself uses for damage. */
export class DamageError extends Error {
  readonly code = 'SQLITE_CORRUPT'

  constructor(message: string) {
    super(message)
    this.name = 'DamageError'
  }
}

interface DriverError {
  code?: string
  errno?: number
  /** The connection is lost. mysql2 then sets no code. */
  fatal?: boolean
  message?: string
}

/** The driver's own error: under `parent` if Sequelize wrapped it, under `cause` if filestore did. */
export function driverError(error: unknown): DriverError {
  if (!(error instanceof Error)) return {}
  const isOurs = error instanceof StatementError || error instanceof ConnectError
  const wrapped = 'parent' in error ? error.parent : isOurs ? error.cause : undefined
  const source: Error & DriverError = wrapped instanceof Error ? wrapped : error
  return { code: source.code, errno: source.errno, fatal: source.fatal, message: source.message }
}
