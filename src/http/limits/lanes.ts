/**
 * Semaphores by name: a lane admits a number of requests at once, and the others wait in order of arrival, or as the
 * networks of a link's visitors share it. A request may leave its place empty for a while when it ends.
 */
import type { Context } from 'koa'
import { accountOf, type Caller } from '../../access/actor.ts'
import { AppError, clientHasGone } from '../../base/errors.ts'
import { isClientGone } from '../client-gone.ts'
import { cutOff } from '../cut-off.ts'
import { beginPlace, courtesy, findLesser, findNext, openPlace, type Place } from './sharing.ts'

export interface Permit {
  /** Whether its request has waited. The caller's rights may have changed meanwhile, so they are checked again. */
  hasWaited: boolean
  /** Returns the permit, so that the next request begins, after `rest` ms if given. A second call does nothing. */
  end(rest?: number): void
}

/**
 * The name of a caller's lane. Sessions and keys queue separately, so that a script delays its owner's page by at most
 * one running call. All visitors of a link have one together, which their networks share.
 */
export const laneOf = (caller: Caller): string =>
  caller.link === null ? `${caller.userId} ${caller.key === null ? 'session' : 'key'}` : accountOf(caller)

/** The lane of all visitors at the links of one maker, who answers for them; null for a user. */
export const makerLaneOf = (caller: Caller): string | null =>
  caller.link === null ? null : `links of ${caller.link.madeBy}`

/** Whose place a request takes, and for how long it waits for one. */
interface Entrance {
  /** The visitor's network, where visitors share the lane. */
  network?: string | null
  /** ms. */
  patience?: number
}

/**
 * Resolves when a request may begin in the lane of that name, which admits `atOnce` requests. Throws if its client has
 * disconnected by then, and `rate_limited` when its patience is at an end. In a shared lane another request that has to give
 * way is cut off.
 */
type EnterLane = (ctx: Context, name: string, atOnce: number, entrance?: Entrance) => Promise<Permit>

interface Lane {
  readonly held: Set<Place>
  readonly waiting: Map<Place, () => void>
}

/** Resolves when another request passes its permit on. */
function wait(lane: Lane, place: Place, patience: number | undefined): Promise<void> {
  const { res } = place.ctx
  return new Promise((resolve, reject) => {
    const stop = () => {
      res.off('close', leave)
      clearTimeout(timer)
      clearInterval(asking)
    }
    const begin = () => {
      stop()
      resolve()
    }
    const giveUp = (error: Error) => {
      stop()
      if (lane.waiting.delete(place)) reject(error)
    }
    const leave = () => giveUp(clientHasGone())
    const timer = patience === undefined ? undefined : setTimeout(() => giveUp(tooBusy()), patience).unref()
    const makeRoom = () => {
      const lesser = findLesser(lane.held, place)
      if (lesser !== undefined) cutOff(lesser.ctx.req, lesser.ctx.res, gaveWay())
    }
    const asking = place.network === null ? undefined : setInterval(makeRoom, courtesy).unref()
    lane.waiting.set(place, begin)
    res.once('close', leave)
  })
}

const tooBusy = (): AppError =>
  new AppError('rate_limited', 'Too many requests at once, try again in a few seconds', { retryAfter: 5 })

/** 503 instead of 429: a request that has begun may have stored something. */
const gaveWay = (): AppError =>
  new AppError('unavailable', 'The request has given way to another visitor, try again', { retryAfter: 5 })

/** Opens the lanes of one process. A lane without requests takes no memory. */
export function openLanes(): EnterLane {
  const lanes = new Map<string, Lane>()

  function pass(name: string, lane: Lane, place: Place): void {
    lane.held.delete(place)
    const next = findNext(lane.waiting.keys(), lane.held)
    if (next === undefined) {
      if (lane.held.size === 0) lanes.delete(name)
      return
    }
    // A request that ends passes its permit on, so that no newcomer gets it before those that wait.
    const begin = lane.waiting.get(next)
    lane.waiting.delete(next)
    lane.held.add(beginPlace(next))
    begin?.()
  }

  return async (ctx, name, atOnce, { network = null, patience } = {}) => {
    if (isClientGone(ctx)) throw clientHasGone()
    const lane: Lane = lanes.get(name) ?? { held: new Set(), waiting: new Map() }
    lanes.set(name, lane)
    const place = openPlace(ctx, network)
    const hasWaited = lane.held.size >= atOnce
    if (hasWaited) await wait(lane, place, patience)
    else lane.held.add(place)
    let isHeld = true
    const end = (rest = 0) => {
      if (!isHeld) return
      isHeld = false
      if (rest > 0) setTimeout(() => pass(name, lane, place), rest).unref()
      else pass(name, lane, place)
    }
    if (isClientGone(ctx)) {
      end()
      throw clientHasGone()
    }
    return { hasWaited, end }
  }
}

/** The name of a lane, how many requests it admits at once, and how a request enters it. */
export type LaneToHold = [name: string, atOnce: number, entrance?: Entrance]

/** Enters lanes in their order, and holds their places until the answer is sent. Returns whether the request had to wait. */
export async function holdLanes(ctx: Context, enter: EnterLane, lanes: readonly LaneToHold[]): Promise<boolean> {
  const permits: Permit[] = []
  ctx.res.once('close', () => {
    for (const permit of permits) permit.end()
  })
  for (const [name, atOnce, entrance] of lanes) permits.push(await enter(ctx, name, atOnce, entrance))
  return permits.some(({ hasWaited }) => hasWaited)
}
