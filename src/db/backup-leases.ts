/** Which bytes running backups need: the names of their leases tell the time of the rows that they have read. */
import { randomUUID } from 'node:crypto'
import { minute } from '../base/clock.ts'
import { backupPrefix, type Leases } from './leases.ts'

/** ms by which the clocks of servers may be ahead of the database's. */
const largestSkew = minute

/**
 * The name of a new lease of a backup whose rows are those of a time (ms, of the database's clock). Without a time, the
 * lease keeps all bytes that have no row: of a backup that reads its rows, or an import that is about to add them.
 */
export const newBackupLease = (readAt?: number): string =>
  backupPrefix + (readAt === undefined ? '' : `${readAt}:`) + randomUUID()

function lastNeededBy(name: string): number {
  const [, readAt] = /^(\d+):/.exec(name.slice(backupPrefix.length)) ?? []
  return readAt === undefined ? Number.POSITIVE_INFINITY : Number(readAt) + largestSkew
}

/**
 * Returns a time (ms): no running backup needs the bytes of a content that was named after it. Infinity if one may need
 * all, -Infinity if none is running. Ask after the commit that deleted the rows: a backup that begins later cannot have
 * read them.
 */
export async function findLastNeeded(leases: Leases): Promise<number> {
  return Math.max(...(await leases.findHeld(backupPrefix)).map(lastNeededBy))
}
