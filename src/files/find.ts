/** Looks up files and folders; only this file reads an item by id. */
import type { Caller, Principal } from '../access/actor.ts'
import { confirmActor } from '../access/confirm-actor.ts'
import { isListed, isLive, isShown, mayDo, mayOpen } from '../access/policy.ts'
import { findStanding, isOwn } from '../access/reach.ts'
import { byReview, type Need, ownStanding, type Standing } from '../access/standing.ts'
import { notHere } from '../api/refusals.ts'
import { AppError, notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { isOneOf, valuesAtOnce } from '../db/values.ts'
import { findByName } from './find-in-space.ts'
import {
  type DetailsRow,
  detailsColumns,
  detailsQuery,
  type ItemRow,
  itemColumns,
  type SendableRow,
} from './item-row.ts'
import { type FolderAbove, findFoldersAbove } from './paths.ts'
import type { Seen } from './surroundings.ts'

const findRow = (db: Database, id: number): Promise<DetailsRow | undefined> =>
  db.row<DetailsRow>(`${detailsQuery} WHERE f.id = $1`, [id])

/** The content that a file names now: null for none, undefined when the file is gone. */
export const findContentId = async (db: Database, id: number): Promise<number | null | undefined> =>
  (await db.row<{ blob_id: number | null }>('SELECT blob_id FROM files WHERE id = $1', [id]))?.blob_id

/** A row with what the actor may do there. */
export type Found<Row> = Row & { readonly standing: Standing }

/** An item that has an entry for the actor; undefined if there is none for them. */
async function findListed<Row extends ItemRow>(db: Database, actor: Principal, row: Row | undefined) {
  const standing = row === undefined ? null : await findStanding(db, actor, row)
  return row === undefined || standing === null || !isListed(actor, standing, row) ? undefined : { ...row, standing }
}

/** The error for an item that the actor sees, but may not do this with. */
export const notAllowedHere = (): AppError => new AppError('forbidden', notHere)

/** Throws `forbidden` if the actor may not do what is needed with a found item. */
export function requireNeed(actor: Principal, item: Found<ItemRow>, need: Need): void {
  if (!mayDo(actor, item.standing, item, need)) throw notAllowedHere()
}

/**
 * An item that the actor can reach, live or trashed. Throws `not_found`, and `forbidden` if the actor may not `need`.
 */
export async function findAny(db: Database, actor: Principal, id: number, need: Need): Promise<Found<DetailsRow>> {
  const row = await findListed(db, actor, await findRow(db, id))
  if (row === undefined) throw notFound('File')
  requireNeed(actor, row, need)
  return row
}

/** A live item on which the actor may do `need`. Throws `not_found` and `forbidden`. */
export async function findItem(db: Database, actor: Principal, id: number, need: Need): Promise<Found<DetailsRow>> {
  const row = await findListed(db, actor, await findRow(db, id))
  if (row === undefined || !isLive(row)) throw notFound('File')
  requireNeed(actor, row, need)
  return row
}

/**
 * The rows with the given ids. Do not add a condition on the space: SQLite would then read the whole space.
 */
export async function findRowsById(db: Database, ids: readonly number[]): Promise<Map<number, ItemRow>> {
  const wanted = [...new Set(ids)]
  const found = new Map<number, ItemRow>()
  for (let start = 0; start < wanted.length; start += valuesAtOnce) {
    const slice = wanted.slice(start, start + valuesAtOnce)
    const rows = await db.rows<ItemRow>(`SELECT ${itemColumns} FROM files f WHERE ${isOneOf('f.id', slice)}`, slice)
    for (const row of rows) found.set(row.id, row)
  }
  return found
}

/** What the actor may do with a row that was found by other rights than their own; null if it is not listed for them. */
async function findOwnStanding(db: Database, actor: Principal, row: ItemRow): Promise<Standing | null> {
  const standing = await findStanding(db, actor, row)
  return standing !== null && isListed(actor, standing, row) ? standing : null
}

/** A row that a reviewer was given as one, with what they may do there besides. */
export async function withStanding<Row extends ItemRow>(db: Database, actor: Principal, row: Row): Promise<Seen<Row>> {
  return { ...row, standing: (await findOwnStanding(db, actor, row)) ?? byReview }
}

/** A live item of which the actor sees the entry; a reviewer also sees other users' held files. Throws `not_found`. */
export async function findEntry(db: Database, actor: Caller, id: number): Promise<Seen<DetailsRow>> {
  const row = await findRow(db, id)
  if (row === undefined || !isLive(row)) throw notFound('File')
  const standing = await findOwnStanding(db, actor, row)
  if (standing === null && !mayOpen(actor, { ...row, standing })) throw notFound('File')
  return { ...row, standing: standing ?? byReview }
}

/** The error for the content of a file of which the actor has only the entry. */
const closedContent = (): AppError =>
  new AppError('forbidden', 'This file was rejected; only who put it here and reviewers may open it')

async function requireOpen<Row extends ItemRow>(db: Database, actor: Caller, row: Row | undefined): Promise<Seen<Row>> {
  if (row === undefined || !isLive(row)) throw notFound('File')
  const standing = await findOwnStanding(db, actor, row)
  if (!mayOpen(actor, { ...row, standing })) throw standing === null ? notFound('File') : closedContent()
  return { ...row, standing: standing !== null && isShown(actor, standing, row) ? standing : byReview }
}

/**
 * An item whose content the actor may open; a reviewer may also open other users' held files, and sees them by that
 * right. Throws `not_found`, and `forbidden` where the actor has only the entry.
 */
export const findReadable = async (db: Database, actor: Caller, id: number): Promise<Seen<DetailsRow>> =>
  requireOpen(db, actor, await findRow(db, id))

/** The same for a file to be sent, with its bytes if they are inline. */
export async function findSendable(db: Database, actor: Caller, id: number): Promise<Seen<SendableRow>> {
  const row = await db.row<SendableRow>(
    `SELECT ${detailsColumns}, i.bytes FROM files f LEFT JOIN blobs b ON b.id = f.blob_id
       LEFT JOIN blob_bytes i ON i.blob_id = b.id WHERE f.id = $1`,
    [id],
  )
  return requireOpen(db, actor, row?.is_directory === 1 ? undefined : row)
}

/**
 * Throws unless the actor, who has begun to read a file, may go on. If the file is trashed, those
 * may go on who may restore it; if it is deleted, the owner of its tree alone. Throws `not_found`, and as `confirmActor`.
 */
export async function confirmReading(db: Database, actor: Caller, file: ItemRow): Promise<void> {
  await confirmActor(db, actor, ['files:read'])
  const row = await findRow(db, file.id)
  if (row === undefined) {
    if (isOwn(actor, file)) return
    throw notFound('File')
  }
  const standing = await findOwnStanding(db, actor, row)
  if (standing !== null && isShown(actor, standing, row)) return
  if (!mayOpen(actor, { ...row, standing })) throw notFound('File')
  // They read it as a reviewer, so check that they still are one.
  await confirmActor(db, actor, ['validation:review'])
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

/** A folder, or the root of a space if `folder` is null. */
export interface Place {
  spaceId: number
  folder: ItemRow | null
  /** The folder's id, which its items have as their parent. */
  folderId: number | null
  standing: Standing
}

/**
 * A live folder on which the actor may do `need`; null is the root of the actor's tree. Throws `not_found` and
 * `forbidden`.
 */
export async function findFolder(db: Database, actor: Caller, id: number | null, need: Need): Promise<Place> {
  const folderId = id ?? actor.root.folderId
  if (folderId === null) return { spaceId: actor.root.spaceId, folder: null, folderId, standing: ownStanding }
  const folder = await findListed(db, actor, await findRow(db, folderId))
  if (folder === undefined || !isLive(folder) || folder.is_directory === 0) throw notFound('Folder')
  requireNeed(actor, folder, need)
  return { spaceId: folder.space_id, folder, folderId, standing: folder.standing }
}

/** As findFolder, with all folders from the root of the space to this one, inclusive; the actor may not see them all. */
export async function findFolderWithAncestors(
  db: Database,
  actor: Caller,
  id: number | null,
  need: Need,
): Promise<Place & { ancestors: FolderAbove[] }> {
  const place = await findFolder(db, actor, id, need)
  return { ...place, ancestors: place.folderId === null ? [] : await findFoldersAbove(db, place.folderId) }
}

/** The live item of a space at a path such as `/Docs/a.pdf` from a folder (null: the root), if it is not that folder. */
export async function findAtPath(
  db: Database,
  spaceId: number,
  folderId: number | null,
  path: string,
): Promise<DetailsRow | undefined> {
  let item: DetailsRow | undefined
  for (const name of path.normalize('NFC').split('/').filter(Boolean)) {
    const isFile = item !== undefined && item.is_directory === 0
    item = isFile ? undefined : await findByName(db, spaceId, item?.id ?? folderId, name)
    if (item === undefined) break
  }
  return item
}

/** The item that a path leads to from a folder (null: the root of the actor's tree). Throws `not_found`. */
export async function findByPath(
  db: Database,
  actor: Caller,
  path: string,
  folderId: number | null,
): Promise<Found<DetailsRow>> {
  const place = await findFolder(db, actor, folderId, 'see')
  const item = await findListed(db, actor, await findAtPath(db, place.spaceId, place.folderId, path))
  if (item === undefined) throw notFound('File')
  return item
}
