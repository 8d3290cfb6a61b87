/** Cuts off stalled bodies: no byte for 60 s, or under 1 kB/s over five minutes. Slow but moving ones may continue. */
import type { IncomingMessage } from 'node:http'
import type { Context, Next } from 'koa'
import { bodyIsLate } from '../../base/errors.ts'
import { cutOff } from '../cut-off.ts'
import { BoundedRequest } from './bounded-request.ts'

const checkEvery = 5_000
/** Numbers of checks in one minute and in five minutes. */
const stallChecks = 12
const windowChecks = 60
/** 1 kB/s over the five minutes. */
const windowBytes = 300_000

function watchBody({ req: request, res }: Context): void {
  const { socket } = request
  let seen = [socket.bytesRead]
  const timer = setInterval(() => {
    // The server itself is holding the body back, while the disk or the database is busy; do not blame the client.
    const isHeldBack = request instanceof BoundedRequest && request.isHeldBack
    // Node calls a request paused, too, whose reader takes one chunk after another.
    const isPaused = request.isPaused() && request.listenerCount('readable') === 0
    if (isHeldBack || isPaused || request.complete || request.readableLength > 0) {
      seen = [socket.bytesRead]
      return
    }
    const windowStart = seen.at(-windowChecks)
    const stalled = socket.bytesRead === seen.at(-stallChecks)
    const crawling = windowStart !== undefined && socket.bytesRead - windowStart < windowBytes
    if (stalled || crawling) cutOff(request, res, bodyIsLate())
    seen.push(socket.bytesRead)
    if (seen.length > windowChecks) seen.shift()
  }, checkEvery).unref()
  const stop = () => clearInterval(timer)
  request.once('end', stop)
  request.once('close', stop)
}

/** Whether a request brings a body, as far as its head says. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  Boolean(headers['transfer-encoding']) || Number(headers['content-length'] ?? 0) > 0

/** Watches every request with a body. */
export async function cutSlowBodies(ctx: Context, next: Next): Promise<void> {
  if (hasBody(ctx.req)) watchBody(ctx)
  await next()
}
