/** Answers with server-sent events. */
import type { Readable } from 'node:stream'
import type { Context } from 'koa'
import { answerWith } from './write-stream.ts'

/** Sends the events as they come. nginx would keep them in its buffer without the header. */
export async function sendEventStream(ctx: Context, open: () => Promise<Readable>): Promise<void> {
  if (ctx.method === 'HEAD') ctx.res.statusCode = 200
  else answerWith(ctx, await open())
  ctx.set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' })
  ctx.status = 200
}
