/** Sends the bytes of a file, chunk by chunk: the next is asked for once the socket has let go of the last. */
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { Context, Next } from 'koa'

/** The streams that answer on a connection. A response that waits behind another on it is never told that it ended. */
const streamsOf = new WeakMap<Socket, Set<Readable>>()

function closeWith(socket: Socket, stream: Readable): void {
  const streams = streamsOf.get(socket) ?? new Set()
  if (!streamsOf.has(socket)) {
    streamsOf.set(socket, streams)
    socket.once('close', () => {
      for (const open of streams) open.destroy()
    })
  }
  streams.add(stream)
  stream.once('close', () => streams.delete(stream))
  if (socket.destroyed) stream.destroy()
}

/**
 * Answers with a stream, once every middleware is done with the head. Not as Koa does: a pipe goes on at any `drain`,
 * and Node tells a response of one too when another that waits behind it on the connection has written something.
 */
export function answerWith(ctx: Context, stream: Readable): void {
  ctx.state.stream = stream
  // Whatever becomes of the answer, the file is closed.
  closeWith(ctx.req.socket, stream)
  ctx.res.once('close', () => stream.destroy())
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
