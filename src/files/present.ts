/** Builds the API form of files and folders: only fields listed here leave the server. */
import type { Principal } from '../access/actor.ts'
import { isShown, mayDo } from '../access/policy.ts'
import { byReview, rootOf, type Standing } from '../access/standing.ts'
import type { FileDetails, FileItem, ItemTag, Place, PlaceAbilities } from '../api/items.ts'
import { maxPageBytes } from '../api/limits.ts'
import { hasThumbnail } from '../api/preview-kinds.ts'
import { notFound } from '../base/errors.ts'
import { isoTime, maybeIsoTime } from '../base/iso-time.ts'
import type { Database } from '../db/database.ts'
import { valuesAtOnce } from '../db/values.ts'
import { findItemMetadata } from '../metadata/find.ts'
import { findItemTags, openItemTags } from '../tags/find.ts'
import { type Found, findAny } from './find.ts'
import type { DetailsRow, ItemRow } from './item-row.ts'
import { addPaths, type FolderPaths, type FolderSeen, isKnown, pathOf } from './paths.ts'
import { findSurroundings, type Listed, type Seen, type Surroundings } from './surroundings.ts'

export const presentAbilities = ({ here, above }: Standing): PlaceAbilities => ({
  see: here.see,
  add: here.add,
  change: here.change,
  organise: above.change,
  trash: above.change,
  share: here.manage,
})

/** Of a file of which the viewer has only the entry, and of what a reviewer sees by that right alone. */
const closed: PlaceAbilities = { see: false, add: false, change: false, organise: false, trash: false, share: false }

/** Whether the viewer sees more of an item than its entry. */
const isWhole = (viewer: Principal, row: Seen): boolean =>
  row.standing !== byReview && isShown(viewer, row.standing, row)

function abilitiesOn(viewer: Principal, row: Seen): PlaceAbilities {
  const { standing } = row
  if (standing === byReview) return closed
  const abilities = isShown(viewer, standing, row) ? presentAbilities(standing) : closed
  return { ...abilities, trash: mayDo(viewer, standing, row, 'trash') }
}

/** An item as its viewer sees it. `folderPath` is the path of its folder, empty for the root. */
export function presentItem(
  row: Seen,
  folderPath: string,
  { viewer, places, owners, favorites, shared }: Surroundings,
  tags: readonly ItemTag[] = [],
): FileItem {
  const rootId = rootOf(row.standing)
  const path = row.id === rootId ? '/' : `${folderPath}/${row.name}`
  const createdAt = isoTime(row.created_at)
  const isOwn = row.standing !== byReview && rootId === null
  const isOpen = isOpenTo(viewer, row)
  return {
    id: row.id,
    name: row.name,
    path,
    logical_path: path,
    size: row.size,
    mime_type: row.mime_type,
    parent_id: row.id === rootId ? null : row.parent_id,
    owner_id: row.owner_id,
    owner_name: owners.get(row.owner_id) ?? '',
    place: rootId === null ? null : (places.get(rootId) ?? null),
    may: isOwn && isOpen ? null : abilitiesOn(viewer, row),
    is_shared: shared.has(row.id),
    is_directory: row.is_directory === 1,
    is_favorite: isOwn ? row.is_favorite === 1 : favorites.has(row.id),
    created_at: createdAt,
    updated_at: row.updated_at === row.created_at ? createdAt : isoTime(row.updated_at),
    modified_at: maybeIsoTime(row.modified_at),
    deleted_at: maybeIsoTime(row.deleted_at),
    thumbnail_path: isOpen && hasThumbnail(row.mime_type) ? `/api/files/${row.id}/thumbnail` : null,
    tags: [...tags],
    validation_status: row.validation_status,
    validation_comment: row.validation_comment,
  }
}

/** The folder whose path an item shows; the root of a place shows none. */
function folderOf({ id, parent_id, standing }: Seen): FolderSeen {
  const rootId = rootOf(standing)
  return { folderId: id === rootId ? rootId : parent_id, rootId }
}

/** Whether the viewer still sees the item. */
const isSeen = (row: Listed): row is Seen => row.standing !== null

/** Items whose paths are read first; each further slice has twice as many. */
const firstSlice = 64

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** Caches the results of `compute` by key. */
function remember<Key>(compute: (key: Key) => number): (key: Key) => number {
  const known = new Map<Key, number>()
  return key => {
    const value = known.get(key) ?? compute(key)
    known.set(key, value)
    return value
  }
}

/** Bytes of an item in an answer besides its texts. */
const bytesBeside = 550

/**
 * Returns a function that tells for each next item whether it still fits in the answer. Tags count twice because many
 * small objects take longer to write than a few long texts.
 */
function openPageBudget(): (folderPath: string, item: FileItem) => boolean {
  const pathBytes = remember((path: string) => jsonBytes(path))
  const entryBytes = remember((entry: ItemTag | Place | string) => jsonBytes(entry))
  let left = maxPageBytes
  return (folderPath, { name, tags, place, owner_name, validation_comment }) => {
    // The name is in the path too, and the path is there twice.
    left -= bytesBeside + 2 * pathBytes(folderPath) + 3 * jsonBytes(name) + entryBytes(owner_name)
    if (place !== null) left -= entryBytes(place)
    if (validation_comment !== null) left -= jsonBytes(validation_comment)
    for (const tag of tags) left -= 2 * entryBytes(tag)
    return left >= 0
  }
}

