/** Sends bytes as RFC 9110 says: HEAD, conditional requests, and one range. */
import type { Context } from 'koa'
import type { ByteRange } from '../blobs/blob-store.ts'
import type { FileBytes } from '../blobs/file-bytes.ts'
import { AppError } from '../errors.ts'

/**
 * The one range that a Range header asks for. Null where the whole is the answer: no header, a unit other than bytes,
 * several ranges, or a form that is no range. Throws `range_not_satisfiable` where no byte of it exists.
 */
export function parseRange(header: string, size: number): ByteRange | null {
  const [, first, last] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header) ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return null
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start >= size || (first === '' && Number(last) === 0)) {
    throw new AppError('range_not_satisfiable', 'The range lies outside the file')
  }
  return { start, end }
}

/**
 * Only a GET has ranges (RFC 9110 section 14.2). If-Range is compared strongly: a date never holds, for new content
 * may bear the time of the old.
 */
function rangeApplies(ctx: Context, etag: string): boolean {
  const condition = ctx.get('If-Range')
  return ctx.method === 'GET' && (condition === '' || condition === etag)
}

/** Answers with a file's bytes, or with 304 or 416. */
export async function sendBytes(ctx: Context, file: FileBytes): Promise<void> {
  const etag = `"${file.sha256}"`
  ctx.status = 200
  ctx.attachment(file.name, { type: file.disposition })
  ctx.set({
    'Content-Type': file.contentType,
    'Cache-Control': 'private, no-cache',
    'Accept-Ranges': 'bytes',
    'Content-Security-Policy': file.policy,
    ETag: etag,
    'Last-Modified': new Date(file.modifiedAt).toUTCString(),
  })
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  const range = selectRange(ctx, file, etag)
  if (range !== null) {
    ctx.status = 206
    ctx.set('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`)
  }
  const length = range === null ? file.size : range.end - range.start + 1
  const status = ctx.status
  const contentType = ctx.response.get('Content-Type')
  if (ctx.method === 'HEAD') ctx.res.statusCode = status
  else ctx.body = await file.open(range ?? undefined)
  // Koa sets a type and no length for a stream; these are the file's.
  ctx.set('Content-Type', contentType)
  ctx.length = length
  ctx.status = status
}

function selectRange(ctx: Context, file: FileBytes, etag: string): ByteRange | null {
  const header = ctx.get('Range')
  if (header === '' || !rangeApplies(ctx, etag)) return null
  try {
    return parseRange(header, file.size)
  } catch (error) {
    // The answer is an error body: what describes the file must not describe that.
    for (const name of ['Content-Disposition', 'ETag', 'Last-Modified']) ctx.remove(name)
    ctx.set('Content-Range', `bytes */${file.size}`)
    throw error
  }
}
