/** Goes over a table in ranges of ids, each of which is one short read: SQLite's WAL can be emptied between them. */
import { setTimeout } from 'node:timers/promises'
import { readPages } from '../../db/read-on.ts'
import type { Check } from './finding.ts'

/** Rows of one range; 1,000 take some milliseconds. */
const rangeSize = 1000

export interface IdRange {
  /** Excluded. */
  after: number
  /** Included. */
  upTo: number
}

/** The whole table, what is added meanwhile included. Throws when the check is interrupted, and as `readPages`. */
export async function* idRanges(
  { deps: { db }, signal }: Check,
  table: string,
  size = rangeSize,
): AsyncGenerator<IdRange> {
  const ends = readPages<{ id: number }>(db, {
    read: ([after = 0]) =>
      db.rows(`SELECT id FROM ${table} WHERE id > $1 ORDER BY id LIMIT 1 OFFSET ${size - 1}`, [after]),
    keyOf: ({ id }) => [id],
    start: [0],
    size: 1,
  })
  let after = 0
  for await (const [end] of ends) {
    signal.throwIfAborted()
    const upTo = end?.id ?? after
    yield { after, upTo }
    after = upTo
  }
  signal.throwIfAborted()
  yield { after, upTo: Number.MAX_SAFE_INTEGER }
}

/** ms in which whoever has changed a row in a commit removes the bytes that it named. */
const settleTime = 2000

/** Waits until what was being done when something was looked at must be done. */
export const settle = ({ signal }: Check): Promise<void> => setTimeout(settleTime, undefined, { signal })
