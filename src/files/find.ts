/** Looks files and folders up; the only place that reads one by its id. */
import type { Actor, Principal } from '../access/actor.ts'
import { isLive, liveRow, mayOpen } from '../access/policy.ts'
import { isInReach, type Need, requireStanding } from '../access/reach.ts'
import type { Breadcrumb } from '../api/items.ts'
import { maxTreeDepth } from '../api/limits.ts'
import { invalidField, notFound } from '../base/errors.ts'
import type { Columns } from '../db/cells.ts'
import type { Database } from '../db/database.ts'
import type { FileRow } from '../db/models/files.ts'
import { isOneOf, valuesAtOnce } from '../db/values.ts'
import { findAncestors } from './paths.ts'

/** What an item shows of itself; sort_key and space_id go along for paging and locking. */
export type ItemRow = Omit<FileRow, 'name_folded' | 'validated_by' | 'validated_at'>

/** The columns of `files f` that an item is made of. */
export const itemCells: Columns<ItemRow> = {
  id: 'f.id',
  space_id: 'f.space_id',
  owner_id: 'f.owner_id',
  parent_id: 'f.parent_id',
  name: 'f.name',
  sort_key: 'f.sort_key',
  is_directory: 'f.is_directory',
  size: 'f.size',
  mime_type: 'f.mime_type',
  blob_id: 'f.blob_id',
  is_favorite: 'f.is_favorite',
  validation_status: 'f.validation_status',
  validation_comment: 'f.validation_comment',
  modified_at: 'f.modified_at',
  deleted_at: 'f.deleted_at',
  trash_root_id: 'f.trash_root_id',
  created_at: 'f.created_at',
  updated_at: 'f.updated_at',
}

export const itemColumns = Object.values(itemCells).join(', ')

/** A single item with its content's row; by one look-up, for between two of them new content may take its place. */
export interface DetailsRow extends ItemRow {
  /** Null for folders, like the other two. */
  blob_key: string | null
  blob_place: 'inline' | 'store' | null
  sha256: string | null
}

/** What tells where a file's bytes are, and which they are. */
export type ContentRow = Pick<DetailsRow, 'id' | 'size' | 'blob_id' | 'blob_key' | 'blob_place' | 'sha256'>

/** A file that is about to be sent: small content comes along, null where it stands elsewhere or is lost. */
export type SendableRow = DetailsRow & { bytes: Buffer | null }

const detailsColumns = `${itemColumns}, b.\`key\` AS blob_key, b.place AS blob_place, b.sha256`

/** To be followed by its conditions. */
export const detailsQuery = `SELECT ${detailsColumns} FROM files f LEFT JOIN blobs b ON b.id = f.blob_id`

const findRow = (db: Database, id: number): Promise<DetailsRow | undefined> =>
  db.row<DetailsRow>(`${detailsQuery} WHERE f.id = $1`, [id])

/** An item that is there for the actor, live or trashed. Throws `not_found`. */
export async function findAny(db: Database, actor: Principal, id: number, need: Need): Promise<DetailsRow> {
  const row = await findRow(db, id)
  if (row === undefined) throw notFound('File')
  requireStanding(actor, row, need, 'File')
  return row
}

/** A live item with which the actor may do what is needed. Throws `not_found` and `forbidden`. */
export async function findItem(db: Database, actor: Principal, id: number, need: Need): Promise<DetailsRow> {
  const row = await findAny(db, actor, id, need)
  if (!isLive(row)) throw notFound('File')
  return row
}

/** Rows of some ids, by their ids alone: with the space among the conditions SQLite would read all of it. */
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

/** The live items among some ids that are there for the actor, in their order and each once. Throws `forbidden`. */
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

/** The same where all must be there. Throws `not_found` too. */
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

/** A live item of a space, for work that goes on there after its actor was let in; undefined where there is none. */
export async function findIfLive(db: Database, spaceId: number, id: number): Promise<DetailsRow | undefined> {
  const row = await db.row<DetailsRow>(`${detailsQuery} WHERE f.id = $1 AND f.space_id = $2`, [id, spaceId])
  return row !== undefined && isLive(row) ? row : undefined
}

