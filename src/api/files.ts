/** Calls for files and folders: listing, uploading, reading, organising, copying, archives, the trash. */
import * as z from 'zod/mini'
import { bytes, endpoint } from './endpoint.ts'
import { eventList } from './events.ts'
import {
  atMostUnits,
  composable,
  cursor,
  id,
  itemName,
  limit,
  onlyId,
  parentId,
  textId,
  textParentId,
  wholeNumber,
} from './fields.ts'
import { folderListing, itemAnswer, itemList } from './items.ts'
import { maxBatchSize } from './limits.ts'
import { metadataValues, uploadedMetadata } from './metadata-values.ts'

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
).returns(folderListing)

export const getFile = endpoint('GET', '/files/:id', onlyId).returns(itemAnswer)

const atPath = z.strictObject({
  path: z
    .string()
    .check(
      atMostUnits(32_768, 'The path is longer than 32768 characters'),
      composable,
      z.minLength(1, 'Expected a path such as /Docs/a.pdf'),
    ),
})

export const getFileByPath = endpoint('GET', '/files/by-path', atPath).returns(itemAnswer)

/** The same for a path that is too long for a URL: a hundred folders with the longest names take 77 KB there. */
export const findFileByPath = endpoint('POST', '/files/by-path', atPath).returns(itemAnswer)

export const conflictRules = ['rename', 'fail', 'replace'] as const
/** What to do if the name is taken: pick a free one (the default), fail, or replace the file's content. */
export type ConflictRule = (typeof conflictRules)[number]

const firstTime = Date.parse('0001-01-01T00:00:00Z')
const lastTime = Date.parse('9999-12-31T23:59:59.999Z')

/** A file's own time. The year, in UTC, must fit the four digits of Last-Modified (RFC 9110 section 5.6.7). */
const fileTime = z.iso
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
).returns(itemAnswer)

export const createFolder = endpoint(
  'POST',
  '/files/folders',
  z.strictObject({ name: folderName, parent_id: parentId, exist_ok: z.optional(z.boolean()) }),
).returns(itemAnswer)

export const renameFile = endpoint('PUT', '/files/:id/rename', z.strictObject({ id: textId, name: itemName })).returns(
  itemAnswer,
)

/** Moves an item. With `name` it is also renamed in the same step; with `name` alone it stays in its folder. */
export const moveFile = endpoint(
  'PUT',
  '/files/:id/move',
  z.strictObject({ id: textId, parent_id: parentId, name: z.optional(itemName) }),
).returns(itemAnswer)

/** Copies an item; a folder with everything below it. The copy keeps metadata and tags, but not the favourite mark. */
export const copyFile = endpoint(
  'POST',
  '/files/:id/copy',
  z.strictObject({ id: textId, parent_id: parentId, name: z.optional(itemName) }),
).returns(itemAnswer)

export const favoriteFile = endpoint(
  'PUT',
  '/files/:id/favorite',
  z.strictObject({ id: textId, is_favorite: z.boolean() }),
).returns(itemAnswer)

/** Lists favourites, including folders. */
export const listFavorites = endpoint('GET', '/files/favorites', z.strictObject({ limit, cursor })).returns(itemList)

/** Sets the given values; an empty value removes the field's value. */
export const setFileMetadata = endpoint(
  'PUT',
  '/files/:id/metadata',
  z.strictObject({ id: textId, metadata: metadataValues }),
).returns(itemAnswer)

/** The events of an item, newest first. */
export const listFileEvents = endpoint(
  'GET',
  '/files/:id/events',
  z.strictObject({ id: textId, limit, cursor }),
).returns(eventList)

export const downloadFile = endpoint('GET', '/files/:id/download', onlyId).returns(bytes)
export const previewFile = endpoint('GET', '/files/:id/preview', onlyId).returns(bytes)
/** A WebP image; its longer side has at most 512 pixels. */
export const getThumbnail = endpoint('GET', '/files/:id/thumbnail', onlyId).returns(bytes)

/** A folder's content as a ZIP file. */
export const archiveFolder = endpoint('GET', '/files/:id/archive', onlyId).returns(bytes)

const ids = z
  .array(id)
  .check(z.minLength(1, 'Choose at least one item'), z.maxLength(maxBatchSize, `At most ${maxBatchSize} ids at a time`))

/** The ids of a form's `ids=1&ids=2`; a single id arrives as a plain value, not as a list. */
const formIds = z.pipe(
  z.pipe(
    z.union([z.array(textId), textId], 'Expected a list of ids'),
    z.transform(value => (Array.isArray(value) ? value : [value])),
  ),
  ids,
)

/** Several items as one ZIP file, each at its top level. Also takes an HTML form, so a browser can save the stream. */
export const archiveItems = endpoint(
  'POST',
  '/files/archive',
  z.strictObject({ ids }),
  'json',
  z.strictObject({ ids: formIds }),
).returns(bytes)

export const trashFile = endpoint('PUT', '/files/:id/trash', onlyId).returns(itemAnswer)
export const restoreFile = endpoint('PUT', '/files/:id/restore', onlyId).returns(itemAnswer)
/** Permanently deletes an item that the trash lists; answers once its last row is gone. */
export const deleteFile = endpoint('DELETE', '/files/:id/permanent', onlyId).returns(z.null())
export const listTrash = endpoint('GET', '/files/trash', z.strictObject({ limit, cursor })).returns(itemList)

/** `deleted` is the number of items listed in the trash that were deleted. */
export const emptyTrash = endpoint(
  'POST',
  '/files/trash/empty',
  z.strictObject({ older_than_days: z._default(wholeNumber, 0) }),
).returns(z.object({ deleted: z.int() }))

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
    z.strictObject({ action: z.enum(['trash', 'restore', 'delete']), ids }),
    z.strictObject({ action: z.literal('move'), ids, parent_id: parentId }),
    z.strictObject({ action: z.literal('favorite'), ids, is_favorite: z.boolean() }),
    z.strictObject({ action: z.enum(['tag', 'untag']), ids, tag_id: id }),
  ]),
).returns(z.object({ results: z.array(batchResult) }))
