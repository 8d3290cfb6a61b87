/** The rows of files and folders: their types, and the columns and queries that read them. */
import type { Columns } from '../db/json-rows.ts'
import type { FileRow } from '../db/models/files.ts'

/** The columns that present an item; sort_key and space_id are included for paging and locking. */
export type ItemRow = Omit<FileRow, 'name_folded' | 'validated_by' | 'validated_at'>

/** The columns of `files f` in an ItemRow. */
export const itemShape: Columns<ItemRow> = {
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
  received_by: 'f.received_by',
  content_by: 'f.content_by',
  is_favorite: 'f.is_favorite',
  validation_status: 'f.validation_status',
  validation_comment: 'f.validation_comment',
  modified_at: 'f.modified_at',
  deleted_at: 'f.deleted_at',
  trash_root_id: 'f.trash_root_id',
  created_at: 'f.created_at',
  updated_at: 'f.updated_at',
}

export const itemColumns = Object.values(itemShape).join(', ')

/** An item with its content's row. One query reads both; between two queries the content could be replaced. */
export interface DetailsRow extends ItemRow {
  /** Null for folders, like the other three. */
  blob_key: string | null
  blob_place: 'inline' | 'store' | null
  blob_size: number | null
  sha256: string | null
}

/** The columns that identify and locate a file's bytes. */
export type ContentRow = Pick<
  DetailsRow,
  'id' | 'size' | 'blob_id' | 'blob_key' | 'blob_place' | 'blob_size' | 'sha256'
>

/** Inline bytes as a driver returns them: SQLite gives text where the type is damaged. */
export type StoredBytes = Buffer | string

/** A file to be sent. `bytes` is small inline content; null if the content is in the store or lost. */
export type SendableRow = DetailsRow & { bytes: StoredBytes | null }

/** The columns of a DetailsRow, for queries that read more beside them. */
export const detailsColumns = `${itemColumns}, b.\`key\` AS blob_key, b.place AS blob_place, b.size AS blob_size, b.sha256`

/** The query without its WHERE clause. */
export const detailsQuery = `SELECT ${detailsColumns} FROM files f LEFT JOIN blobs b ON b.id = f.blob_id`
