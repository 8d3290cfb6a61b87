/** Has nginx send a file: an answer without bytes, whose X-Accel-Redirect says where they lie. */
import type { Context } from 'koa'
import type { Actor } from '../access/actor.ts'
import type { ByteRange } from '../blobs/blob-store.ts'
import type { FileBytes } from '../blobs/file-bytes.ts'

/** Headers that nginx would compare with its own file's ETag and time, which differ from ours. */
const foreignConditions = ['If-Match', 'If-Unmodified-Since']

/** More than nginx reads as a number of bytes without fail. */
const longNumber = /\d{16}/

/**
 * Whether nginx would send what this server would. It heeds the request's own Range, so that only one that holds here
 * (`range`) may be left to it: of a HEAD, of a form that is none or where If-Range names a date, it would make another.
 */
function wouldAgree(ctx: Context, range: ByteRange | null): boolean {
  if (ctx.method !== 'GET' || foreignConditions.some(name => ctx.get(name) !== '')) return false
  const asked = ctx.get('Range')
  return asked === '' || (range !== null && !longNumber.test(asked))
}

/** A device key's request is counted until its answer is sent, and when nginx has sent one, nobody says here. */
const isCounted = (ctx: Context): boolean => (ctx.state.actor as Actor | undefined)?.key?.kind === 'device'

/**
 * Answers for nginx, which finds the store's folder at `accelRedirect`. False where the bytes must be sent from here: to
 * a client that did not come through a listed proxy or has a device key, and of what lies in no file.
 */
export async function handOver(
  ctx: Context,
  file: FileBytes,
  range: ByteRange | null,
  accelRedirect: string,
): Promise<boolean> {
  if (ctx.state.isForwarded !== true || isCounted(ctx) || !wouldAgree(ctx, range)) return false
  const place = await file.share()
  if (place === null) return false
  ctx.body = ''
  // nginx adds this header to a whole file itself, so ours would be a second one.
  if (range === null) ctx.remove('Accept-Ranges')
  ctx.set('X-Accel-Redirect', `${accelRedirect}/${place}`)
  // The figures count these bytes as sent: how many really leave, only nginx knows.
  ctx.state.handedOver = range === null ? file.size : range.end - range.start + 1
  return true
}
