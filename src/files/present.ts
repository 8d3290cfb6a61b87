/** Every field of a file or folder that may leave the server. */
import type { FileDetails, FileItem } from '../api/files.ts'
import type { Database } from '../db/database.ts'
import type { DetailsRow, ItemRow } from './find.ts'
import { type FolderPaths, findPaths } from './paths.ts'

const isoTime = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())

/** `folderPath` is the path of the folder it stands in, empty for the root. */
export function presentItem(row: ItemRow, folderPath: string): FileItem {
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
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
    modified_at: isoTime(row.modified_at),
    deleted_at: isoTime(row.deleted_at),
    thumbnail_path: null,
    tags: [],
    validation_status: row.validation_status,
    validation_comment: row.validation_comment,
  }
}

const pathOf = (paths: FolderPaths, row: ItemRow): string => paths.get(row.parent_id) ?? ''

/** Items of any folders, with their paths. */
export async function presentItems(db: Database, rows: readonly ItemRow[]): Promise<FileItem[]> {
  const paths = await findPaths(
    db,
    rows.map(row => row.parent_id),
  )
  return rows.map(row => presentItem(row, pathOf(paths, row)))
}

/** A single item, with what lists leave out. */
export async function presentDetails(db: Database, row: DetailsRow): Promise<FileDetails> {
  const paths = await findPaths(db, [row.parent_id])
  return { ...presentItem(row, pathOf(paths, row)), sha256: row.sha256 }
}
