/** The call that uploads many small files in one request. */
import * as z from 'zod/mini'
import { about } from './about.ts'
import { ApiError } from './client.ts'
import { endpoint } from './endpoint.ts'
import { type ErrorCode, errorStatus } from './errors.ts'
import { atMostUnits, itemName, textParentId } from './fields.ts'
import { conflictRules, fileTime } from './files.ts'
import { fileDetails } from './items.ts'
import { maxTreeDepth, maxUploadManyFiles } from './limits.ts'
import { metadataValues } from './metadata-values.ts'

/** A folder below the parent, such as `2026/May`, as the names on the way. */
const folderPath = z.pipe(
  z.pipe(
    z.string().check(atMostUnits(32_768, 'The path is longer than 32768 characters')),
    z.transform(path => path.split('/').filter(Boolean)),
  ),
  z.array(itemName).check(z.maxLength(maxTreeDepth, `Folders can be nested at most ${maxTreeDepth} levels deep`)),
)

/** A SHA-256 in hex, with which the client says which bytes it sends. */
export const sha256Text = z.pipe(
  z.string().check(z.regex(/^[0-9a-f]{64}$/i, 'Expected 64 hexadecimal digits')),
  z.transform(text => text.toLowerCase()),
)

/** What the field `item` says of the file after it, as JSON. */
export const uploadItem = z.strictObject({
  name: itemName,
  path: z.optional(folderPath),
  modified_at: z.optional(fileTime),
  metadata: z.optional(metadataValues),
  on_conflict: z.optional(z.enum(conflictRules)),
  /** Hex; a file with other bytes is refused. */
  sha256: z.optional(sha256Text),
})
export type UploadItem = z.output<typeof uploadItem>

const uploadResult = z.union([
  z.object({ index: z.int(), ok: z.literal(true), file: fileDetails }),
  z.object({
    index: z.int(),
    ok: z.literal(false),
    error: z.string(),
    message: z.string(),
    /** As in an error response; `path` names what is wrong with the folder. */
    fields: z.optional(z.record(z.string(), z.string())),
    /** Seconds, as in Retry-After. */
    retry_after: z.optional(z.number()),
  }),
])
export type UploadResult = z.output<typeof uploadResult>

/** Multipart: the field `parent_id`, then for each file a field `item` and the part `file`. */
export const uploadMany = endpoint(
  'POST',
  '/files/upload-many',
  z.strictObject({ parent_id: textParentId }),
  'multipart-many',
).returns(
  z.object({ results: z.array(uploadResult) }),
  about('Upload many small files', {
    remark: `At most ${maxUploadManyFiles} files and 16 MB, as multipart/form-data; each is stored or refused by itself.`,
    errors: ['unsupported_media'],
  }),
)

/** The error of a refused file, as if it had been sent by itself. */
export function refusalOf({ error, message, fields, retry_after }: UploadResult & { ok: false }): ApiError {
  const code = Object.hasOwn(errorStatus, error) ? (error as ErrorCode) : undefined
  const status = code === undefined ? 500 : errorStatus[code]
  return new ApiError(status, message, { code, fields, retryAfter: retry_after })
}
