/** Files and folders as the API shows them. Times are ISO 8601 UTC; sizes are bytes, 0 for folders. */
import * as z from 'zod/mini'
import { time } from './fields.ts'

export const validationStatus = z.enum(['pending', 'rejected', 'approved'])
export type ValidationStatus = z.output<typeof validationStatus>

/** A tag on an item: `color` is #RRGGBB. */
export const itemTag = z.object({ id: z.int(), name: z.string(), color: z.string() })
export type ItemTag = z.output<typeof itemTag>

/** A file's value for one of the metadata fields. */
export const itemMetadata = z.object({ field_id: z.int(), name: z.string(), label: z.string(), value: z.string() })
export type ItemMetadata = z.output<typeof itemMetadata>

/**
 * Where an item lies that is not in the caller's own tree: the topmost item that the caller may reach there. `from`: the
 * user whose it is, or the team folder that it lies in; null for a team folder itself.
 */
export const place = z.object({
  kind: z.enum(['team', 'share']),
  id: z.int(),
  name: z.string(),
  from: z.nullable(z.string()),
})
export type Place = z.output<typeof place>

/** What the caller may do at a place, as far as the place decides; role and key decide too. */
export const abilities = z.object({
  /** See what others put into it; without it, only one's own hand-ins. */
  see: z.boolean(),
  /** Add items to it, if it is a folder. */
  add: z.boolean(),
  /** Change its content and metadata, and rename, move and trash what is in it. */
  change: z.boolean(),
  /** Rename and move it. */
  organise: z.boolean(),
  /** Trash it: also what one has handed in oneself, until it is approved. */
  trash: z.boolean(),
  /** Give access to it, and delete for good what was in it. */
  share: z.boolean(),
})
export type PlaceAbilities = z.output<typeof abilities>

export const fileItem = z.object({
  id: z.int(),
  name: z.string(),
  /** The path from the root of its place, such as `/Docs/a.pdf`; for a trashed item, where it was before. */
  path: z.string(),
  logical_path: z.string(),
  size: z.int(),
  /** From the name's extension; null for folders. */
  mime_type: z.nullable(z.string()),
  /** Null right in the own tree, and for the root of a place. */
  parent_id: z.nullable(z.int()),
  owner_id: z.int(),
  /** The owner's username. */
  owner_name: z.string(),
  /** Null in the caller's own tree. */
  place: z.nullable(place),
  /** What the caller may do with it; null in the own tree, where the role alone decides. */
  may: z.nullable(abilities),
  /** Whether somebody else was given access to this very item; told only to those who may give it. */
  is_shared: z.boolean(),
  is_directory: z.boolean(),
  is_favorite: z.boolean(),
  created_at: time,
  /** When the content, name or folder last changed. */
  updated_at: time,
  /** The file's own time, as the uploading client gave it. */
  modified_at: z.nullable(time),
  deleted_at: z.nullable(time),
  /** The URL path of the thumbnail; null if the type can have none. */
  thumbnail_path: z.nullable(z.string()),
  tags: z.array(itemTag),
  validation_status: validationStatus,
  validation_comment: z.nullable(z.string()),
})
/** A file or folder. */
export type FileItem = z.output<typeof fileItem>

export const fileDetails = z.extend(fileItem, {
  may: abilities,
  /** Hex; null for folders, and for a rejected file of others. */
  sha256: z.nullable(z.string()),
  metadata: z.array(itemMetadata),
})
/** A single item, with the fields that lists leave out. */
export type FileDetails = z.output<typeof fileDetails>

/** The answer of every call that makes or changes one item. */
export const itemAnswer = z.object({ file: fileDetails })
export type ItemAnswer = z.output<typeof itemAnswer>

export const itemList = z.object({
  files: z.array(fileItem),
  /** The number of matches on all pages. */
  total: z.int(),
  next_cursor: z.nullable(z.string()),
})
export type ItemList = z.output<typeof itemList>

export const breadcrumb = z.object({ id: z.int(), name: z.string(), path: z.string() })
export type Breadcrumb = z.output<typeof breadcrumb>

export const folderListing = z.object({
  /** With `with=sha256` each has its SHA-256 in hex; null for a rejected file of others. */
  files: z.array(z.extend(fileItem, { sha256: z.optional(z.nullable(z.string())) })),
  folders: z.array(fileItem),
  may: abilities,
  /**
   * How many files of others are not approved, and not listed for the caller; null unless the caller may change items
   * here.
   */
  held: z.nullable(z.int()),
  /** The number of entries in the folder, on all pages. */
  total: z.int(),
  total_folders: z.int(),
  path: z.string(),
  /** From the first folder below the root to the folder itself; empty at the root. */
  breadcrumbs: z.array(breadcrumb),
  /** Null at the root of the own tree. */
  folder: z.nullable(fileItem),
  next_cursor: z.nullable(z.string()),
  /** Only with `only=folders`: the ids of folders on this page that have sub-folders, which a tree can expand. */
  with_folders: z.optional(z.array(z.int())),
})
export type FolderListing = z.output<typeof folderListing>
