/** Reads all live items of a folder, page by page. */
import { shownRow } from '../access/policy.ts'
import { type Abilities, type Need, needToReadOn } from '../access/standing.ts'
import { confirmPlace } from '../access/transit.ts'
import type { Database } from '../db/database.ts'
import { readOnBehind } from '../db/read-on.ts'
import { confirmParent } from './confirm-parent.ts'
import { findLive } from './find-in-space.ts'
import { type DetailsRow, detailsQuery } from './item-row.ts'

/** Rows held in memory for each open folder; a walk has at most a hundred open folders. */
const pageSize = 250

/** A condition on the rows `f` of a folder; the user's id is its `$4`, behind the values of the look-up itself. */
export interface ShownRows {
  condition: string
  userId: number
  /** What their reader must be allowed in each folder to read on. */
  need: Need
}

/** The rows that a user with these abilities in the folder is shown. */
export const rowsShownTo = (abilities: Abilities, userId: number): ShownRows => ({
  condition: shownRow(abilities, '$4'),
  userId,
  need: needToReadOn(abilities),
})

/**
 * Yields the pages of a folder (null: the root), sorted by name. Names are unique in a folder, so no name comes twice
 * even if items are moved or renamed meanwhile. If the folder is trashed, its items stay in its index; therefore it
 * checks after each page and throws `not_found`. `shown` limits the rows to yield. Throws `unavailable` if the space is
 * being transferred, and DamageError as `readOnBehind` and `confirmParent`.
 */
export async function* findChildren(
  db: Database,
  spaceId: number,
  folderId: number | null,
  shown: ShownRows | null = null,
): AsyncGenerator<DetailsRow[]> {
  const [isShown, user] = shown === null ? ['', []] : [`AND ${shown.condition}`, [shown.userId]]
  for (let after: string | undefined; ; ) {
    // The first page includes an empty name, which only damage can cause, so that the caller can report it.
    const comparison = after === undefined ? '>=' : '>'
    const rows = await db.rows<DetailsRow>(
      `${detailsQuery} WHERE f.space_id = $1 AND f.live_parent = $2 AND f.name ${comparison} $3 ${isShown} ORDER BY f.name LIMIT ${pageSize}`,
      [spaceId, folderId ?? 0, after ?? '', ...user],
    )
    confirmParent(rows, folderId)
    if (rows.length > 0) yield rows
    if (folderId !== null) await findLive(db, spaceId, folderId)
    await confirmPlace(db, spaceId, folderId)
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageSize) return
    ;[after] = readOnBehind(db, [last.name] as const, after === undefined ? after : [after])
  }
}
