/** files: files and folders. The generated column live_parent is left out, because it cannot be written. */
import type { ValidationStatus } from '../../api/items.ts'
import type { Flag } from './columns.ts'
import { model } from './model.ts'

export interface FileRow {
  id: number
  space_id: number
  /** The user who created it. */
  owner_id: number
  /** Null is the root. */
  parent_id: number | null
  name: string
  /** fold(name), for search. */
  name_folded: string
  /** sortKey(name), for order. */
  sort_key: string
  is_directory: Flag
  size: number
  mime_type: string | null
  blob_id: number | null
  /** Of a file in another's place: 0 for a hand-in into a drop box, -1 once its uploader is gone; else null. */
  received_by: number | null
  /** The user who put the present content there; null is the owner. The user may be gone. */
  content_by: number | null
  /** The mark of a personal space's owner; other users' marks are in `favorites`. */
  is_favorite: Flag
  validation_status: ValidationStatus
  validation_comment: string | null
  validated_by: number | null
  validated_at: number | null
  /** The file's own time, as the client gave it. */
  modified_at: number | null
  /** Null for live items, and for those that went to the trash with their folder. */
  deleted_at: number | null
  /** The trashed item that this one went to the trash with; its own id for that item itself. Null while it is live. */
  trash_root_id: number | null
  created_at: number
  /** The last change of content, name or place; nothing else changes it. */
  updated_at: number
}

type Validation = 'validation_status' | 'validation_comment' | 'validated_by' | 'validated_at'
type Optional = 'blob_id' | 'received_by' | 'content_by' | 'is_favorite' | 'deleted_at' | 'trash_root_id' | Validation
export type NewFile = Omit<FileRow, 'id' | Optional> & Partial<Pick<FileRow, Optional>>

export const files = model<FileRow, NewFile>('files', { is_favorite: 0, validation_status: 'approved' })
