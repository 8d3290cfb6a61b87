/** The response headers for clients, in OpenAPI. */
import type { OperationName } from './operations.ts'
import type { JsonSchema } from './schemas.ts'

const text = { type: 'string' }
const count = { type: 'integer', minimum: 0 }

/** The document's `components.headers`. */
export const componentHeaders = {
  'RateLimit-Limit': { description: "Requests in a limited key's tightest window.", schema: count },
  'RateLimit-Remaining': { description: 'Those of them that are left.', schema: count },
  'RateLimit-Reset': { description: 'Seconds until that window ends.', schema: count },
  'Retry-After': { description: 'Seconds.', schema: count },
  ETag: { description: "For If-None-Match and If-Range; a file's is the SHA-256 of its bytes.", schema: text },
  'Last-Modified': { description: "The file's own time, else that of its last change.", schema: text },
  'Accept-Ranges': { schema: { const: 'bytes' } },
  'Content-Range': { description: 'The range sent, or for 416 the size.', schema: text },
  'Tus-Resumable': { description: 'The version of tus.', schema: { const: '1.0.0' } },
  'Tus-Version': { schema: text },
  'Tus-Extension': { schema: text },
  'Tus-Checksum-Algorithm': { schema: text },
  'Tus-Max-Size': { description: 'Bytes of the largest file.', schema: count },
  'Upload-Offset': { description: 'Bytes that are stored; the next one goes there.', schema: count },
  'Upload-Length': { description: 'Bytes of the whole file.', schema: count },
  'Upload-Metadata': { description: 'Pairs of a key and a value in Base64, separated by commas.', schema: text },
  'Upload-Expires': { description: 'Until when the upload is kept.', schema: text },
  Location: { description: 'The address of the upload.', schema: text },
  'Content-Location': { description: 'The address of the file that the upload has become.', schema: text },
  'Content-Disposition': { description: 'With the name as `filename*` (RFC 6266).', schema: text },
} satisfies Record<string, JsonSchema>

export type HeaderName = keyof typeof componentHeaders

const arrived = ['Tus-Resumable', 'Upload-Offset', 'Upload-Expires'] as const
const progress = [...arrived, 'Content-Location'] as const

/** The headers of answers that have no body. */
export const answerHeaders: Partial<Record<OperationName, readonly HeaderName[]>> = {
  describeUploads: ['Tus-Version', 'Tus-Extension', 'Tus-Checksum-Algorithm', 'Tus-Max-Size'],
  createUpload: ['Location', ...progress],
  findUpload: ['Upload-Length', 'Upload-Metadata', ...progress],
  appendUpload: progress,
  discardUpload: ['Tus-Resumable'],
  createLinkUpload: ['Location', ...arrived],
  findLinkUpload: ['Upload-Length', 'Upload-Metadata', ...arrived],
  appendLinkUpload: arrived,
  discardLinkUpload: ['Tus-Resumable'],
}

const version = { name: 'Tus-Resumable', required: true, schema: { const: '1.0.0' } }
const checksum = {
  name: 'Upload-Checksum',
  required: false,
  description: 'Of the bytes of this request: `sha1` or `sha256`, a space, and the hash in Base64.',
  schema: text,
}

const asksToCreate = [
  version,
  { name: 'Upload-Length', required: true, description: 'Bytes of the whole file.', schema: count },
  {
    name: 'Upload-Metadata',
    required: true,
    description:
      'Pairs of a key and a value in Base64, separated by commas: `name` or `filename`, and the fields of an upload.',
    schema: text,
  },
  checksum,
]
const asksToAppend = [
  version,
  { name: 'Upload-Offset', required: true, description: 'Where the first byte goes.', schema: count },
  checksum,
]

/** The headers that a call reads its input from, as parameters. */
export const askedHeaders: Partial<Record<OperationName, readonly JsonSchema[]>> = {
  createUpload: asksToCreate,
  findUpload: [version],
  appendUpload: asksToAppend,
  discardUpload: [version],
  createLinkUpload: asksToCreate,
  findLinkUpload: [version],
  appendLinkUpload: asksToAppend,
  discardLinkUpload: [version],
}

/** The headers of every response to a limited key. */
export const keyLimits: readonly HeaderName[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

/** Returns a response's `headers` as references to the components; an empty object if there are none. */
export function referToHeaders(names: readonly HeaderName[]): JsonSchema {
  if (names.length === 0) return {}
  return { headers: Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }])) }
}
