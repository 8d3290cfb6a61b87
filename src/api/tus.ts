/** Calls for uploads in several requests: the resumable upload protocol tus 1.0 (https://tus.io), and what it lacks. */
import * as z from 'zod/mini'
import { about } from './about.ts'
import { endpoint, noBody } from './endpoint.ts'
import { atMostUnits, itemName, nothing, parentId, textParentId, time } from './fields.ts'
import { conflictRules, fileTime } from './files.ts'
import { itemAnswer } from './items.ts'
import { maxUnfinishedUploads } from './limits.ts'
import { metadataValues, uploadedMetadata } from './metadata-values.ts'
import { sha256Text } from './upload-many.ts'

export const uploadId = z.string().check(z.regex(/^[0-9a-f]{32}$/, 'Expected the id of an upload'))
const onlyUploadId = z.strictObject({ id: uploadId })

/** An ETag, or several, as in If-Match. */
const ifMatch = z.string().check(atMostUnits(1024, 'If-Match is too long'))

/** What Upload-Metadata has of a file, whoever sends it: fields of an upload in one request, and those of tus clients. */
export const fileMetadata = {
  name: z.optional(itemName),
  /** Stands for `name`, which tus clients do not know. */
  filename: z.optional(z.string()),
  modified_at: z.optional(fileTime),
  metadata: z.optional(uploadedMetadata),
  sha256: z.optional(sha256Text),
  finish: z.optional(z.literal('explicit')),
  filetype: z.optional(z.string()),
  type: z.optional(z.string()),
  relativePath: z.optional(z.string()),
}

/** The values of Upload-Metadata, decoded. */
export const uploadMetadata = z.strictObject({
  ...fileMetadata,
  parent_id: textParentId,
  on_conflict: z.optional(z.enum(conflictRules)),
  if_match: z.optional(ifMatch),
})

const sending = ['file_too_large', 'quota_exceeded', 'unsupported_media', 'name_taken', 'not_found'] as const
const protocol = ['precondition_failed'] as const

export const describeUploads = endpoint('OPTIONS', '/uploads', nothing).returns(
  noBody,
  about('Tell what resumable uploads can do here', { statuses: [204] }),
)

export const createUpload = endpoint('POST', '/uploads', nothing, 'bytes').returns(
  noBody,
  about('Begin a resumable upload', {
    remark: `By tus 1.0; the first bytes may come along. At most ${maxUnfinishedUploads} of a user may be unfinished.`,
    errors: [...protocol, ...sending, 'in_use', 'checksum_mismatch', 'locked', 'body_too_large'],
    statuses: [201],
  }),
)

export const findUpload = endpoint('HEAD', '/uploads/:id', onlyUploadId).returns(
  noBody,
  about('Ask how far a resumable upload has come', {
    remark: 'It is 409 when all bytes are there and could not become a file.',
    errors: [...protocol, 'offset_mismatch', 'locked'],
  }),
)

export const appendUpload = endpoint('PATCH', '/uploads/:id', onlyUploadId, 'bytes').returns(
  noBody,
  about('Send more of a resumable upload', {
    remark: 'With the last byte it becomes a file, which Content-Location names.',
    errors: [...protocol, ...sending, 'offset_mismatch', 'checksum_mismatch', 'locked'],
    statuses: [204],
  }),
)

export const discardUpload = endpoint('DELETE', '/uploads/:id', onlyUploadId).returns(
  noBody,
  about('Discard a resumable upload with its bytes', { errors: [...protocol, 'locked'], statuses: [204] }),
)

const unfinishedUpload = z.object({
  id: z.string(),
  name: z.string(),
  /** Null: the root. */
  parent_id: z.nullable(z.int()),
  /** Of the folder; null if it is gone. */
  path: z.nullable(z.string()),
  /** Bytes of the whole file. */
  length: z.int(),
  /** Bytes that are stored. */
  received: z.int(),
  modified_at: z.nullable(z.string()),
  /** `open`: bytes are missing, or `finish` was not called. `whole`: it becomes a file now. `failed`: it could not. */
  state: z.enum(['open', 'whole', 'failed']),
  error: z.nullable(z.object({ code: z.string(), message: z.string() })),
  expires_at: time,
})
export type UnfinishedUpload = z.output<typeof unfinishedUpload>

export const listUploads = endpoint('GET', '/uploads', nothing).returns(
  z.object({ uploads: z.array(unfinishedUpload) }),
  about("List the caller's unfinished uploads, the newest first"),
)

/** Makes an upload with all its bytes a file; what is not given stays as it was said at first. */
export const finishUpload = endpoint(
  'POST',
  '/uploads/:id/finish',
  z.strictObject({
    id: uploadId,
    parent_id: parentId,
    name: z.optional(itemName),
    on_conflict: z.optional(z.enum(conflictRules)),
    metadata: z.optional(metadataValues),
    sha256: z.optional(sha256Text),
    if_match: z.optional(ifMatch),
  }),
).returns(
  itemAnswer,
  about('Make a resumable upload a file that could not become one, or that waits for it', {
    remark: 'Nothing is sent again. It is 200 if the upload has become a file before.',
    errors: ['quota_exceeded', 'name_taken', 'offset_mismatch', 'precondition_failed', 'checksum_mismatch', 'locked'],
    statuses: [200, 201],
  }),
)
