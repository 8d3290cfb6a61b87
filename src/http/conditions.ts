/** Conditional requests (RFC 9110 section 13): whether the client's copy is still right. */
import type { Context } from 'koa'

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '')

/** Whether an If-None-Match header names the ETag, compared weakly. */
const namesEtag = (header: string, etag: string): boolean => header.split(',').some(tag => opaque(tag) === opaque(etag))

/** Whether If-None-Match holds the ETag of what would be answered. */
export const hasCopy = (ctx: Context, etag: string): boolean => namesEtag(ctx.get('If-None-Match'), etag)

/**
 * The same for something that is there and has a time. fetch adds `Cache-Control: no-cache` to every request with an
 * If-None-Match, so that header decides nothing here. A date must be the very one that was sent: new content may bear
 * an earlier time than the old.
 */
export function isFresh(ctx: Context, etag: string, lastModified: string): boolean {
  const tags = ctx.get('If-None-Match')
  if (tags !== '') return tags.trim() === '*' || namesEtag(tags, etag)
  return ctx.get('If-Modified-Since') === lastModified
}
