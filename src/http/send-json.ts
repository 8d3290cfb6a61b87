/** Sends JSON: an answer up to a megabyte as one buffer, a larger one in pieces, each after the socket took the last. */
import type { Context } from 'koa'
import { maxPageBytes } from '../api/limits.ts'
import { holdHeap } from '../base/hold-heap.ts'
import type { Reply } from '../route.ts'
import { isClientGone } from './client-gone.ts'
import { jsonTexts, utf8Pieces } from './json-text.ts'
import type { Permit } from './limits/lanes.ts'
import { answerWith } from './write-stream.ts'

/** A larger answer keeps its call's permit until it is sent; otherwise unread answers would fill memory. */
const largeAnswer = 64 * 1024
/** Characters of an answer that is serialised before it is sent, so that it has a Content-Length. */
const mostAtOnce = 1024 ** 2

export type JsonReply = Exclude<Reply<unknown>, { file: unknown }>

export interface JsonOptions {
  /** Of the call; this ends it. */
  permit: Permit | null
  /** Counts the bytes of a large answer until they are sent. */
  countUnread(ctx: Context, bytes: number): void
}

function textsOf(reply: Exclude<JsonReply, { kind: 'not-modified' }>): Iterator<string> & Iterable<string> {
  if (reply.kind === 'document') return [reply.text].values()
  return jsonTexts({ success: true, message: reply.message, data: reply.data })
}

/** Takes the first texts; the rest stays in the iterator. */
function takeFirst(texts: Iterator<string>): { first: string; isAll: boolean } {
  let first = ''
  while (first.length <= mostAtOnce) {
    const next = texts.next()
    if (next.done === true) return { first, isAll: true }
    first += next.value
  }
  return { first, isAll: false }
}

function* chain(first: string, rest: Iterable<string>): Generator<string> {
  yield first
  yield* rest
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
  const texts = textsOf(reply)
  // May throw: what an error's answer must not have is set after it.
  const { first, isAll } = takeFirst(texts)
  setTag(ctx, reply)
  const body = isAll ? Buffer.from(first) : null
  const bytes = body?.length ?? maxPageBytes
  const isLarge = bytes > largeAnswer
  if (permit !== null && isLarge && !isClientGone(ctx)) ctx.res.once('close', permit.end)
  else permit?.end()
  if (isLarge) countUnread(ctx, bytes)
  ctx.status = reply.kind === 'json' ? reply.status : 200
  ctx.type = 'json'
  if (body !== null) {
    ctx.body = body
    return
  }
  holdHeap()
  answerWith(ctx, utf8Pieces(chain(first, texts)))
}
