/** Every field of a file or folder that may leave the server. */
import type { Actor } from '../access/actor.ts'
import type { FileDetails, FileItem, ItemTag } from '../api/items.ts'
import type { Database } from '../db/database.ts'
import { isoTime, maybeIsoTime } from '../iso-time.ts'
import { findItemMetadata } from '../metadata/find.ts'
import { findItemTags } from '../tags/find.ts'
import type { DetailsRow, ItemRow } from './find.ts'
import { type FolderPaths, findPaths } from './paths.ts'

/** `folderPath` is the path of the folder it stands in, empty for the root. */
export function presentItem(row: ItemRow, folderPath: string, tags: readonly ItemTag[] = []): FileItem {
  const path = `${folderPath}/${row.name}`
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
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    modified_at: maybeIsoTime(row.modified_at),
    deleted_at: maybeIsoTime(row.deleted_at),
    thumbnail_path: row.mime_type?.startsWith('image/') ? `/api/files/${row.id}/thumbnail` : null,
    tags: [...tags],
    validation_status: row.validation_status,
    validation_comment: row.validation_comment,
  }
}

const pathOf = (paths: FolderPaths, row: ItemRow): string => paths.get(row.parent_id) ?? ''

const idsOf = (rows: readonly ItemRow[]): number[] => rows.map(row => row.id)

/** Items of one folder, whose path is known. */
export async function presentFolder(db: Database, rows: readonly ItemRow[], folderPath: string): Promise<FileItem[]> {
  const tags = await findItemTags(db, idsOf(rows))
  return rows.map(row => presentItem(row, folderPath, tags.get(row.id)))
}

/** Items of any folders, with their paths. */
export async function presentItems(db: Database, rows: readonly ItemRow[]): Promise<FileItem[]> {
  const paths = await findPaths(
    db,
    rows.map(row => row.parent_id),
  )
  const tags = await findItemTags(db, idsOf(rows))
  return rows.map(row => presentItem(row, pathOf(paths, row), tags.get(row.id)))
}

/** A single item, with what lists leave out. */
export async function presentDetails(db: Database, row: DetailsRow): Promise<FileDetails> {
  const paths = await findPaths(db, [row.parent_id])
  const tags = await findItemTags(db, [row.id])
  const metadata = await findItemMetadata(db, row.id)
  return { ...presentItem(row, pathOf(paths, row), tags.get(row.id)), sha256: row.sha256, metadata }
}

/**
 * An item as the one who asks may see it. Tags and favourite of another's file are its owner's own affair; its path and
 * metadata are what a reviewer decides by.
 */
export const hideMarks = <Item extends FileItem>(actor: Actor, row: ItemRow, item: Item): Item =>
  row.space_id === actor.spaceId ? item : { ...item, tags: [], is_favorite: false }
