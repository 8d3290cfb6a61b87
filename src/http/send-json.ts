/** Sends JSON: an answer up to a megabyte as one buffer, a larger one in pieces, each after the socket took the last. */
import type { Context } from 'koa'
import { maxPageBytes } from '../api/limits.ts'
import type { Reply } from '../reply.ts'
import { isClientGone } from './client-gone.ts'
import { jsonPieces } from './json-pieces.ts'
import type { Permit } from './limits/lanes.ts'
import { answerWith } from './write-stream.ts'

/** A larger answer to a user keeps its call's permit until it is sent: otherwise one user's would cut others' off. */
const largeAnswer = 64 * 1024
/** Bytes of an answer that is serialised before it is sent, so that it has a Content-Length. */
const mostAtOnce = 1024 ** 2

export type JsonReply = Exclude<Reply<unknown>, { file: unknown } | { kind: 'empty' | 'events' }>

export interface JsonOptions {
  /** Of the call; this ends it. */
  permit: Permit | null
  /** Counts the bytes of a large answer until they are sent. */
  countUnread(ctx: Context, bytes: number): void
}

type Pieces = Iterator<string | Buffer> & Iterable<string | Buffer>

function piecesOf(reply: Exclude<JsonReply, { kind: 'not-modified' }>): Pieces {
  if (reply.kind === 'document') return [reply.bytes].values()
  return jsonPieces({ success: true, message: reply.message, data: reply.data })
}

/** Takes the first megabyte; the rest stays in the iterator. */
function takeFirst(pieces: Pieces): { first: Buffer[]; size: number; isAll: boolean } {
  const first: Buffer[] = []
  let size = 0
  // Short texts are joined: a buffer of its own would cost more than each holds.
  let text = ''
  const take = (bytes: Buffer) => {
    first.push(bytes)
    size += bytes.length
  }
  const takeText = () => {
    if (text !== '') take(Buffer.from(text))
    text = ''
  }
  while (size + text.length <= mostAtOnce) {
    const next = pieces.next()
    const piece = next.done === true ? null : next.value
    if (typeof piece === 'string') {
      text += piece
      continue
    }
    takeText()
    if (piece === null) return { first, size, isAll: true }
    take(piece)
  }
  takeText()
  return { first, size, isAll: false }
}

function* chain(first: readonly Buffer[], rest: Iterable<string | Buffer>): Generator<Buffer> {
  yield* first
  for (const piece of rest) yield typeof piece === 'string' ? Buffer.from(piece) : piece
}

function setTag(ctx: Context, { etag }: JsonReply): void {
  if (etag !== undefined) ctx.set({ ETag: etag, 'Cache-Control': 'private, no-cache' })
}

/** Responds with JSON or 304. An error of the first megabyte can still be answered. */
export function sendJson(ctx: Context, reply: JsonReply, { permit, countUnread }: JsonOptions): void {
  if (reply.kind === 'not-modified') {
    permit?.end()
    setTag(ctx, reply)
    ctx.status = 304
    return
  }
  const pieces = piecesOf(reply)
  // May throw: what an error's answer must not have is set after it.
  const { first, size, isAll } = takeFirst(pieces)
  setTag(ctx, reply)
  const bytes = isAll ? size : maxPageBytes
  const isLarge = bytes > largeAnswer
  if (permit !== null && isLarge && !isClientGone(ctx)) ctx.res.once('close', permit.end)
  else permit?.end()
  if (isLarge) countUnread(ctx, bytes)
  ctx.status = reply.kind === 'json' ? reply.status : 200
  ctx.type = 'json'
  if (isAll) {
    ctx.body = first.length === 1 ? first[0] : Buffer.concat(first, size)
    return
  }
  answerWith(ctx, chain(first, pieces))
}
