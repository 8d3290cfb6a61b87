/** Lets nginx send a file: the response has no bytes, and its X-Accel-Redirect names their place. */
import type { Context } from 'koa'
import type { Actor } from '../access/actor.ts'
import type { ByteRange } from '../blobs/blob-store.ts'
import type { FileBytes } from '../blobs/file-bytes.ts'

/** Conditions that nginx would compare with its own ETag and time of the file, which differ from ours. */
const foreignConditions = ['If-Match', 'If-Unmodified-Since']

/** Numbers longer than nginx can read reliably as a number of bytes. */
const longNumber = /\d{16}/

/**
 * Whether nginx would send the same bytes as this server. It applies the request's Range itself, so a Range may be left
 * to it only if it is also valid here (`range`). For a HEAD, invalid syntax, or an If-Range with a date, nginx would
 * respond differently.
 */
function wouldAgree(ctx: Context, range: ByteRange | null): boolean {
  if (ctx.method !== 'GET' || foreignConditions.some(name => ctx.get(name) !== '')) return false
  const asked = ctx.get('Range')
  return asked === '' || (range !== null && !longNumber.test(asked))
}

/** A device key's request counts until its response is sent; this server cannot tell when nginx has sent one. */
const isCounted = (ctx: Context): boolean => (ctx.state.actor as Actor | undefined)?.key?.kind === 'device'

/**
 * Responds for nginx, which has the store's folder at `accelRedirect`. Returns false if this server must send the
 * bytes: if the client did not come through a trusted proxy or has a device key, or if the bytes are not in a file.
 */
export async function handOver(
  ctx: Context,
  file: FileBytes,
  range: ByteRange | null,
  accelRedirect: string,
): Promise<boolean> {
  if (ctx.state.isForwarded !== true || isCounted(ctx) || !wouldAgree(ctx, range)) return false
  const place = await file.share(range ?? undefined)
  if (place === null) return false
  ctx.body = ''
  // nginx adds this header to a whole file itself; remove ours, or there would be two.
  if (range === null) ctx.remove('Accept-Ranges')
  ctx.set('X-Accel-Redirect', `${accelRedirect}/${place}`)
  // The metrics count these bytes as sent; only nginx knows how many really are.
  ctx.state.handedOver = range === null ? file.size : range.end - range.start + 1
  return true
}
