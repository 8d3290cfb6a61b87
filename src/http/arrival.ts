/** Notes whether a request had arrived with its body before any right of its caller was read. */
import { setImmediate } from 'node:timers/promises'
import type { Context, Next } from 'koa'
import { hasBody } from './limits/slow-body.ts'

/** Comes before everything that reads rights. */
export async function noteArrival(ctx: Context, next: Next): Promise<void> {
  // Most small bodies come right behind the head, and have been parsed after one turn of the event loop.
  if (hasBody(ctx.req)) await setImmediate()
  ctx.state.hasArrived = !hasBody(ctx.req) || ctx.req.complete
  await next()
}

/** Whether no time has passed since the rights were read in which the body arrived and they could have ended. */
export const hasArrived = (ctx: Context): boolean => ctx.state.hasArrived === true
