/** Limits a user's or a link's concurrent answers of one kind; further ones wait for their turn. */
import type { Context } from 'koa'
import { type Caller, sharingNetwork } from '../../access/actor.ts'
import { clientHasGone } from '../../base/errors.ts'
import { isClientGone } from '../client-gone.ts'
import { laneOf, makerLaneOf, openLanes } from './lanes.ts'

/**
 * Resolves when a request's answer may start, and counts it until it is sent. Returns whether it had to wait, because
 * the caller may have lost access meanwhile. Throws when the client has disconnected.
 */
type TakePermit = (ctx: Context) => Promise<boolean>

/**
 * Opens the counts of one process: `atOnce` answers of a user's sessions, as many of the user's keys, so that a
 * script does not block its owner's page, and as many of a link's visitors; and `ofMaker` of all links of one maker.
 */
export function openPermits(atOnce: number, ofMaker = Number.POSITIVE_INFINITY): TakePermit {
  const enter = openLanes()
  async function take(ctx: Context, caller: Caller, name: string, most: number): Promise<boolean> {
    const { hasWaited, end } = await enter(ctx, name, most, { network: sharingNetwork(caller) })
    if (isClientGone(ctx)) {
      end()
      throw clientHasGone()
    }
    ctx.res.once('close', () => end())
    return hasWaited
  }
  return async ctx => {
    const caller = ctx.state.actor as Caller
    const hasWaited = await take(ctx, caller, laneOf(caller), atOnce)
    const maker = makerLaneOf(caller)
    return (maker !== null && (await take(ctx, caller, maker, ofMaker))) || hasWaited
  }
}
