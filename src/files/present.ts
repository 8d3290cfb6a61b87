/** Every field of a file or folder that may leave the server. */
import type { Administrator } from '../access/actor.ts'
import type { FileDetails, FileItem, ItemTag } from '../api/items.ts'
import { hasThumbnail, maxPathBytes } from '../api/limits.ts'
import type { Database } from '../db/database.ts'
import { valuesAtOnce } from '../db/values.ts'
import { notFound } from '../errors.ts'
import { isoTime, maybeIsoTime } from '../iso-time.ts'
import { findItemMetadata } from '../metadata/find.ts'
import { findItemTags } from '../tags/find.ts'
import { type DetailsRow, findAny, type ItemRow } from './find.ts'
import { addPaths, type FolderPaths } from './paths.ts'

/** `folderPath` is the path of the folder it stands in, empty for the root. */
export function presentItem(row: ItemRow, folderPath: string, tags: readonly ItemTag[] = []): FileItem {
  const path = `${folderPath}/${row.name}`
  const createdAt = isoTime(row.created_at)
  return {
    id: row.id,
    name: row.name,
    path,
    logical_path: path,
    size: row.size,
    mime_type: row.mime_type,
    parent_id: row.parent_id,
    owner_id: row.owner_id,
    is_directory: row.is_directory === 1,
    is_favorite: row.is_favorite === 1,
    created_at: createdAt,
    updated_at: row.updated_at === row.created_at ? createdAt : isoTime(row.updated_at),
    modified_at: maybeIsoTime(row.modified_at),
    deleted_at: maybeIsoTime(row.deleted_at),
    thumbnail_path: hasThumbnail(row.mime_type) ? `/api/files/${row.id}/thumbnail` : null,
    tags: [...tags],
    validation_status: row.validation_status,
    validation_comment: row.validation_comment,
  }
}

const pathOf = (paths: FolderPaths, row: ItemRow): string => paths.get(row.parent_id) ?? ''

export const rootPath = (): FolderPaths => new Map([[null, '']])

const jsonBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text))

/** Says of one row after the other whether an answer has room for its path too, which an item holds twice. */
function openRoom(paths: FolderPaths): (row: ItemRow) => boolean {
  const folderBytes = new Map<number | null, number>()
  let left = maxPathBytes
  return row => {
    const bytes = folderBytes.get(row.parent_id) ?? jsonBytes(pathOf(paths, row))
    folderBytes.set(row.parent_id, bytes)
    left -= 2 * (bytes + jsonBytes(row.name))
    return left >= 0
  }
}

/** The first of some rows, as many as an answer has room for. Of the paths beyond, not many are even read. */
async function findShown(db: Database, rows: readonly ItemRow[], paths: FolderPaths): Promise<ItemRow[]> {
  const hasRoom = openRoom(paths)
  for (let start = 0; start < rows.length; start += valuesAtOnce) {
    const slice = rows.slice(start, start + valuesAtOnce)
    await addPaths(
      db,
      paths,
      slice.map(row => row.parent_id),
    )
    const end = slice.findIndex(row => !hasRoom(row))
    if (end >= 0) return rows.slice(0, start + end)
  }
  return [...rows]
}

/**
 * Items of any folders, with their paths: all of the rows, or the first of them where the paths are so long that one
 * answer has no room for more; never none. `paths` are those that are known already.
 */
export async function presentItems(
  db: Database,
  rows: readonly ItemRow[],
  paths: FolderPaths = rootPath(),
): Promise<FileItem[]> {
  const ids = rows.map(row => row.id)
  const [shown, tags] = await Promise.all([findShown(db, rows, paths), findItemTags(db, ids)])
  return shown.map(row => presentItem(row, pathOf(paths, row), tags.get(row.id)))
}

/** A file that has just been made by its row, without tags and metadata, as presentDetails would show it. */
export const presentNewFile = (row: ItemRow, sha256: string, paths: FolderPaths): FileDetails => ({
  ...presentItem(row, pathOf(paths, row)),
  sha256,
  metadata: [],
})

/** A single item, with what lists leave out. */
export async function presentDetails(db: Database, row: DetailsRow): Promise<FileDetails> {
  const paths = rootPath()
  await addPaths(db, paths, [row.parent_id])
  const tags = await findItemTags(db, [row.id])
  const metadata = await findItemMetadata(db, row.id)
  return { ...presentItem(row, pathOf(paths, row), tags.get(row.id)), sha256: row.sha256, metadata }
}

/**
 * An item of a space as the answer to what made or changed it, which may have sent it to the trash. Throws `not_found`
 * where another has deleted it since.
 */
export async function presentChanged(db: Database, spaceId: number, id: number): Promise<FileDetails> {
  const row = await findAny(db, spaceId, id)
  if (row === undefined) throw notFound('File')
  return presentDetails(db, row)
}

/**
 * An item as the one who asks may see it. Tags and favourite of another's file are its owner's own affair; its path and
 * metadata are what a reviewer decides by.
 */
export const hideMarks = <Item extends FileItem>(actor: Administrator, row: ItemRow, item: Item): Item =>
  row.space_id === actor.spaceId ? item : { ...item, tags: [], is_favorite: false }
