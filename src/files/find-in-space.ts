/** Looks up items of a space, for work whose actor has been authorised before. */
import { isLive } from '../access/policy.ts'
import { maxTreeDepth } from '../api/limits.ts'
import { invalidField, notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { confirmParent } from './confirm-parent.ts'
import { type DetailsRow, detailsQuery, type ItemRow } from './item-row.ts'

/** A live item of a space; undefined if there is none. */
export async function findIfLive(db: Database, spaceId: number, id: number): Promise<DetailsRow | undefined> {
  const row = await db.row<DetailsRow>(`${detailsQuery} WHERE f.id = $1 AND f.space_id = $2`, [id, spaceId])
  return row !== undefined && isLive(row) ? row : undefined
}

/** The same, but throws `not_found` if there is none. */
export async function findLive(db: Database, spaceId: number, id: number): Promise<DetailsRow> {
  const row = await findIfLive(db, spaceId, id)
  if (row === undefined) throw notFound('File')
  return row
}

/** All roots of unlisted trees in a space. */
export const findUnlistedRoots = (db: Database, spaceId: number): Promise<{ id: number }[]> =>
  db.rows<{ id: number }>(
    'SELECT f.id FROM files f WHERE f.space_id = $1 AND f.deleted_at IS NOT NULL AND f.trash_root_id IS NULL',
    [spaceId],
  )

/** The live item with a name in a folder (null: the root). Throws DamageError as `confirmParent`. */
export async function findByName(
  db: Database,
  spaceId: number,
  parentId: number | null,
  name: string,
): Promise<DetailsRow | undefined> {
  const query = `${detailsQuery} WHERE f.space_id = $1 AND f.live_parent = $2 AND f.name = $3`
  const row = await db.row<DetailsRow>(query, [spaceId, parentId ?? 0, name])
  if (row !== undefined) confirmParent([row], parentId)
  return row
}

/** Throws `invalid_input` if `levels` more folder levels below a folder would make the tree too deep. */
export function refuseTooDeep(ancestors: readonly unknown[], levels: number): void {
  if (ancestors.length + levels > maxTreeDepth) {
    throw invalidField('parent_id', `Folders can be nested at most ${maxTreeDepth} levels deep`)
  }
}

/**
 * Number of folder levels of an item: 0 for a file, 1 for a folder without sub-folders. For a live folder, live folders
 * count; for a trashed one, those trashed with it. CROSS JOIN keeps SQLite from reading the whole space for each
 * folder, and `+ 0` from reading the whole trashed tree for each.
 */
export async function findHeight(db: Database, item: ItemRow): Promise<number> {
  if (item.is_directory === 0) return 0
  const isAlong =
    item.trash_root_id === null
      ? 'f.space_id = $2 AND f.live_parent = below.id'
      : 'f.parent_id = below.id AND f.trash_root_id + 0 = $2'
  const row = await db.row<{ height: number }>(
    `WITH RECURSIVE below (id, level) AS (
       SELECT id, 1 FROM files WHERE id = $1
       UNION ALL
       SELECT f.id, below.level + 1 FROM below CROSS JOIN files f ON ${isAlong} AND f.is_directory = 1
         WHERE below.level <= ${maxTreeDepth})
     SELECT MAX(level) AS height FROM below`,
    [item.id, item.trash_root_id ?? item.space_id],
  )
  return row?.height ?? 1
}
