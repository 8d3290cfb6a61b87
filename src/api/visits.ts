/** The calls of a link's visitors, who have no account: the token in the path is all that they show. */
import * as z from 'zod/mini'
import { about } from './about.ts'
import { formIds } from './content.ts'
import { bytes, endpoint } from './endpoint.ts'
import {
  atMostUnits,
  cursor,
  givenPassword,
  itemIds,
  itemName,
  limit,
  lineOfText,
  textId,
  textParentId,
  time,
} from './fields.ts'
import { fileTime, sortKeys, sortOrders } from './files.ts'
import { breadcrumb } from './items.ts'
import { maxSenderLength, thumbnailSize } from './limits.ts'
import { linkLevel } from './links.ts'
import { metadataField } from './metadata.ts'
import { uploadedMetadata } from './metadata-values.ts'
import { nameProblem } from './names.ts'

/** Any text: whatever is no live link is answered alike. */
export const token = z.string().check(atMostUnits(255, 'Unknown link'))

const ofLink = { token }
const ofItem = { token, id: textId }

/** An item as visitors see it. */
export const visitorItem = z.object({
  id: z.int(),
  name: z.string(),
  /** The path from the folder of the link, such as `/2025/a.jpg`. */
  path: z.string(),
  size: z.int(),
  /** Null for folders. */
  mime_type: z.nullable(z.string()),
  /** Null for what the link is on. */
  parent_id: z.nullable(z.int()),
  is_directory: z.boolean(),
  updated_at: time,
  modified_at: z.nullable(time),
  /** The URL path of the thumbnail; null if there is none. */
  thumbnail_path: z.nullable(z.string()),
})
export type VisitorItem = z.output<typeof visitorItem>

export const linkInfo = z.object({
  locked: z.literal(false),
  level: linkLevel,
  kind: z.enum(['file', 'folder']),
  /** The id of what the link is on. */
  item_id: z.int(),
  name: z.string(),
  /** Bytes of a file; null for a folder. */
  size: z.nullable(z.int()),
  mime_type: z.nullable(z.string()),
  /** Who made the link: the full name, or else the username; null if they are gone. */
  from: z.nullable(z.string()),
  expires_at: z.nullable(time),
  /** Null: no limit. With a limit there are no previews and thumbnails. */
  downloads_left: z.nullable(z.int()),
  /** The metadata that an upload is asked for. */
  fields: z.array(metadataField),
  ask_name: z.boolean(),
  /** Bytes of one uploaded file. */
  max_file_size: z.int(),
})
export type LinkInfo = z.output<typeof linkInfo>

export const lockedLink = z.object({ locked: z.literal(true) })

const info = z.discriminatedUnion('locked', [linkInfo, lockedLink])

export const visitLink = endpoint('GET', '/s/:token', z.strictObject(ofLink)).returns(
  info,
  about('Get what a link is on', {
    remark: 'Only `{locked: true}` until its password was given.',
    errors: ['not_found'],
  }),
)

export const unlockLink = endpoint(
  'POST',
  '/s/:token/unlock',
  z.strictObject({ token, password: givenPassword }),
).returns(
  linkInfo,
  about("Give a link's password", {
    remark: 'Sets a cookie for this link alone, which lasts 24 hours.',
    errors: ['not_found', 'password_required'],
  }),
)

const visitorListing = z.object({
  folders: z.array(visitorItem),
  files: z.array(visitorItem),
  /** The number of entries in the folder, on all pages. */
  total: z.int(),
  total_folders: z.int(),
  path: z.string(),
  /** From the first folder below that of the link to the folder itself. */
  breadcrumbs: z.array(breadcrumb),
  next_cursor: z.nullable(z.string()),
})
export type VisitorListing = z.output<typeof visitorListing>

export const listLinkFiles = endpoint(
  'GET',
  '/s/:token/files',
  z.strictObject({
    token,
    parent_id: textParentId,
    sort: z._default(z.enum(sortKeys), 'name'),
    order: z._default(z.enum(sortOrders), 'asc'),
    limit,
    cursor,
  }),
).returns(
  visitorListing,
  about('List the folder of a link, or one below it', { errors: ['not_found', 'password_required'] }),
)

export const getLinkFile = endpoint('GET', '/s/:token/files/:id', z.strictObject(ofItem)).returns(
  z.object({ file: visitorItem }),
  about('Get one file or folder of a link', { errors: ['password_required'] }),
)

export const downloadLinkFile = endpoint('GET', '/s/:token/files/:id/download', z.strictObject(ofItem)).returns(
  bytes,
  about('Download a file of a link', { errors: ['password_required', 'range_not_satisfiable'] }),
)

export const previewLinkFile = endpoint('GET', '/s/:token/files/:id/preview', z.strictObject(ofItem)).returns(
  bytes,
  about('Show a file of a link in the browser', {
    remark: 'Not where the downloads are limited.',
    errors: ['password_required', 'range_not_satisfiable', 'unsupported_media'],
  }),
)

export const getLinkThumbnail = endpoint('GET', '/s/:token/files/:id/thumbnail', z.strictObject(ofItem)).returns(
  bytes,
  about(`Get the thumbnail of an image of a link: WebP of at most ${thumbnailSize} pixels`, {
    errors: ['password_required', 'storage_full'],
    contentType: 'image/webp',
  }),
)

export const archiveLinkFolder = endpoint('GET', '/s/:token/files/:id/archive', z.strictObject(ofItem)).returns(
  bytes,
  about('Download a folder of a link as a ZIP file', { errors: ['password_required'], contentType: 'application/zip' }),
)

/** Also takes an HTML form, so a browser can save the stream. */
export const archiveLinkItems = endpoint(
  'POST',
  '/s/:token/archive',
  z.strictObject({ token, ids: itemIds }),
  'json',
  z.strictObject({ token, ids: formIds }),
).returns(
  bytes,
  about('Download several items of a link as one ZIP file', {
    errors: ['not_found', 'password_required'],
    contentType: 'application/zip',
  }),
)

export const downloadLink = endpoint('GET', '/s/:token/download', z.strictObject(ofLink)).returns(
  bytes,
  about('Download what a link is on', {
    remark: 'A file as it is, a folder as a ZIP file: the address for curl and wget.',
    errors: ['not_found', 'password_required', 'range_not_satisfiable'],
  }),
)

/** It begins the name of a file, so it has to be one itself. */
export const sender = z.pipe(
  lineOfText('Your name', maxSenderLength),
  z.string().check(
    z.superRefine((name, context) => {
      const problem = nameProblem(name)
      if (problem !== null) context.addIssue({ code: 'custom', message: problem, input: name })
    }),
  ),
)

/** What visitors learn of a file that they have sent: as it was sent, not as it is stored. */
export const sentFile = z.object({ name: z.string(), size: z.int() })

/** Multipart: these text fields and exactly one file part. */
export const uploadToLink = endpoint(
  'POST',
  '/s/:token/upload',
  z.strictObject({
    token,
    name: z.optional(itemName),
    sender: z.optional(sender),
    metadata: z.optional(uploadedMetadata),
    modified_at: z.optional(fileTime),
  }),
  'multipart',
).returns(
  sentFile,
  about('Upload a file into the folder of a link', {
    remark:
      'Never replaces a file; the answer tells only the name and size as they were sent. A file that comes again within a day, with the same name, bytes, time and metadata, is stored once.',
    errors: ['forbidden', 'not_found', 'password_required', 'file_too_large', 'quota_exceeded', 'unsupported_media'],
    statuses: [201],
  }),
)
