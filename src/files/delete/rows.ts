/** Deletes rows of the trash inside a write, with everything that depends on them. */
import type { Database } from '../../db/database.ts'
import { createBinds } from '../../db/keyset.ts'
import type { FileRow } from '../../db/models/files.ts'
import { isOneOf } from '../../db/values.ts'
import { dropBlobs } from '../content.ts'
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

/** The nearest folder above each of the folders that is not deleted; null for the root. */
function parentsLeft(rows: readonly DoomedRow[], folders: readonly number[]): [id: number, parent: number | null][] {
  const parents = new Map(rows.map(row => [row.id, row.parent_id]))
  return folders.map(id => {
    let at = parents.get(id) ?? null
    while (at !== null && parents.has(at)) at = parents.get(at) ?? null
    return [id, at]
  })
}

/**
 * Keeps items that were trashed earlier inside one of these folders: they stay in the trash, in the nearest folder that
 * is left, through which others may have access to them. So do items that were trashed with a folder but have already
 * moved to another space; they have no folder there.
 */
async function keepOrphans(
  db: Database,
  spaceId: number,
  rows: readonly DoomedRow[],
  folders: readonly number[],
): Promise<void> {
  const binds = createBinds(Date.now())
  const { add } = binds
  const cases = parentsLeft(rows, folders).map(([id, parent]) => `WHEN ${add(id)} THEN ${add(parent)}`)
  const listed = (ids: readonly number[]) => ids.map(id => add(id)).join(', ')
  await db.change(
    `UPDATE files SET parent_id = CASE WHEN space_id = ${add(spaceId)} THEN CASE parent_id ${cases.join(' ')} END END,
       deleted_at = CASE WHEN trash_root_id IS NULL THEN deleted_at ELSE COALESCE(deleted_at, $1) END
     WHERE parent_id IN (${listed(folders)}) AND id NOT IN (${listed(rows.map(({ id }) => id))})`,
    binds.values,
  )
}

/**
 * Deletes rows of one space, which must include everything trashed with them, and lowers the space's counters. Returns
 * the keys whose bytes must be removed after the commit. The caller's write must hold the space's lock.
 */
export async function deleteRows(db: Database, spaceId: number, rows: readonly DoomedRow[]): Promise<string[]> {
  if (rows.length === 0) return []
  const folders = rows.filter(row => row.is_directory === 1).map(({ id }) => id)
  if (folders.length > 0) await keepOrphans(db, spaceId, rows, folders)
  const ids = rows.map(({ id }) => id)
  const unnamed = await endUploadsByLinks(db, isOneOf('l.item_id', ids), ids)
  for (const level of deepestFirst(rows)) await db.change(`DELETE FROM files WHERE ${isOneOf('id', level)}`, level)
  const bytes = rows.reduce((sum, { size }) => sum + size, 0)
  await charge(db, spaceId, 0 - bytes, 0 - rows.length)
  const blobs = new Set(rows.map(row => row.blob_id).filter(id => id !== null))
  return [...unnamed, ...(await dropBlobs(db, [...blobs]))]
}