/** The same where it must be there. Throws `not_found`. */
export async function findLive(db: Database, spaceId: number, id: number): Promise<DetailsRow> {
  const row = await findIfLive(db, spaceId, id)
  if (row === undefined) throw notFound('File')
  return row
}

/** Throws `not_found` unless some items are all live in a space. */
export async function requireLive(db: Database, spaceId: number, ids: readonly number[]): Promise<void> {
  // `+ 0` keeps SQLite from reading the whole space by its index.
  const wanted = [...new Set(ids)]
  const live = await db.rows(
    `SELECT f.id FROM files f WHERE f.space_id + 0 = $1 AND ${liveRow} AND ${isOneOf('f.id', wanted, 2)}`,
    [spaceId, ...wanted],
  )
  if (live.length < wanted.length) throw notFound('File')
}

/** An item that the actor may open, which for a reviewer may be another's held file. Throws `not_found`. */
export async function findReadable(db: Database, actor: Actor, id: number): Promise<DetailsRow> {
  const row = await findRow(db, id)
  if (row === undefined || !mayOpen(actor, row)) throw notFound('File')
  return row
}

/** The same for a file of which the bytes are wanted. */
export async function findSendable(db: Database, actor: Actor, id: number): Promise<SendableRow> {
  const row = await db.row<SendableRow>(
    `SELECT ${detailsColumns}, i.bytes FROM files f LEFT JOIN blobs b ON b.id = f.blob_id
       LEFT JOIN blob_bytes i ON i.blob_id = b.id WHERE f.id = $1`,
    [id],
  )
  if (row === undefined || row.is_directory === 1 || !mayOpen(actor, row)) throw notFound('File')
  return row
}

/** Anybody's live file, for a reviewer to decide on. Throws `not_found`, for folders too. */
export async function findForReview(db: Database, id: number): Promise<DetailsRow> {
  const row = await findRow(db, id)
  if (row === undefined || !isLive(row) || row.is_directory === 1) throw notFound('File')
  return row
}

/** The root of a tree that no list shows: a copy that is being built, or what is being deleted; of any space. */
export const findUnlistedRoot = (db: Database, id: number): Promise<ItemRow | undefined> =>
  db.row<ItemRow>(
    `SELECT ${itemColumns} FROM files f WHERE f.id = $1 AND f.deleted_at IS NOT NULL AND f.trash_root_id IS NULL`,
    [id],
  )

/** All roots of such trees in one space. */
export const findUnlistedRoots = (db: Database, spaceId: number): Promise<{ id: number }[]> =>
  db.rows<{ id: number }>(
    'SELECT f.id FROM files f WHERE f.space_id = $1 AND f.deleted_at IS NOT NULL AND f.trash_root_id IS NULL',
    [spaceId],
  )

/** The live item of a name in a folder (null: the root). */
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

/** A folder, or where `folder` is null the root of a space. */
export interface Place {
  spaceId: number
  folder: ItemRow | null
}

/** A live folder with which the actor may do what is needed; for null their own root. Throws `not_found`, `forbidden`. */
export async function findFolder(db: Database, actor: Actor, id: number | null, need: Need): Promise<Place> {
  if (id === null) return { spaceId: actor.root.spaceId, folder: null }
  const folder = await findRow(db, id)
  if (folder === undefined || !isLive(folder) || folder.is_directory === 0) throw notFound('Folder')
  requireStanding(actor, folder, need, 'Folder')
  return { spaceId: folder.space_id, folder }
}

/** Throws `invalid_input` where a folder has no room for `levels` more levels of folders below it. */
export function refuseTooDeep(ancestors: readonly Breadcrumb[], levels: number): void {
  if (ancestors.length + levels > maxTreeDepth) {
    throw invalidField('parent_id', `Folders can be nested at most ${maxTreeDepth} levels deep`)
  }
}

/** The same with the way from the root to the folder, which is part of it. */
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
 * Levels of folders that a folder brings along: 1 for one without sub-folders, 0 for a file. A live one brings what is
 * live, a trashed one what was trashed with it. CROSS JOIN keeps SQLite from reading the whole space for each folder.
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
