/** What write.ts and database.ts ask of a dialect: one way to read, one way to write. */

/** A driver's own connection; only its dialect's file knows what it is. */
export type Connection = object

/** A value that a `$1` of a statement may take. */
export type Bind = string | number | null | Buffer

/** What an INSERT, UPDATE or DELETE did. */
export interface Change {
  /** Rows that it met. */
  count: number
  /** The id that the database gave to the last row added. */
  lastId: number
}

export interface Connections {
  /** Starts a transaction in which a change is allowed. */
  readonly begin: string
  /** Starts a transaction on a reader, which from then on sees this moment of the database alone. */
  beginSnapshot(connection: Connection): Promise<void>
  /** A connection on which every change fails. */
  reader(): Promise<Connection>
  /** Gives a reader back. */
  release(connection: Connection): void
  /** Runs a statement that needs no answer on exactly this connection. */
  execute(connection: Connection, sql: string): Promise<void>
  /** The rows of a SELECT, which ends with an error after `most` ms. Rejects with the driver's own error. */
  select(connection: Connection, sql: string, bind: readonly Bind[], most?: number): Promise<object[]>
  /** Runs an INSERT, UPDATE or DELETE. Rejects with the driver's own error. */
  change(connection: Connection, sql: string, bind: readonly Bind[]): Promise<Change>
  /** Lends the connection for changes to one job at a time (SQLite), or one connection to each job (MariaDB). */
  withWriter<T>(job: (connection: Connection) => Promise<T>): Promise<T>
  /** True where the same write may succeed when it is tried again. */
  mayRetry(error: unknown): boolean
  /** A number that is another after each commit, whoever made it; absent where nothing tells. */
  version?(): Promise<number>
  /** How many jobs wait for the writer. */
  waiting(): number
  close(): Promise<void>
}

/** A driver's own error, which knows neither its statement nor who asked for it. Values are not told: some are secret. */
export class StatementError extends Error {
  constructor(sql: string, cause: unknown) {
    super(`${cause instanceof Error ? cause.message : String(cause)} in '${sql.slice(0, 200)}'`, { cause })
    this.name = 'StatementError'
  }
}

/** No connection to the database could be had, or none in time. */
export class ConnectError extends Error {
  constructor(cause: unknown) {
    super(`No connection to the database: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'ConnectError'
  }
}

/** The database gave back what it was never given; said under the code by which SQLite says so itself. */
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
  /** The connection went with it, or had gone before: mysql2 then has no code. */
  fatal?: boolean
  message?: string
}

/** The driver's own words on an error: under `parent` where Sequelize wrapped it, under `cause` where filestore did. */
export function driverError(error: unknown): DriverError {
  if (!(error instanceof Error)) return {}
  const isOurs = error instanceof StatementError || error instanceof ConnectError
  const wrapped = 'parent' in error ? error.parent : isOurs ? error.cause : undefined
  const source: Error & DriverError = wrapped instanceof Error ? wrapped : error
  return { code: source.code, errno: source.errno, fatal: source.fatal, message: source.message }
}
