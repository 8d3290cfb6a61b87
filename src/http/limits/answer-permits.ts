/** Limits a user's or a link's concurrent answers of one kind; further ones wait for their turn. */
import type { Context } from 'koa'
import { type Caller, sharingNetwork } from '../../access/actor.ts'
import { holdLanes, type LaneToHold, laneOf, makerLaneOf, openLanes } from './lanes.ts'

/**
 * Resolves when a request's answer may start, and counts it until it is sent. Returns whether it had to wait, because
 * the caller may have lost access meanwhile. Throws when the client has disconnected.
 */
type TakePermit = (ctx: Context) => Promise<boolean>

/** How many answers are sent at once. */
interface Most {
  /** Of a user's sessions, and of the user's keys, so that a script does not block its owner's page; and of a link. */
  ofOne: number
  /** Of all links of one maker. */
  ofMaker?: number
  /** Of all links. */
  ofVisitors?: number
}

/** Opens the counts of one process. */
export function openPermits({ ofOne, ofMaker, ofVisitors }: Most): TakePermit {
  const enter = openLanes()
  return ctx => {
    const caller = ctx.state.actor as Caller
    const entrance = { network: sharingNetwork(caller) }
    const lanes: LaneToHold[] = [[laneOf(caller), ofOne, entrance]]
    const maker = makerLaneOf(caller)
    if (maker !== null && ofMaker !== undefined) lanes.push([maker, ofMaker, entrance])
    if (maker !== null && ofVisitors !== undefined) lanes.push(['visitors', ofVisitors, entrance])
    return holdLanes(ctx, enter, lanes)
  }
}
