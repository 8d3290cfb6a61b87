/** Conditional requests (RFC 9110 section 13): whether the client's copy is still current. */
import type { Context } from 'koa'

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '')

/** Whether an If-None-Match header names the ETag, compared weakly. */
const namesEtag = (header: string, etag: string): boolean => header.split(',').some(tag => opaque(tag) === opaque(etag))

/** Whether If-None-Match contains the ETag of the response. */
export const hasCopy = (ctx: Context, etag: string): boolean => namesEtag(ctx.get('If-None-Match'), etag)

/**
 * Like `hasCopy`, for existing content with a time. Cache-Control is ignored, because fetch adds `no-cache` to every
 * request with an If-None-Match. A date must equal the one that was sent, because new content may have an earlier time
 * than the old.
 */
export function isFresh(ctx: Context, etag: string, lastModified: string): boolean {
  const tags = ctx.get('If-None-Match')
  if (tags !== '') return tags.trim() === '*' || namesEtag(tags, etag)
  return ctx.get('If-Modified-Since') === lastModified
}