/** What an answer shows of some rows. */
interface PresentedItems {
  items: FileItem[]
  /** How many of the rows were looked at; fewer than all if the answer is full. */
  read: number
}

export type PresentItems = (rows: readonly Listed[]) => Promise<PresentedItems>

/**
 * Opens an answer. The returned function presents rows of any folders, with their paths and the viewer's tags, and may
 * be called again with the rows that follow. It leaves out what the viewer does not see any more: rows without standing,
 * and items that were moved out of their place after their standing was read. Once the items do not fit in one answer,
 * it stops, but presents at least one in all; little of the rest is read. `paths` holds already known paths.
 */
export function openItems(db: Database, viewer: Principal, paths: FolderPaths = new Map()): PresentItems {
  const fits = openPageBudget()
  const findTags = openItemTags(db, viewer.userId)
  let isFirst = true
  // Slices begin small where paths have to be read: those of 64 items with the longest paths nearly fill an answer.
  let size = firstSlice

  async function presentSlice(slice: readonly Listed[]): Promise<PresentedItems> {
    const seen = slice.filter(isSeen)
    const [tags, around] = await Promise.all([
      findTags(seen.map(row => row.id)),
      findSurroundings(db, viewer, seen),
      addPaths(db, paths, seen.map(folderOf)),
    ])
    const items: FileItem[] = []
    for (const [read, row] of slice.entries()) {
      const folderPath = isSeen(row) ? pathOf(paths, folderOf(row)) : null
      if (!isSeen(row) || folderPath === null) continue
      const item = presentItem(row, folderPath, around, tags.get(row.id))
      if (!fits(folderPath, item) && !isFirst) return { items, read }
      isFirst = false
      items.push(item)
    }
    return { items, read: slice.length }
  }

  return async rows => {
    if (rows.filter(isSeen).every(row => isKnown(paths, folderOf(row)))) size = valuesAtOnce
    const items: FileItem[] = []
    let read = 0
    while (read < rows.length) {
      const slice = rows.slice(read, read + size)
      size = Math.min(2 * size, valuesAtOnce)
      const shown = await presentSlice(slice)
      items.push(...shown.items)
      read += shown.read
      if (shown.read < slice.length) break
    }
    return { items, read }
  }
}

/** Presents rows as one answer; those that do not fit, or are not seen any more, are left out. */
export const presentItems = (db: Database, viewer: Principal, rows: readonly Listed[]): Promise<PresentedItems> =>
  openItems(db, viewer)(rows)

/** The path of the folder of a single item. Throws `not_found` if the item is not in its place any more. */
function requirePath(paths: FolderPaths, row: Seen): string {
  const path = pathOf(paths, folderOf(row))
  if (path === null) throw notFound('File')
  return path
}

/** Newly inserted files without tags and metadata, as presentDetails would show them. */
export async function presentNewFiles(
  db: Database,
  viewer: Principal,
  rows: readonly Found<ItemRow>[],
  sha256s: readonly string[],
): Promise<FileDetails[]> {
  const paths: FolderPaths = new Map()
  await addPaths(db, paths, rows.map(folderOf))
  const around = await findSurroundings(db, viewer, rows)
  return rows.map((row, index) => ({
    ...presentItem(row, requirePath(paths, row), around),
    may: abilitiesOn(viewer, row),
    sha256: sha256s[index] ?? null,
    metadata: [],
  }))
}

/** Whether the viewer may read an item's content. */
export const isOpenTo = (viewer: Principal, row: Seen): boolean => row.standing === byReview || isWhole(viewer, row)

/**
 * A single item as `viewer` sees it, with the fields that lists leave out. Throws `not_found` if it has been moved out of
 * its place since its standing was read.
 */
export async function presentDetails(db: Database, viewer: Principal, row: Seen<DetailsRow>): Promise<FileDetails> {
  const tags = await findItemTags(db, viewer.userId, [row.id])
  const metadata = await findItemMetadata(db, row.id)
  const around = await findSurroundings(db, viewer, [row])
  // Last, so that what else is shown was read while the item was in its place.
  const paths: FolderPaths = new Map()
  await addPaths(db, paths, [folderOf(row)])
  const item = presentItem(row, requirePath(paths, row), around, tags.get(row.id))
  return { ...item, may: abilitiesOn(viewer, row), sha256: isOpenTo(viewer, row) ? row.sha256 : null, metadata }
}

/**
 * An item as the answer to the call that made or changed it; it may be trashed. Throws `not_found` if it has been
 * deleted since, or has left the actor's reach.
 */
export const presentChanged = async (db: Database, actor: Principal, id: number): Promise<FileDetails> =>
  presentDetails(db, actor, await findAny(db, actor, id, 'know'))
