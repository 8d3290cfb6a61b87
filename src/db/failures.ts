/** Classifies errors of the database and the blob store by the codes of the driver and the operating system. */
import { AppError, storageFull, systemCode } from '../base/errors.ts'
import { ConnectError, driverError, StatementError } from './connections.ts'

/** Whether an error breaks a constraint. SQLite has one code for all, so its message decides; MariaDB has numbers. */
function breaks(error: unknown, constraint: string, numbers: readonly number[]): boolean {
  const { code, errno, message } = driverError(error)
  if (code === 'SQLITE_CONSTRAINT') return message?.includes(`${constraint} constraint failed`) ?? false
  return numbers.includes(errno ?? 0)
}

/** The row that a new one refers to does not exist. */
export const isOrphan = (error: unknown): boolean => breaks(error, 'FOREIGN KEY', [1216, 1217, 1451, 1452])

/** A row with the same unique key exists already. */
export const isTaken = (error: unknown): boolean => breaks(error, 'UNIQUE', [1062])

/** A SELECT exceeded its time limit (MariaDB: ER_STATEMENT_TIMEOUT). */
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
 * MariaDB error numbers, because not all have a name: a statement or connection that was killed (1317, 1927) or took
 * too long (1969); a deadlock or similar conflict that remained after all retries (1020, 1205, 1213, 1792).
 */
const goneNumbers = new Set([1020, 1205, 1213, 1317, 1792, 1927, 1969])
/**
 * MariaDB error numbers of a server that takes no changes any more: it became read-only (1290, 1836), or as a node of a
 * cluster it has lost the others (1047).
 */
const noChanges = new Set([1047, 1290, 1836])

/** Whether the host of a MariaDB takes no changes, though it answers. Another one may. */
export const takesNoChanges = (error: unknown): boolean => noChanges.has(driverError(error).errno ?? 0)

/** Sequelize's own errors while it migrates: no connection could be opened. */
const goneNames = /^Sequelize(Connection|HostNot|AccessDenied)/

/** MariaDB error numbers for a missing table, a damaged table and a missing column. */
const missing = new Set([1146, 1932, 1034, 1054])
/** SQLite has no code of its own for a missing or unreadable part of the schema, nor for numbers that overflow. */
const unfitSchema = /no such (?:table|column|index|module|function)|malformed|constructor failed|integer overflow/

/** Whether the database reports that a part of it is damaged or missing. */
export function isDamage(error: unknown): boolean {
  const { code = '', errno = 0, message = '' } = driverError(error)
  if (code === 'SQLITE_CORRUPT' || code === 'SQLITE_NOTADB' || missing.has(errno)) return true
  return isOfDatabase(error) && unfitSchema.test(message)
}

/** Whether an error, or its cause, came from the database or from the connection to it. */
export function isOfDatabase(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof StatementError || error instanceof ConnectError) return true
  if (error.name.startsWith('Sequelize')) return true
  return /^(SQLITE_|ER_|PROTOCOL_)/.test(driverError(error).code ?? '') || isOfDatabase(error.cause)
}

/** Returns `storage_full` or `unavailable` if the error means that, else undefined. */
function classify(error: unknown): 'storage_full' | 'unavailable' | undefined {
  const { code = '', errno = 0, fatal = false } = driverError(error)
  if (full.has(code)) return 'storage_full'
  const hasNoConnection = error instanceof ConnectError || (error instanceof Error && goneNames.test(error.name))
  const isAway = hasNoConnection || fatal || gone.has(code) || goneNumbers.has(errno) || takesNoChanges(error)
  return isAway ? 'unavailable' : undefined
}

/** System error codes of a full disk, from the blob store. */
const fullCodes = new Set(['ENOSPC', 'EDQUOT'])

/** Returns the AppError for any thrown value; an unexpected error becomes `internal` and shows no details. */
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
