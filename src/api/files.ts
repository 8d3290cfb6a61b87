/** Calls for files and folders: listing, uploading, organising, copying. Their bytes are in content.ts. */
import * as z from 'zod/mini'
import { about } from './about.ts'
import { endpoint } from './endpoint.ts'
import { eventList } from './events.ts'
import {
  atMostUnits,
  composable,
  cursor,
  id,
  itemIds,
  itemName,
  limit,
  onlyId,
  parentId,
  textId,
  textParentId,
} from './fields.ts'
import { folderListing, itemAnswer, itemList } from './items.ts'
import { maxMeasuredItems } from './limits.ts'
import { metadataValues, uploadedMetadata } from './metadata-values.ts'

export const sortKeys = ['name', 'date', 'size', 'type'] as const
export type SortKey = (typeof sortKeys)[number]
export const sortOrders = ['asc', 'desc'] as const
export type SortOrder = (typeof sortOrders)[number]

export const listFiles = endpoint(
  'GET',
  '/files',
  z.strictObject({
    parent_id: textParentId,
    sort: z._default(z.enum(sortKeys), 'name'),
    order: z._default(z.enum(sortOrders), 'asc'),
    only: z.optional(z.enum(['folders', 'files'])),
    with: z.optional(z.enum(['sha256'])),
    limit,
    cursor,
  }),
).returns(
  folderListing,
  about('List a folder', { remark: 'Folders come first. Without `limit` nearly every folder comes as one page.' }),
)

export const getFile = endpoint('GET', '/files/:id', onlyId).returns(
  itemAnswer,
  about('Get one file or folder', { remark: "A reviewer may also get another user's pending or rejected file." }),
)

const folderSize = z.object({
  files: z.int(),
  folders: z.int(),
  bytes: z.int(),
  /** Whether all was counted. */
  is_exact: z.boolean(),
})
export type FolderSize = z.output<typeof folderSize>

/** What a folder holds on all levels, as far as the caller sees it. */
export const getFolderSize = endpoint('GET', '/files/:id/size', onlyId).returns(
  folderSize,
  about('Count the files, folders and bytes in a folder, on all levels', {
    remark: `Counts up to ${maxMeasuredItems} items, and then says that it is not exact.`,
  }),
)

const path = z
  .string()
  .check(
    atMostUnits(32_768, 'The path is longer than 32768 characters'),
    composable,
    z.minLength(1, 'Expected a path such as /Docs/a.pdf'),
  )

/** With `in` the path begins in that folder, wherever it is. */
export const getFileByPath = endpoint('GET', '/files/by-path', z.strictObject({ path, in: textParentId })).returns(
  itemAnswer,
  about('Get the file or folder at a path', { errors: ['not_found'] }),
)

/** The same for a path that is too long for a URL: a hundred folders with the longest names take 77 KB there. */
export const findFileByPath = endpoint('POST', '/files/by-path', z.strictObject({ path, in: parentId })).returns(
  itemAnswer,
  about('Get the file or folder at a path that is too long for a URL', { errors: ['not_found'] }),
)

export const conflictRules = ['rename', 'fail', 'replace'] as const
/** What to do if the name is taken: pick a free one (the default), fail, or replace the file's content. */
export type ConflictRule = (typeof conflictRules)[number]

const firstTime = Date.parse('0001-01-01T00:00:00Z')
const lastTime = Date.parse('9999-12-31T23:59:59.999Z')

/** A file's own time. The year, in UTC, must fit the four digits of Last-Modified (RFC 9110 section 5.6.7). */
export const fileTime = z.iso
  .datetime({ offset: true, error: 'Expected an ISO 8601 time', abort: true })
  .check(
    z.refine(
      text => Date.parse(text) >= firstTime && Date.parse(text) <= lastTime,
      'Expected a time in the years 0001 to 9999',
    ),
  )

const folderName = z.pipe(z.string().check(z.refine(name => name.trim() !== '', 'Folder name is required')), itemName)

/** Multipart: these text fields and exactly one file part. Fields before the file are checked before its bytes. */
export const uploadFile = endpoint(
  'POST',
  '/files/upload',
  z.strictObject({
    parent_id: textParentId,
    name: z.optional(itemName),
    metadata: z.optional(uploadedMetadata),
    on_conflict: z.optional(z.enum(conflictRules)),
    modified_at: z.optional(fileTime),
  }),
  'multipart',
).returns(
  itemAnswer,
  about('Upload a file', {
    remark: 'One file, as multipart/form-data. Quota and size are checked while it arrives.',
    errors: ['file_too_large', 'quota_exceeded', 'unsupported_media', 'name_taken'],
    statuses: [201],
  }),
)

