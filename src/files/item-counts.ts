/** Counts the items of whole lists, once for each revision of their space. */
import { openSharedCall } from '../base/shared-call.ts'
import type { Database } from '../db/database.ts'
import { findRevision } from './space.ts'

/** Maximum number of lists whose counts are kept. */
const most = 1000

/** A condition on rows `f`. */
export interface RowCondition {
  condition: string
  /** The values of `$1`, `$2`, … in it; the first is the id of the rows' space. */
  values: readonly [spaceId: number, ...others: number[]]
}

/** Returns the number of rows of a space that match a condition. */
export type CountItems = (rows: RowCondition) => Promise<number>

/**
 * A count reads the whole list. So the pages of a list share one count until something in the space changes, and of one
 * list at most one count runs at once.
 */
export function openItemCounts(db: Database): CountItems {
  const lists = new Map<string, () => Promise<number>>()

  function openList({ condition, values }: RowCondition): () => Promise<number> {
    let kept: { revision: number; count: number } | undefined
    return openSharedCall(async () => {
      // Read first, so that a count is never older than its revision.
      const revision = await findRevision(db, values[0])
      if (kept?.revision === revision) return kept.count
      const sql = `SELECT COUNT(*) AS count FROM files f WHERE ${condition}`
      const count = (await db.row<{ count: number }>(sql, values))?.count ?? 0
      kept = { revision, count }
      return count
    })
  }

  return ({ condition, values }) => {
    const key = `${values.join()} ${condition}`
    const known = lists.get(key)
    if (known !== undefined) return known()
    if (lists.size >= most) lists.clear()
    const list = openList({ condition, values })
    lists.set(key, list)
    return list()
  }
}
