/** What an error of database or store means, by the driver's or the system's own codes. */
import { AppError, storageFull, systemCode } from '../base/errors.ts'
import { ConnectError, driverError, StatementError } from './connections.ts'

/** SQLite has one code for all constraints, and its words say which; MariaDB has numbers. */
function breaks(error: unknown, constraint: string, numbers: readonly number[]): boolean {
  const { code, errno, message } = driverError(error)
  if (code === 'SQLITE_CONSTRAINT') return message?.includes(`${constraint} constraint failed`) ?? false
  return numbers.includes(errno ?? 0)
}

/** The row that a new one belongs to is gone. */
export const isOrphan = (error: unknown): boolean => breaks(error, 'FOREIGN KEY', [1216, 1217, 1451, 1452])

/** A row of this unique key is already there. */
export const isTaken = (error: unknown): boolean => breaks(error, 'UNIQUE', [1062])

/** A SELECT that was given so many ms and no more (MariaDB: ER_STATEMENT_TIMEOUT). */
export function isTimedOut(error: unknown): boolean {
  const { code, errno } = driverError(error)
  return code === 'SQLITE_INTERRUPT' || errno === 1969
}

const full = new Set(['SQLITE_FULL', 'ER_DISK_FULL', 'ER_RECORD_FILE_FULL', 'ER_DISK_FULL_NOWAIT'])
const gone = new Set([
  'SQLITE_BUSY',
  'SQLITE_IOERR',
  'SQLITE_CANTOPEN',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'PROTOCOL_CONNECTION_LOST',
  'ER_CON_COUNT_ERROR',
  'ER_SERVER_SHUTDOWN',
])
/**
 * MariaDB's numbers, as not all have a name: a statement, or its connection, that was killed (1317, 1927) or took too long
 * (1969); a deadlock and the like that did not go away by trying again (1020, 1205, 1213).
 */
const goneNumbers = new Set([1020, 1205, 1213, 1317, 1927, 1969])
/** Sequelize's own, while it migrates: no connection could be had. */
const goneNames = /^Sequelize(Connection|HostNot|AccessDenied)/

/** MariaDB's numbers for a table that is not there, one that is damaged, a column that is not there. */
const missing = new Set([1146, 1932, 1034, 1054])
/** What is not in the schema, or cannot be read from it, has no code of its own in SQLite; nor has what cannot be added. */
const unfitSchema = /no such (?:table|column|index|module|function)|malformed|constructor failed|integer overflow/

/** Whether a database says that a part of it is damaged, or is not there. */
export function isDamage(error: unknown): boolean {
  const { code = '', errno = 0, message = '' } = driverError(error)
  if (code === 'SQLITE_CORRUPT' || code === 'SQLITE_NOTADB' || missing.has(errno)) return true
  return isOfDatabase(error) && unfitSchema.test(message)
}

/** Whether an error, or what caused it, came from the database or from the way there. */
export function isOfDatabase(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof StatementError || error instanceof ConnectError) return true
  if (error.name.startsWith('Sequelize')) return true
  return /^(SQLITE_|ER_|PROTOCOL_)/.test(driverError(error).code ?? '') || isOfDatabase(error.cause)
}

/** `storage_full` or `unavailable` where the error says so, else undefined. */
function classify(error: unknown): 'storage_full' | 'unavailable' | undefined {
  const { code = '', errno = 0, fatal = false } = driverError(error)
  if (full.has(code)) return 'storage_full'
  const hasNoConnection = error instanceof ConnectError || (error instanceof Error && goneNames.test(error.name))
  return hasNoConnection || fatal || gone.has(code) || goneNumbers.has(errno) ? 'unavailable' : undefined
}

/** The store's own failures, by the system's code. */
const fullCodes = new Set(['ENOSPC', 'EDQUOT'])

/** The AppError for anything thrown; what nobody foresaw is `internal` and says nothing. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (fullCodes.has(systemCode(error) ?? '')) return storageFull(error)
  const code = classify(error)
  if (code === 'storage_full') return storageFull(error)
  if (code === 'unavailable') {
    return new AppError(code, 'The database does not answer, try again later', { cause: error, retryAfter: 5 })
  }
  if (driverError(error).code === 'SQLITE_CORRUPT') {
    const advice = "'filestore fsck --repair' on the server mends what can be mended"
    return new AppError('internal', `The server's database is damaged: ${advice}`, { cause: error })
  }
  return new AppError('internal', 'Something went wrong on the server', { cause: error })
}