/**
 * Multipart: these fields and exactly one file part. The file keeps its id and everything attached to it, except its
 * approval.
 */
export const replaceContent = endpoint(
  'PUT',
  '/files/:id/content',
  z.strictObject({ id: textId, metadata: z.optional(uploadedMetadata), modified_at: z.optional(fileTime) }),
  'multipart',
).returns(
  itemAnswer,
  about("Replace a file's content", {
    remark:
      'Needs `If-Match` with the ETag of the content that it replaces, or `*`; else it is 412 and nothing is stored.',
    errors: ['file_too_large', 'quota_exceeded', 'unsupported_media', 'precondition_failed'],
  }),
)

export const createFolder = endpoint(
  'POST',
  '/files/folders',
  z.strictObject({ name: folderName, parent_id: parentId, exist_ok: z.optional(z.boolean()) }),
).returns(
  itemAnswer,
  about('Make a folder', {
    remark: 'With `exist_ok` an existing folder of that name is returned with 200.',
    errors: ['name_taken', 'quota_exceeded'],
    statuses: [200, 201],
  }),
)

export const renameFile = endpoint('PUT', '/files/:id/rename', z.strictObject({ id: textId, name: itemName })).returns(
  itemAnswer,
  about('Rename a file or folder', { errors: ['name_taken'] }),
)

export const setModifiedAt = endpoint(
  'PUT',
  '/files/:id/modified-at',
  z.strictObject({ id: textId, modified_at: fileTime }),
).returns(
  itemAnswer,
  about("Set a file's own time", { remark: 'Programs that synchronise need it; folders have none.' }),
)

/** Moves an item. With `name` it is also renamed in the same step; with `name` alone it stays in its folder. */
export const moveFile = endpoint(
  'PUT',
  '/files/:id/move',
  z.strictObject({ id: textId, parent_id: parentId, name: z.optional(itemName) }),
).returns(
  itemAnswer,
  about('Move a file or folder into another folder; `name` renames it in the same step', {
    remark:
      'To another space it is a copy, after which the original goes to the trash; 409 `in_use` if something in a folder changes meanwhile.',
    errors: ['name_taken', 'would_cycle', 'in_use', 'quota_exceeded'],
  }),
)

/** Copies an item; a folder with everything below it. The copy keeps metadata and tags, but not the favourite mark. */
export const copyFile = endpoint(
  'POST',
  '/files/:id/copy',
  z.strictObject({ id: textId, parent_id: parentId, name: z.optional(itemName) }),
).returns(
  itemAnswer,
  about('Copy a file, or a folder with everything in it', {
    errors: ['quota_exceeded', 'would_cycle'],
    statuses: [201],
  }),
)

export const favoriteFile = endpoint(
  'PUT',
  '/files/:id/favorite',
  z.strictObject({ id: textId, is_favorite: z.boolean() }),
).returns(itemAnswer, about('Mark an item as a favorite, or unmark it'))

/** Lists favourites, including folders. */
export const listFavorites = endpoint('GET', '/files/favorites', z.strictObject({ limit, cursor })).returns(
  itemList,
  about('List the favorites, folders among them'),
)

/** Sets the given values; an empty value removes the field's value. */
export const setFileMetadata = endpoint(
  'PUT',
  '/files/:id/metadata',
  z.strictObject({ id: textId, metadata: metadataValues }),
).returns(itemAnswer, about("Set or remove a file's metadata values"))

/** The events of an item, newest first. */
export const listFileEvents = endpoint(
  'GET',
  '/files/:id/events',
  z.strictObject({ id: textId, limit, cursor }),
).returns(eventList, about('List the events of an item, the newest first'))

const batchResult = z.union([
  z.object({ id: z.int(), ok: z.literal(true) }),
  z.object({ id: z.int(), ok: z.literal(false), error: z.string(), message: z.string() }),
])
export type BatchResult = z.output<typeof batchResult>

/** Applies an action to each id; one may fail without the others. `results` has the order of `ids`. */
export const batchFiles = endpoint(
  'POST',
  '/files/batch',
  z.discriminatedUnion('action', [
    z.strictObject({ action: z.enum(['trash', 'restore', 'delete']), ids: itemIds }),
    z.strictObject({ action: z.literal('move'), ids: itemIds, parent_id: parentId }),
    z.strictObject({ action: z.literal('favorite'), ids: itemIds, is_favorite: z.boolean() }),
    z.strictObject({ action: z.enum(['tag', 'untag']), ids: itemIds, tag_id: id }),
  ]),
).returns(
  z.object({ results: z.array(batchResult) }),
  about('Apply one action to several items; each succeeds or fails by itself', {
    remark: 'Each action needs what its single call needs.',
  }),
)
