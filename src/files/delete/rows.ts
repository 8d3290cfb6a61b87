/** Deletes rows of the trash inside a write, with everything that depends on them. */
import type { Database } from '../../db/database.ts'
import { deleteVisitsByLinks } from '../../db/delete-visits.ts'
import { createBinds } from '../../db/keyset.ts'
import type { FileRow } from '../../db/models/files.ts'
import { isOneOf } from '../../db/values.ts'
import { dropBlobs, dropThumbnails } from '../content.ts'
import type { UnnamedBytes } from '../removals.ts'
import { sliceSize } from '../slices.ts'
import { charge } from '../space.ts'
import { endUploadsByLinks } from '../unfinished-uploads.ts'

export type DoomedRow = Pick<FileRow, 'id' | 'parent_id' | 'is_directory' | 'size' | 'blob_id'>

export const doomedColumns = 'f.id, f.parent_id, f.is_directory, f.size, f.blob_id'

/** The ids of rows grouped by level, deepest first: MariaDB refuses to delete a folder before its content. */
function deepestFirst(rows: readonly DoomedRow[]): number[][] {
  const parents = new Map(rows.map(row => [row.id, row.parent_id]))
  const levels: number[][] = []
  for (const { id } of rows) {
    let level = 0
    for (let at = parents.get(id) ?? null; at !== null && parents.has(at); at = parents.get(at) ?? null) level += 1
    const ids = levels[level]
    if (ids === undefined) levels[level] = [id]
    else ids.push(id)
  }
  return levels.reverse()
}

/** Finds the nearest folder above one of the folders that is not deleted; null for the root. */
function parentLeft(rows: readonly DoomedRow[]): (folderId: number) => number | null {
  const parents = new Map(rows.map(row => [row.id, row.parent_id]))
  return folderId => {
    let at: number | null = folderId
    while (at !== null && parents.has(at)) at = parents.get(at) ?? null
    return at
  }
}

type Orphan = Pick<FileRow, 'id'> & { parent_id: number }

/**
 * Items in folders among the rows that are not deleted with them: they were trashed earlier, or have already moved to
 * another space. At most one more than a write takes.
 */
async function findOrphans(db: Database, rows: readonly DoomedRow[]): Promise<Orphan[]> {
  const folders = rows.filter(row => row.is_directory === 1).map(({ id }) => id)
  if (folders.length === 0) return []
  const ids = rows.map(({ id }) => id)
  return db.rows<Orphan>(
    `SELECT f.id, f.parent_id FROM files f WHERE ${isOneOf('f.parent_id', folders)}
       AND NOT ${isOneOf('f.id', ids, folders.length + 1)} LIMIT ${sliceSize + 1}`,
    [...folders, ...ids],
  )
}

/**
 * Keeps items that were trashed earlier: they stay in the trash, in a folder that is left, through which others may have
 * access to them. So do items that were trashed with a folder but have already moved to another space; they have no
 * folder there.
 */
async function keepOrphans(
  db: Database,
  spaceId: number,
  orphans: readonly Orphan[],
  above: (folderId: number) => number | null,
): Promise<void> {
  const { add, values } = createBinds(Date.now())
  const folders = [...new Set(orphans.map(({ parent_id }) => parent_id))]
  const cases = folders.map(id => `WHEN ${add(id)} THEN ${add(above(id))}`)
  await db.change(
    `UPDATE files SET parent_id = CASE WHEN space_id = ${add(spaceId)} THEN CASE parent_id ${cases.join(' ')} END END,
       deleted_at = CASE WHEN trash_root_id IS NULL THEN deleted_at ELSE COALESCE(deleted_at, $1) END
     WHERE id IN (${orphans.map(({ id }) => add(id)).join(', ')})`,
    values,
  )
}

interface Deletion {
  /**
   * False: the rows are still there, because this write has changed enough of what depends on them. Delete them again in
   * the next one, and let no call reach them meanwhile.
   */
  isDone: boolean
  /** Whether items have left the folders among the rows, and stay. */
  hasKept: boolean
  /** Bytes that must be removed after the commit. */
  unnamed: UnnamedBytes[]
}

/**
 * Deletes rows of one space, which must include everything trashed with them, and lowers the space's counters. Beside
 * them it changes at most two slices of rows, however often their links were visited, and however many items were trashed
 * earlier inside their folders. These items go to `above`, or by default to the nearest folder that is not among the rows.
 * The caller's write must hold the space's lock.
 */
export async function deleteRows(
  db: Database,
  spaceId: number,
  rows: readonly DoomedRow[],
  above: (folderId: number) => number | null = parentLeft(rows),
): Promise<Deletion> {
  const ids = rows.map(({ id }) => id)
  const notYet = { isDone: false, unnamed: [] }
  if (await deleteVisitsByLinks(db, isOneOf('l.item_id', ids), ids)) return { ...notYet, hasKept: false }
  const orphans = await findOrphans(db, rows)
  const hasKept = orphans.length > 0
  if (hasKept) await keepOrphans(db, spaceId, orphans.slice(0, sliceSize), above)
  if (orphans.length > sliceSize) return { ...notYet, hasKept }
  return { isDone: true, hasKept, unnamed: await deleteAlone(db, spaceId, rows) }
}

/** Deletes rows that no others depend on. */
async function deleteAlone(db: Database, spaceId: number, rows: readonly DoomedRow[]): Promise<UnnamedBytes[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const unnamed = await endUploadsByLinks(db, isOneOf('l.item_id', ids), ids)
  unnamed.push(...(await dropThumbnails(db, ids)))
  for (const level of deepestFirst(rows)) await db.change(`DELETE FROM files WHERE ${isOneOf('id', level)}`, level)
  const bytes = rows.reduce((sum, { size }) => sum + size, 0)
  await charge(db, spaceId, 0 - bytes, 0 - rows.length)
  const blobs = new Set(rows.map(row => row.blob_id).filter(id => id !== null))
  return [...unnamed, ...(await dropBlobs(db, [...blobs]))]
}
