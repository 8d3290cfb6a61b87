/** Sends the bytes of a file, chunk by chunk: the next is asked for once the socket has let go of the last. */
import type { Readable } from 'node:stream'
import type { Context, Next } from 'koa'

/**
 * Answers with a stream, once every middleware is done with the head. Not as Koa does: a pipe goes on at any `drain`,
 * and Node tells a response of one too when another that waits behind it on the connection has written something.
 */
export function answerWith(ctx: Context, stream: Readable): void {
  ctx.state.stream = stream
  // Whatever becomes of the answer, the file is closed.
  if (ctx.req.socket.destroyed) stream.destroy()
  else ctx.res.once('close', () => stream.destroy())
}

const write = (ctx: Context, chunk: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    ctx.res.write(chunk, error => (error ? reject(error) : resolve()))
  })

/** The middleware that sends what `answerWith` was given. */
export async function writeStream(ctx: Context, next: Next): Promise<void> {
  await next()
  const stream = ctx.state.stream as Readable | undefined
  // Where something failed meanwhile, an error is the body.
  if (stream === undefined || ctx.body !== undefined) return
  ctx.respond = false
  try {
    for await (const chunk of stream) await write(ctx, chunk as Buffer)
    ctx.res.end()
  } catch (error) {
    ctx.app.emit('error', error, ctx)
    ctx.res.destroy()
  }
}
