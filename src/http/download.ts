/** Sends bytes as RFC 9110 says: HEAD, conditional requests, and one range. */

import { Readable } from 'node:stream'
import type { Context } from 'koa'
import { inlineLimit } from '../api/limits.ts'
import { AppError } from '../base/errors.ts'
import type { ByteRange } from '../blobs/blob-store.ts'
import type { FileBytes, StreamedBytes } from '../blobs/file-bytes.ts'
import { isFresh } from './conditions.ts'
import { fileHeaders } from './file-headers.ts'
import { handOver } from './hand-over.ts'
import { redirectToStore } from './redirect.ts'
import { answerWith } from './write-stream.ts'

/**
 * Returns the single range that a Range header requests. Returns null if the whole file is sent: no header, a unit
 * other than bytes, several ranges, or invalid syntax. Throws `range_not_satisfiable` if no byte of the range exists.
 */
function parseRange(header: string, size: number): ByteRange | null {
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
 * Only a GET has ranges (RFC 9110 section 14.2). If-Range is compared strongly, and a date never matches, because new
 * content may have the same time as the old.
 */
function rangeApplies(ctx: Context, etag: string): boolean {
  const condition = ctx.get('If-Range')
  return ctx.method === 'GET' && (condition === '' || condition === etag)
}

/** A fallback for clients without `filename*`: plain ASCII without characters that they interpret differently. */
const asciiName = (name: string): string => name.replace(/[^\x20-\x7e]|["\\]/gu, '_')

const setName = (ctx: Context, name: string, type: FileBytes['disposition']): void =>
  ctx.attachment(name, { type, fallback: asciiName(name) })

export interface SendOptions {
  accelRedirect: string | null
  /**
   * Resolves when it is this request's turn to open a file, or to send a stream made of several; true if it had to wait.
   * Throws when the caller may not make the call any more by then. The content's `confirm` checks the right to read it.
   */
  waitFor(what: 'file' | 'stream'): Promise<boolean>
}

/** Sends a file's bytes, 304 or 416. If nginx has the store at `accelRedirect`, lets nginx send the bytes. */
export async function sendBytes(ctx: Context, file: FileBytes, options: SendOptions): Promise<void> {
  const etag = `"${file.sha256}"`
  const lastModified = new Date(file.modifiedAt).toUTCString()
  setName(ctx, file.name, file.disposition)
  ctx.set({
    'Content-Type': file.contentType,
    'Cache-Control': 'private, no-cache',
    'Accept-Ranges': 'bytes',
    'Content-Security-Policy': file.policy,
    ETag: etag,
    'Last-Modified': lastModified,
  })
  if (isFresh(ctx, etag, lastModified)) {
    ctx.status = 304
    return
  }
  try {
    await sendContent(ctx, file, etag, options)
  } catch (error) {
    for (const name of fileHeaders) ctx.remove(name)
    throw error
  }
}

async function sendContent(ctx: Context, file: FileBytes, etag: string, options: SendOptions): Promise<void> {
  const { accelRedirect, waitFor } = options
  if (await redirectToStore(ctx, file)) return
  const range = selectRange(ctx, file, etag)
  if (accelRedirect !== null && (await handOver(ctx, file, range, accelRedirect))) return
  const status = range === null ? 200 : 206
  if (ctx.method === 'HEAD') ctx.res.statusCode = status
  else {
    // Smaller content is in the database and opens no file.
    if (file.size > inlineLimit && (await waitFor('file'))) await file.confirm()
    const bytes = await file.open(range ?? undefined)
    if (Buffer.isBuffer(bytes)) ctx.body = bytes
    else answerWith(ctx, bytes, file.confirm)
  }
  if (range !== null) ctx.set('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`)
  ctx.set('Content-Type', file.contentType)
  ctx.length = range === null ? file.size : range.end - range.start + 1
  ctx.status = status
}

function selectRange(ctx: Context, file: FileBytes, etag: string): ByteRange | null {
  const header = ctx.get('Range')
  if (header === '' || !rangeApplies(ctx, etag)) return null
  try {
    return parseRange(header, file.size)
  } catch (error) {
    ctx.set('Content-Range', `bytes */${file.size}`)
    throw error
  }
}

/** Sends bytes that are generated meanwhile. An error cuts the connection, so that the chunked answer has no end. */
export async function sendStreamed(ctx: Context, file: StreamedBytes, { waitFor }: SendOptions): Promise<void> {
  if (ctx.method === 'HEAD') ctx.res.statusCode = 200
  else {
    if (await waitFor('stream')) await file.confirm()
    answerWith(ctx, Readable.from(file.open(), { objectMode: false }))
  }
  setName(ctx, file.name, 'attachment')
  ctx.set('Content-Type', file.contentType)
  ctx.status = 200
}
