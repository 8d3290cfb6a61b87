/** Finds the items of a space without children, for operations that process a whole space, deepest items first. */
import { isLive } from '../../access/policy.ts'
import type { Database } from '../../db/database.ts'
import { isOneOf } from '../../db/values.ts'

export interface LeafRow {
  id: number
  parent_id: number | null
  owner_id: number
  name: string
  is_directory: 0 | 1
  size: number
  blob_id: number | null
  deleted_at: number | null
  trash_root_id: number | null
}

/** Whether the space has any item, live or trashed. */
export async function hasItems(db: Database, spaceId: number): Promise<boolean> {
  return (await db.row('SELECT id FROM files WHERE space_id = $1 LIMIT 1', [spaceId])) !== undefined
}

/**
 * At most `count` items of a space, live or trashed, that have no children in the space; excludes the item `except`.
 */
export const findSpaceLeaves = (db: Database, spaceId: number, count: number, except = 0): Promise<LeafRow[]> =>
  db.rows<LeafRow>(
    `SELECT f.id, f.parent_id, f.owner_id, f.name, f.is_directory, f.size, f.blob_id, f.deleted_at, f.trash_root_id
     FROM files f WHERE f.space_id = $1 AND f.id <> $2
       AND NOT EXISTS (SELECT 1 FROM files below WHERE below.parent_id = f.id AND below.space_id = $1)
     LIMIT ${count}`,
    [spaceId, except],
  )

/** The roots of the unlisted trees (see delete/tree.ts) that the given rows of a space belong to. */
export async function findUnlistedAmong(db: Database, spaceId: number, rows: readonly LeafRow[]): Promise<number[]> {
  const trashed = rows.filter(row => !isLive(row))
  const ids = [...new Set(trashed.map(row => row.trash_root_id ?? row.id))]
  if (ids.length === 0) return []
  const roots = await db.rows<{ id: number }>(
    `SELECT f.id FROM files f WHERE f.space_id + 0 = $1 AND f.deleted_at IS NOT NULL AND f.trash_root_id IS NULL
       AND ${isOneOf('f.id', ids, 2)}`,
    [spaceId, ...ids],
  )
  return roots.map(({ id }) => id)
}
