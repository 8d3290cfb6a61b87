/** Search by name and other properties, and statistics. */
import * as z from 'zod/mini'
import { about } from './about.ts'
import { endpoint } from './endpoint.ts'
import { atMostUnits, composable, cursor, limit, nothing, textFlag, textId, textWholeNumber } from './fields.ts'
import { sortKeys, sortOrders } from './files.ts'
import { fileItem, validationStatus } from './items.ts'
import { fileKinds } from './kinds.ts'
import { maxCountedHits, minSearchLength } from './limits.ts'
import { isSearchable } from './search-text.ts'

const tooShort = `Enter at least ${minSearchLength} characters`

const query = z.string().check(
  z.trim(),
  atMostUnits(1000, 'The text is longer than 1000 characters'),
  composable,
  z.normalize('NFC'),
  z.refine(text => text === '' || isSearchable(text), tooShort),
)

/** A whole MIME type, or a prefix that ends in a slash. */
const mimeType = z
  .string()
  .check(
    atMostUnits(255, 'The type is longer than 255 characters'),
    z.regex(/^[\w.+-]+\/[\w.+-]*$/, "Expected a type such as 'image/' or 'image/png'"),
  )

/** A date, which stands for the whole UTC day, or an ISO 8601 time. */
const dayOrTime = z.union(
  [z.iso.date(), z.iso.datetime({ offset: true })],
  'Expected a date (YYYY-MM-DD) or an ISO 8601 time',
)

/** `<field name>:<value>`. */
const metaFilter = z
  .string()
  .check(
    atMostUnits(2000, 'The filter is longer than 2000 characters'),
    composable,
    z.regex(/^[^:]+:./s, 'Expected <field name>:<value>'),
  )

/**
 * Hits sorted by id, highest first, or as `sort` says: then the highest thousand by id are sorted, and there are no
 * further pages. Without a text: every file with the tag.
 */
export const searchFiles = endpoint(
  'GET',
  '/files/search',
  z
    .strictObject({
      q: z._default(query, ''),
      mime_type: z.optional(mimeType),
      min_size: z.optional(textWholeNumber),
      max_size: z.optional(textWholeNumber),
      date_from: z.optional(dayOrTime),
      date_to: z.optional(dayOrTime),
      tag_id: z.optional(textId),
      status: z.optional(validationStatus),
      /** `own`: the own tree alone. */
      scope: z.optional(z.enum(['own', 'all'])),
      /** A folder to search with all below it. */
      in: z.optional(textId),
      meta: z.optional(z.union([metaFilter, z.array(metaFilter).check(z.maxLength(20))])),
      sort: z.optional(z.enum(sortKeys)),
      order: z._default(z.enum(sortOrders), 'asc'),
      limit,
      cursor,
    })
    .check(
      z.refine(({ sort, cursor: page }) => sort === undefined || page === undefined, {
        path: ['cursor'],
        error: 'A sorted search has one page',
      }),
    )
    .check(z.refine(({ q, tag_id }) => q !== '' || tag_id !== undefined, { path: ['q'], error: tooShort })),
).returns(
  z.object({
    files: z.array(fileItem),
    /** At most 1,000; if there are more hits, `total_is_exact` is false. */
    total: z.int(),
    total_is_exact: z.boolean(),
    next_cursor: z.nullable(z.string()),
  }),
  about(`Search by name or by tag; total counts to ${maxCountedHits} and then says that it is not exact`, {
    remark: `The newest come first. With \`sort\`, the newest ${maxCountedHits} are sorted, and there are no further pages.`,
  }),
)

/** The files that changed last, in the own tree and in team folders; a page may be shorter than `limit`. */
export const listRecent = endpoint('GET', '/files/recent', z.strictObject({ limit, cursor })).returns(
  z.object({ files: z.array(fileItem), next_cursor: z.nullable(z.string()) }),
  about('List the files that changed last, the newest first', {
    remark:
      'Those of the own tree and of team folders. A page may have fewer files than `limit`; `next_cursor` leads on.',
  }),
)

/** The largest files of the own tree, which take its storage; a page may be shorter than `limit`. */
export const listLargest = endpoint(
  'GET',
  '/files/largest',
  z.strictObject({ kind: z.optional(z.enum(fileKinds)), duplicates: textFlag, limit, cursor }),
).returns(
  z.object({ files: z.array(fileItem), next_cursor: z.nullable(z.string()) }),
  about('List the largest files of the own tree', {
    remark:
      'With `kind` those of one kind; with `duplicates=true` those whose content another live file of the tree has, too. A page may have fewer files than `limit`; `next_cursor` leads on.',
  }),
)

const fileStats = z.object({
  total_files: z.int(),
  total_folders: z.int(),
  /** Sorted by bytes, the largest kind first. */
  by_kind: z.array(z.object({ kind: z.enum(fileKinds), files: z.int(), bytes: z.int() })),
  /** The ten newest files. */
  recent_files: z.array(fileItem),
})
export type FileStats = z.output<typeof fileStats>

export const getFileStats = endpoint('GET', '/files/stats', nothing).returns(
  fileStats,
  about('Count files, folders and bytes by kind, with the newest files'),
)
