/** Counts the items of whole lists, once for each revision of their space. */
import { openSharedCall } from '../base/shared-call.ts'
import type { Database } from '../db/database.ts'
import { findRevision } from './space.ts'

/** Maximum number of lists whose counts are kept. */
const most = 1000

/** Returns the number of rows `f` of a space that match `condition`, in which `$1` is the space's id. */
export type CountItems = (spaceId: number, condition: string) => Promise<number>

/**
 * A count reads the whole list. So the pages of a list share one count until something in the space changes, and of one
 * list at most one count runs at once.
 */
export function openItemCounts(db: Database): CountItems {
  const lists = new Map<string, () => Promise<number>>()

  function openList(spaceId: number, condition: string): () => Promise<number> {
    let kept: { revision: number; count: number } | undefined
    return openSharedCall(async () => {
      // Read first, so that a count is never older than its revision.
      const revision = await findRevision(db, spaceId)
      if (kept?.revision === revision) return kept.count
      const sql = `SELECT COUNT(*) AS count FROM files f WHERE ${condition}`
      const count = (await db.row<{ count: number }>(sql, [spaceId]))?.count ?? 0
      kept = { revision, count }
      return count
    })
  }

  return (spaceId, condition) => {
    const key = `${spaceId} ${condition}`
    const known = lists.get(key)
    if (known !== undefined) return known()
    if (lists.size >= most) lists.clear()
    const list = openList(spaceId, condition)
    lists.set(key, list)
    return list()
  }
}
