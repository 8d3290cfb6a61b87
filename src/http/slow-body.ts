/** Cuts bodies that do not move: no byte for 60 s, or under 1 kB/s over five minutes. Slow but moving ones may last. */
import type { IncomingMessage } from 'node:http'
import type { Context, Next } from 'koa'

const checkEvery = 5_000
/** A minute and five minutes of checks. */
const stallChecks = 12
const windowChecks = 60
/** 1 kB/s over the five minutes. */
const windowBytes = 300_000

function watchBody(request: IncomingMessage): void {
  const { socket } = request
  let seen = [socket.bytesRead]
  const timer = setInterval(() => {
    // Held back by us, while the disk or the database is busy: that is not the client's fault.
    if (request.isPaused() || request.readableLength > 0) {
      seen = [socket.bytesRead]
      return
    }
    const windowStart = seen.at(-windowChecks)
    const stalled = socket.bytesRead === seen.at(-stallChecks)
    const crawling = windowStart !== undefined && socket.bytesRead - windowStart < windowBytes
    if (stalled || crawling) request.destroy()
    seen.push(socket.bytesRead)
    if (seen.length > windowChecks) seen.shift()
  }, checkEvery).unref()
  const stop = () => clearInterval(timer)
  request.once('end', stop)
  request.once('close', stop)
}

export const hasBody = (ctx: Context): boolean =>
  ctx.get('Transfer-Encoding') !== '' || Number(ctx.get('Content-Length') || 0) > 0

/** Watches every request that brings a body. */
export async function cutSlowBodies(ctx: Context, next: Next): Promise<void> {
  if (hasBody(ctx)) watchBody(ctx.req)
  await next()
}
