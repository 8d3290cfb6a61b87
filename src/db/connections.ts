/** What write.ts and database.ts ask of a dialect: one way to read, one way to write. */

/** A driver's own connection; only its dialect's file knows what it is. */
export type Connection = object

export interface Connections {
  /** Starts a transaction in which a change is allowed. */
  readonly begin: string
  /** A connection on which every change fails. */
  reader(options: unknown): Promise<Connection>
  /** Gives a reader back. */
  release(connection: Connection): void
  /** Runs a statement that needs no answer on exactly this connection. */
  execute(connection: Connection, sql: string): Promise<void>
  /** Lends the connection for changes to one job at a time (SQLite), or one connection to each job (MariaDB). */
  withWriter<T>(job: (connection: Connection) => Promise<T>): Promise<T>
  /** True where the same write may succeed when it is tried again. */
  mayRetry(error: unknown): boolean
  close(): Promise<void>
}

interface DriverError {
  code?: string
  errno?: number
}

/** The driver's code and number of an error: under `parent` where Sequelize wrapped it, else on the error itself. */
export function driverError(error: unknown): DriverError {
  if (!(error instanceof Error)) return {}
  const source: Error & DriverError = 'parent' in error && error.parent instanceof Error ? error.parent : error
  return { code: source.code, errno: source.errno }
}
