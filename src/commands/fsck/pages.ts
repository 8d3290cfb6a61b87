/** Reads a table in ranges of ids, each in one short read, so that SQLite can checkpoint its WAL in between. */
import { setTimeout } from 'node:timers/promises'
import { readPages } from '../../db/read-on.ts'
import type { Check } from './finding.ts'

/** Rows per range; 1,000 take some milliseconds. */
const rangeSize = 1000

export interface IdRange {
  /** Excluded. */
  after: number
  /** Included. */
  upTo: number
}

/** The whole table, including rows added meanwhile. Throws when the check is aborted, and as `readPages`. */
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

/** ms within which a process that has deleted a row in a commit also removes the row's bytes. */
const settleTime = 2000

/** Waits until operations that were running during a check have finished. */
export const settle = ({ signal }: Check): Promise<void> => setTimeout(settleTime, undefined, { signal })
