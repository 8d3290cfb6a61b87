/** Goes over a table in ranges of ids, each of which is one short read: SQLite's WAL can be emptied between them. */
import { setTimeout } from 'node:timers/promises'
import type { Check } from './finding.ts'

/** Rows of one range; 1,000 take some milliseconds. */
const rangeSize = 1000

export interface IdRange {
  /** Excluded. */
  after: number
  /** Included. */
  upTo: number
}

/** The whole table, what is added meanwhile included. Throws when the check is interrupted. */
export async function* idRanges(
  { deps: { db }, signal }: Check,
  table: string,
  { column = 'id', size = rangeSize } = {},
): AsyncGenerator<IdRange> {
  for (let after = 0; ; ) {
    signal.throwIfAborted()
    const last = await db.row<{ id: number }>(
      `SELECT ${column} AS id FROM ${table} WHERE ${column} > $1 ORDER BY ${column} LIMIT 1 OFFSET ${size - 1}`,
      [after],
    )
    yield { after, upTo: last?.id ?? Number.MAX_SAFE_INTEGER }
    if (last === undefined) return
    after = last.id
  }
}

/** ms in which whoever has changed a row in a commit removes the bytes that it named. */
const settleTime = 2000

/** Waits until what was being done when something was looked at must be done. */
export const settle = ({ signal }: Check): Promise<void> => setTimeout(settleTime, undefined, { signal })
