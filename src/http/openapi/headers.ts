/** The response headers for clients, in OpenAPI. */
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
  'Content-Disposition': { description: 'With the name as `filename*` (RFC 6266).', schema: text },
} satisfies Record<string, JsonSchema>

export type HeaderName = keyof typeof componentHeaders

/** The headers of every response to a limited key. */
export const keyLimits: readonly HeaderName[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

/** Returns a response's `headers` as references to the components; an empty object if there are none. */
export function referToHeaders(names: readonly HeaderName[]): JsonSchema {
  if (names.length === 0) return {}
  return { headers: Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }])) }
}
