/** Limits how many answers of one kind a user has under way at once; the others wait in order of arrival. */
import type { Context } from 'koa'
import type { Actor } from '../access/actor.ts'
import { clientHasGone, isClientGone } from './client-gone.ts'
import { openLanes } from './lanes.ts'

/**
 * Resolves when a request's answer may begin, and counts it until that is sent. Says whether it has waited, because its
 * caller's rights can have ended meanwhile. Throws if its client has disconnected.
 */
type TakePermit = (ctx: Context) => Promise<boolean>

/**
 * Opens the counts of one process: `atOnce` answers of a user's sessions, and as many of the user's keys, so that a
 * script does not block its owner's page.
 */
export function openPermits(atOnce: number): TakePermit {
  const enter = openLanes()
  return async ctx => {
    const { userId, key } = ctx.state.actor as Actor
    const { hasWaited, end } = await enter(ctx, `${userId} ${key === null ? 'session' : 'key'}`, atOnce)
    if (isClientGone(ctx)) {
      end()
      throw clientHasGone()
    }
    ctx.res.once('close', end)
    return hasWaited
  }
}
