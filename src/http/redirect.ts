/** Lets the object store itself send a file: the answer names an address there that holds for a minute. */
import type { Context } from 'koa'
import type { Actor } from '../access/actor.ts'
import type { FileBytes } from '../blobs/file-bytes.ts'

/** Headers of requests that this server must answer: their conditions name its own ETag. */
const conditions = ['Range', 'If-Match', 'If-None-Match', 'If-Modified-Since', 'If-Unmodified-Since', 'If-Range']

/** Headers of the bytes, which are not in this answer. */
const bytesHeaders = ['Content-Disposition', 'Content-Type', 'ETag', 'Last-Modified', 'Accept-Ranges']

/**
 * A browser sends no cookie to another host. A script would send its key there, or take the empty answer for the file, so
 * it must ask for the address.
 */
function wantsRedirect(ctx: Context): boolean {
  const { key } = ctx.state.actor as Actor
  return key === null || /(^|,)\s*redirect\s*($|[,;])/i.test(ctx.get('Prefer'))
}

/** Answers with an address of the object store; returns false if this server must send the bytes. */
export async function redirectToStore(ctx: Context, file: FileBytes): Promise<boolean> {
  if (file.redirect === undefined || ctx.method !== 'GET' || conditions.some(name => ctx.get(name) !== '')) return false
  if (!wantsRedirect(ctx)) return false
  const address = await file.redirect(ctx.response.get('Content-Disposition'))
  if (address === null) return false
  ctx.body = ''
  for (const name of bytesHeaders) ctx.remove(name)
  ctx.status = 302
  ctx.set({ Location: address, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
  return true
}
