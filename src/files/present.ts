/** Builds the API form of files and folders: only fields listed here leave the server. */
import type { Principal } from '../access/actor.ts'
import { isShown, mayDo } from '../access/policy.ts'
import type { Standing } from '../access/standing.ts'
import type { FileDetails, FileItem, ItemTag, Place, PlaceAbilities } from '../api/items.ts'
import { maxPageBytes } from '../api/limits.ts'
import { hasThumbnail } from '../api/preview-kinds.ts'
import { isoTime, maybeIsoTime } from '../base/iso-time.ts'
import type { Database } from '../db/database.ts'
import { valuesAtOnce } from '../db/values.ts'
import { findItemMetadata } from '../metadata/find.ts'
import { findItemTags, openItemTags } from '../tags/find.ts'
import { type Found, findAny } from './find.ts'
import type { DetailsRow, ItemRow } from './item-row.ts'
import { addPaths, type FolderPaths } from './paths.ts'
import { findSurroundings, type Seen, type Surroundings } from './surroundings.ts'

/** The path of an item; `folderPath` is that of its folder, empty for a root. */
const pathIn = ({ id, name, standing }: Seen, folderPath: string): string =>
  id === standing?.rootId ? '/' : `${folderPath}/${name}`

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
const isWhole = (viewer: Principal, row: Seen): boolean => row.standing !== null && isShown(viewer, row.standing, row)

function abilitiesOn(viewer: Principal, row: Seen): PlaceAbilities {
  const { standing } = row
  if (standing === null) return closed
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
  const path = pathIn(row, folderPath)
  const createdAt = isoTime(row.created_at)
  const rootId = row.standing?.rootId ?? null
  const isOwn = row.standing !== null && rootId === null
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

const pathOf = (paths: FolderPaths, row: ItemRow): string => paths.get(row.parent_id) ?? ''

/** Adds the roots of the items' places, with which their paths begin. */
function addRoots(paths: FolderPaths, rows: readonly Seen[]): FolderPaths {
  for (const { standing } of rows) {
    const rootId = standing?.rootId ?? null
    if (!paths.has(rootId)) paths.set(rootId, '')
  }
  return paths
}

/** The folders whose paths the items show; the root of a place shows none. */
const foldersOf = (rows: readonly Seen[]): (number | null)[] =>
  rows.filter(({ id, standing }) => id !== standing?.rootId).map(({ parent_id }) => parent_id)

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
function openPageBudget(paths: FolderPaths): (row: ItemRow, item: FileItem) => boolean {
  const folderBytes = remember((id: number | null) => jsonBytes(paths.get(id) ?? ''))
  const entryBytes = remember((entry: ItemTag | Place | string) => jsonBytes(entry))
  let left = maxPageBytes
  return (row, { name, tags, place, owner_name, validation_comment }) => {
    // The name is in the path too, and the path is there twice.
    left -= bytesBeside + 2 * folderBytes(row.parent_id) + 3 * jsonBytes(name) + entryBytes(owner_name)
    if (place !== null) left -= entryBytes(place)
    if (validation_comment !== null) left -= jsonBytes(validation_comment)
    for (const tag of tags) left -= 2 * entryBytes(tag)
    return left >= 0
  }
}

export type PresentItems = (rows: readonly Seen[]) => Promise<FileItem[]>

/**
 * Opens an answer. The returned function presents rows of any folders, with their paths and the viewer's tags, and may
 * be called again with the rows that follow. Once the items do not fit in one answer, it returns only the first, but at
 * least one in all; little of the rest is read. `paths` holds already known paths.
 */
export function openItems(db: Database, viewer: Principal, paths: FolderPaths = new Map()): PresentItems {
  const fits = openPageBudget(paths)
  const findTags = openItemTags(db, viewer.userId)
  let isFirst = true
  // Slices begin small where paths have to be read: those of 64 items with the longest paths nearly fill an answer.
  let size = firstSlice

  async function presentSlice(slice: readonly Seen[]): Promise<FileItem[]> {
    const [tags, around] = await Promise.all([
      findTags(slice.map(row => row.id)),
      findSurroundings(db, viewer, slice),
      addPaths(db, paths, foldersOf(slice)),
    ])
    const items: FileItem[] = []
    for (const row of slice) {
      const item = presentItem(row, pathOf(paths, row), around, tags.get(row.id))
      if (!fits(row, item) && !isFirst) break
      isFirst = false
      items.push(item)
    }
    return items
  }

  return async rows => {
    // The paths of items begin at the roots of their places.
    addRoots(paths, rows)
    if (foldersOf(rows).every(id => paths.has(id))) size = valuesAtOnce
    const items: FileItem[] = []
    while (items.length < rows.length) {
      const slice = rows.slice(items.length, items.length + size)
      size = Math.min(2 * size, valuesAtOnce)
      const shown = await presentSlice(slice)
      items.push(...shown)
      if (shown.length < slice.length) break
    }
    return items
  }
}

/** Presents rows as one answer; those that do not fit are left out. */
export const presentItems = (db: Database, viewer: Principal, rows: readonly Seen[]): Promise<FileItem[]> =>
  openItems(db, viewer)(rows)

/** Newly inserted files without tags and metadata, as presentDetails would show them. */
export async function presentNewFiles(
  db: Database,
  viewer: Principal,
  rows: readonly Found<ItemRow>[],
  sha256s: readonly string[],
): Promise<FileDetails[]> {
  const paths = addRoots(new Map(), rows)
  await addPaths(db, paths, foldersOf(rows))
  const around = await findSurroundings(db, viewer, rows)
  return rows.map((row, index) => ({
    ...presentItem(row, pathOf(paths, row), around),
    may: abilitiesOn(viewer, row),
    sha256: sha256s[index] ?? null,
    metadata: [],
  }))
}

/** Whether the viewer may read an item's content. */
export const isOpenTo = (viewer: Principal, row: Seen): boolean => row.standing === null || isWhole(viewer, row)

/** A single item as `viewer` sees it, with the fields that lists leave out. */
export async function presentDetails(db: Database, viewer: Principal, row: Seen<DetailsRow>): Promise<FileDetails> {
  const paths = addRoots(new Map(), [row])
  await addPaths(db, paths, [row.parent_id])
  const tags = await findItemTags(db, viewer.userId, [row.id])
  const metadata = await findItemMetadata(db, row.id)
  const around = await findSurroundings(db, viewer, [row])
  const item = presentItem(row, pathOf(paths, row), around, tags.get(row.id))
  return { ...item, may: abilitiesOn(viewer, row), sha256: isOpenTo(viewer, row) ? row.sha256 : null, metadata }
}

/**
 * An item as the answer to the call that made or changed it; it may be trashed. Throws `not_found` if it has been
 * deleted since.
 */
export const presentChanged = async (db: Database, actor: Principal, id: number): Promise<FileDetails> =>
  presentDetails(db, actor, await findAny(db, actor, id, 'know'))
