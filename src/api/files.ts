/** Files and folders: listing, uploading, reading, renaming, moving, the trash. */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { cursor, itemName, limit, nothing, onlyId, parentId, textId, textParentId } from './fields.ts'
import type { FileKind } from './kinds.ts'

export type ValidationStatus = 'pending' | 'rejected' | 'approved'

interface ItemTag {
  id: number
  name: string
  /** #RRGGBB */
  color: string
}

/** A file or folder. Times are ISO 8601 UTC; sizes are bytes, 0 for folders. */
export interface FileItem {
  id: number
  name: string
  /** What the user sees, from the root: `/Docs/a.pdf`. For a trashed item the place it was deleted from. */
  path: string
  logical_path: string
  size: number
  /** From the name's extension; null for folders. */
  mime_type: string | null
  parent_id: number | null
  owner_id: number
  is_directory: boolean
  is_favorite: boolean
  created_at: string
  /** When content, name or place last changed. */
  updated_at: string
  /** The file's own time, as the uploading client gave it. */
  modified_at: string | null
  deleted_at: string | null
  /** Where the thumbnail of an image is served, else null. */
  thumbnail_path: string | null
  tags: ItemTag[]
  validation_status: ValidationStatus
  validation_comment: string | null
}

/** A single item, with what lists leave out. */
export interface FileDetails extends FileItem {
  /** Hex; null for folders. */
  sha256: string | null
}

export interface Breadcrumb {
  id: number
  name: string
  path: string
}

export interface FolderListing {
  files: FileItem[]
  folders: FileItem[]
  /** All entries of the folder, whatever the page. */
  total: number
  total_folders: number
  path: string
  /** From the first folder below the root to the folder itself; empty at the root. */
  breadcrumbs: Breadcrumb[]
  /** Null at the root. */
  folder: FileItem | null
  next_cursor: string | null
}

export interface ItemList {
  files: FileItem[]
  total: number
  next_cursor: string | null
}

export interface FileStats {
  total_files: number
  total_folders: number
  by_kind: { kind: FileKind; files: number; bytes: number }[]
  recent_files: FileItem[]
}

export type ItemAnswer = { file: FileDetails }

export const sortKeys = ['name', 'date', 'size', 'type'] as const
export type SortKey = (typeof sortKeys)[number]
export type SortOrder = 'asc' | 'desc'

export const listFiles = endpoint(
  'GET',
  '/files',
  z.strictObject({
    parent_id: textParentId,
    sort: z._default(z.enum(sortKeys), 'name'),
    order: z._default(z.enum(['asc', 'desc']), 'asc'),
    only: z.optional(z.enum(['folders', 'files'])),
    limit,
    cursor,
  }),
).returns<FolderListing>()

export const getFile = endpoint('GET', '/files/:id', onlyId).returns<ItemAnswer>()

export const getFileByPath = endpoint(
  'GET',
  '/files/by-path',
  z.strictObject({
    path: z.string().check(z.minLength(1, 'Expected a path such as /Docs/a.pdf'), z.maxLength(32_768)),
  }),
).returns<ItemAnswer>()

export const conflictRules = ['rename', 'fail', 'replace'] as const
/** What happens when the name is taken: pick a free one (the default), refuse, or give the file the new content. */
export type ConflictRule = (typeof conflictRules)[number]

/** Multipart: these text fields, and exactly one file part. Fields before the file are checked before its bytes. */
export const uploadFile = endpoint(
  'POST',
  '/files/upload',
  z.strictObject({
    parent_id: textParentId,
    name: z.optional(itemName),
    on_conflict: z.optional(z.enum(conflictRules)),
    modified_at: z.optional(z.iso.datetime({ offset: true, error: 'Expected an ISO 8601 time' })),
  }),
  'multipart',
).returns<ItemAnswer>()

export const createFolder = endpoint(
  'POST',
  '/files/folders',
  z.strictObject({ name: itemName, parent_id: parentId, exist_ok: z.optional(z.boolean()) }),
).returns<ItemAnswer>()

export const renameFile = endpoint(
  'PUT',
  '/files/:id/rename',
  z.strictObject({ id: textId, name: itemName }),
).returns<ItemAnswer>()

export const moveFile = endpoint(
  'PUT',
  '/files/:id/move',
  z.strictObject({ id: textId, parent_id: parentId }),
).returns<ItemAnswer>()

export const downloadFile = endpoint('GET', '/files/:id/download', onlyId).returns<Uint8Array>()
export const previewFile = endpoint('GET', '/files/:id/preview', onlyId).returns<Uint8Array>()

export const trashFile = endpoint('PUT', '/files/:id/trash', onlyId).returns<ItemAnswer>()
export const restoreFile = endpoint('PUT', '/files/:id/restore', onlyId).returns<ItemAnswer>()
export const listTrash = endpoint('GET', '/files/trash', z.strictObject({ limit, cursor })).returns<ItemList>()

export const getFileStats = endpoint('GET', '/files/stats', nothing).returns<FileStats>()
