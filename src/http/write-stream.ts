/** Sends the bytes of a file or a long list chunk by chunk; it takes the next one after the socket took the last. */
import { Readable } from 'node:stream'
import type { Context, Next } from 'koa'
import { clientHasGone } from '../base/errors.ts'
import { isClientGone } from './client-gone.ts'

/** Bytes after which the caller's rights are checked again, as in a ZIP file. */
const bytesBetween = 64 * 1024 ** 2

/**
 * Responds with a stream, after every middleware has set its headers. Koa would pipe it, but a pipe continues at any
 * `drain`, and Node emits one also when another response that waits on the connection has written something.
 * `confirm` is called after each 64 MB, and throws when the rest may not be sent.
 */
export function answerWith(
  ctx: Context,
  stream: Readable | Iterable<Buffer>,
  confirm: () => Promise<void> = async () => undefined,
): void {
  ctx.state.confirm = confirm
  ctx.state.stream = stream
  if (!(stream instanceof Readable)) return
  // Close the file in every case.
  if (isClientGone(ctx)) stream.destroy()
  else ctx.res.once('close', () => stream.destroy())
}

const write = (ctx: Context, chunk: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    // It has been cut off meanwhile.
    if (ctx.res.writableEnded) throw clientHasGone()
    ctx.res.write(chunk, error => (error ? reject(error) : resolve()))
  })

/** The middleware that sends the stream of `answerWith`. */
export async function writeStream(ctx: Context, next: Next): Promise<void> {
  await next()
  const stream = ctx.state.stream as Readable | Iterable<Buffer> | undefined
  // If something failed meanwhile, the body is an error.
  if (stream === undefined || ctx.body !== undefined) return
  ctx.respond = false
  try {
    let sent = 0
    for await (const chunk of stream) {
      if (sent >= bytesBetween) {
        await ctx.state.confirm()
        sent = 0
      }
      await write(ctx, chunk as Buffer)
      sent += (chunk as Buffer).length
    }
    ctx.res.end()
  } catch (error) {
    ctx.app.emit('error', error, ctx)
    // A balancer takes an answer without a head for a dead server: it asks the next one, and then neither for a while.
    if (ctx.res.writableEnded) return
    if (!ctx.res.headersSent) ctx.res.flushHeaders()
    ctx.res.destroy()
  }
}
