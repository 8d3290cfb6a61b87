/** Reads the live items of a folder page by page, for what goes through all of them. */
import type { Database } from '../db/database.ts'
import { readOnBehind } from '../db/read-on.ts'
import { type DetailsRow, detailsQuery, findLive } from './find.ts'

/** Rows held for each folder on the way down, of which there are at most a hundred. */
const pageSize = 250

/**
 * The pages of a folder (null: the root). In the order of names, which no two items share at a time: whatever is moved or
 * renamed meanwhile, no name comes twice. Throws `not_found` after the page in whose time the folder went to the trash,
 * where its items still stand in its lists, and DamageError as `readOnBehind`.
 */
export async function* findChildren(
  db: Database,
  spaceId: number,
  folderId: number | null,
): AsyncGenerator<DetailsRow[]> {
  for (let after: string | undefined; ; ) {
    // An empty name is before all others: only damage has made it, and what goes through all of them is to tell of it.
    const comparison = after === undefined ? '>=' : '>'
    const rows = await db.rows<DetailsRow>(
      `${detailsQuery} WHERE f.space_id = $1 AND f.live_parent = $2 AND f.name ${comparison} $3 ORDER BY f.name LIMIT ${pageSize}`,
      [spaceId, folderId ?? 0, after ?? ''],
    )
    if (rows.length > 0) yield rows
    if (folderId !== null) await findLive(db, spaceId, folderId)
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageSize) return
    ;[after] = readOnBehind(db, [last.name] as const, after === undefined ? after : [after])
  }
}
