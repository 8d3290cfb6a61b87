/** Looks up files and folders; only this file reads an item by id. */
import type { Actor, Principal } from '../access/actor.ts'
import { isLive, liveRow, mayOpen } from '../access/policy.ts'
import { isInReach, type Need, requireStanding } from '../access/reach.ts'
import type { Breadcrumb } from '../api/items.ts'
import { maxTreeDepth } from '../api/limits.ts'
import { invalidField, notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { isOneOf, valuesAtOnce } from '../db/values.ts'
import {
  type DetailsRow,
  detailsColumns,
  detailsQuery,
  type ItemRow,
  itemColumns,
  type SendableRow,
} from './item-row.ts'
import { findAncestors } from './paths.ts'

const findRow = (db: Database, id: number): Promise<DetailsRow | undefined> =>
  db.row<DetailsRow>(`${detailsQuery} WHERE f.id = $1`, [id])

/** The content that a file names now: null for none, undefined when the file is gone. */
export const findContentId = async (db: Database, id: number): Promise<number | null | undefined> =>
  (await db.row<{ blob_id: number | null }>('SELECT blob_id FROM files WHERE id = $1', [id]))?.blob_id

/**
 * An item that the actor can reach, live or trashed. Throws `not_found`, and `forbidden` if the actor may not `need`.
 */
export async function findAny(db: Database, actor: Principal, id: number, need: Need): Promise<DetailsRow> {
  const row = await findRow(db, id)
  if (row === undefined) throw notFound('File')
  requireStanding(actor, row, need, 'File')
  return row
}

/** A live item on which the actor may do `need`. Throws `not_found` and `forbidden`. */
export async function findItem(db: Database, actor: Principal, id: number, need: Need): Promise<DetailsRow> {
  const row = await findAny(db, actor, id, need)
  if (!isLive(row)) throw notFound('File')
  return row
}

/**
 * The rows with the given ids. The query has no condition on the space, with which SQLite would read the whole space.
 */
async function findRows(db: Database, ids: readonly number[]): Promise<Map<number, ItemRow>> {
  const wanted = [...new Set(ids)]
  const found = new Map<number, ItemRow>()
  for (let start = 0; start < wanted.length; start += valuesAtOnce) {
    const slice = wanted.slice(start, start + valuesAtOnce)
    const rows = await db.rows<ItemRow>(`SELECT ${itemColumns} FROM files f WHERE ${isOneOf('f.id', slice)}`, slice)
    for (const row of rows) found.set(row.id, row)
  }
  return found
}

/** Of the given ids, the live items that the actor can reach, in order and without duplicates. Throws `forbidden`. */
export async function findPresent(
  db: Database,
  actor: Principal,
  ids: readonly number[],
  need: Need,
): Promise<ItemRow[]> {
  const rows = await findRows(db, ids)
  const present = [...new Set(ids)]
    .flatMap(id => rows.get(id) ?? [])
    .filter(row => isLive(row) && isInReach(actor, row))
  for (const row of present) requireStanding(actor, row, need, 'File')
  return present
}

/** The same, but also throws `not_found` if one of the items is missing. */
export async function findItems(
  db: Database,
  actor: Principal,
  ids: readonly number[],
  need: Need,
): Promise<ItemRow[]> {
  const items = await findPresent(db, actor, ids, need)
  if (items.length < new Set(ids).size) throw notFound('File')
  return items
}

/** A live item of a space, for work whose actor has been authorised before; undefined if there is none. */
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

/** Throws `not_found` unless all given items are live in the space. */
export async function requireLive(db: Database, spaceId: number, ids: readonly number[]): Promise<void> {
  // `+ 0` keeps SQLite from reading the whole space by its index.
  const wanted = [...new Set(ids)]
  const live = await db.rows(
    `SELECT f.id FROM files f WHERE f.space_id + 0 = $1 AND ${liveRow} AND ${isOneOf('f.id', wanted, 2)}`,
    [spaceId, ...wanted],
  )
  if (live.length < wanted.length) throw notFound('File')
}

/** An item that the actor may open; a reviewer may also open other users' held files. Throws `not_found`. */
export async function findReadable(db: Database, actor: Actor, id: number): Promise<DetailsRow> {
  const row = await findRow(db, id)
  if (row === undefined || !mayOpen(actor, row)) throw notFound('File')
  return row
}

/** The same for a file to be sent, with its bytes if they are inline. */
export async function findSendable(db: Database, actor: Actor, id: number): Promise<SendableRow> {
  const row = await db.row<SendableRow>(
    `SELECT ${detailsColumns}, i.bytes FROM files f LEFT JOIN blobs b ON b.id = f.blob_id
       LEFT JOIN blob_bytes i ON i.blob_id = b.id WHERE f.id = $1`,
    [id],
  )
  if (row === undefined || row.is_directory === 1 || !mayOpen(actor, row)) throw notFound('File')
  return row
}

/** A live file of any user, for a reviewer. Throws `not_found`, also for folders. */
export async function findForReview(db: Database, id: number): Promise<DetailsRow> {
  const row = await findRow(db, id)
  if (row === undefined || !isLive(row) || row.is_directory === 1) throw notFound('File')
  return row
}

/** The root of an unlisted tree in any space: a copy being built, or a tree being deleted. */
export const findUnlistedRoot = (db: Database, id: number): Promise<ItemRow | undefined> =>
  db.row<ItemRow>(
    `SELECT ${itemColumns} FROM files f WHERE f.id = $1 AND f.deleted_at IS NOT NULL AND f.trash_root_id IS NULL`,
    [id],
  )

/** All roots of unlisted trees in a space. */
export const findUnlistedRoots = (db: Database, spaceId: number): Promise<{ id: number }[]> =>
  db.rows<{ id: number }>(
    'SELECT f.id FROM files f WHERE f.space_id = $1 AND f.deleted_at IS NOT NULL AND f.trash_root_id IS NULL',
    [spaceId],
  )

/** The live item with a name in a folder (null: the root). */
export const findByName = (
  db: Database,
  spaceId: number,
  parentId: number | null,
  name: string,
): Promise<DetailsRow | undefined> =>
  db.row<DetailsRow>(`${detailsQuery} WHERE f.space_id = $1 AND f.live_parent = $2 AND f.name = $3`, [
    spaceId,
    parentId ?? 0,
    name,
  ])

/** A folder, or the root of a space if `folder` is null. */
export interface Place {
  spaceId: number
  folder: ItemRow | null
}

/** A live folder on which the actor may do `need`; null is the actor's own root. Throws `not_found` and `forbidden`. */
export async function findFolder(db: Database, actor: Actor, id: number | null, need: Need): Promise<Place> {
  if (id === null) return { spaceId: actor.root.spaceId, folder: null }
  const folder = await findRow(db, id)
  if (folder === undefined || !isLive(folder) || folder.is_directory === 0) throw notFound('Folder')
  requireStanding(actor, folder, need, 'Folder')
  return { spaceId: folder.space_id, folder }
}

/** Throws `invalid_input` if `levels` more folder levels below a folder would make the tree too deep. */
export function refuseTooDeep(ancestors: readonly Breadcrumb[], levels: number): void {
  if (ancestors.length + levels > maxTreeDepth) {
    throw invalidField('parent_id', `Folders can be nested at most ${maxTreeDepth} levels deep`)
  }
}

/** As findFolder, with the path from the root to the folder, including the folder itself. */
export async function findFolderWay(
  db: Database,
  actor: Actor,
  id: number | null,
  need: Need,
): Promise<Place & { way: Breadcrumb[] }> {
  const place = await findFolder(db, actor, id, need)
  return { ...place, way: place.folder === null ? [] : await findAncestors(db, place.folder.id) }
}

/** The live item of a space that a path such as `/Docs/a.pdf` leads to. Throws `not_found`, also for the root. */
export async function findByPath(db: Database, spaceId: number, path: string): Promise<DetailsRow> {
  let item: DetailsRow | undefined
  for (const name of path.normalize('NFC').split('/').filter(Boolean)) {
    item =
      item !== undefined && item.is_directory === 0 ? undefined : await findByName(db, spaceId, item?.id ?? null, name)
    if (item === undefined) break
  }
  if (item === undefined) throw notFound('File')
  return item
}

/**
 * Number of folder levels of an item: 0 for a file, 1 for a folder without sub-folders. For a live folder, live folders
 * count; for a trashed one, those trashed with it. CROSS JOIN keeps SQLite from reading the whole space for each
 * folder.
 */
export async function findHeight(db: Database, item: ItemRow): Promise<number> {
  if (item.is_directory === 0) return 0
  const isAlong =
    item.trash_root_id === null
      ? 'f.space_id = $2 AND f.live_parent = below.id'
      : 'f.parent_id = below.id AND f.trash_root_id = $2'
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
