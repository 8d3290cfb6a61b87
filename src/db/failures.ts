/** What a database's error means, by the driver's own codes and never by its message. */
import { UniqueConstraintError } from 'sequelize'
import { driverError } from './connections.ts'

/** A row of this unique key is already there. */
export const isTaken = (error: unknown): boolean => error instanceof UniqueConstraintError

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
/** Sequelize's own: no connection could be had, or none in time. */
const goneNames = /^Sequelize(Connection|HostNot|AccessDenied)/

/** `storage_full` or `unavailable` where the error says so, else undefined. */
export function classify(error: unknown): 'storage_full' | 'unavailable' | undefined {
  const code = driverError(error).code ?? ''
  if (full.has(code)) return 'storage_full'
  if (gone.has(code) || (error instanceof Error && goneNames.test(error.name))) return 'unavailable'
  return undefined
}
