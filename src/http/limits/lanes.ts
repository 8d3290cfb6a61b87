/**
 * Semaphores by name: a lane admits a number of requests at once, and the others wait in order of arrival. A request may
 * leave its place empty for a while when it ends.
 */
import type { Context } from 'koa'
import { accountOf, type Caller } from '../../access/actor.ts'
import { AppError, clientHasGone } from '../../base/errors.ts'
import { isClientGone } from '../client-gone.ts'

export interface Permit {
  /** Whether its request has waited. The caller's rights may have changed meanwhile, so they are checked again. */
  hasWaited: boolean
  /** Returns the permit, so that the next request begins, after `rest` ms if given. A second call does nothing. */
  end(rest?: number): void
}

/**
 * The name of a caller's lane. Sessions and keys queue separately, so that a script delays its owner's page by at most
 * one running call. All visitors of a link have one together.
 */
export const laneOf = (caller: Caller): string =>
  caller.link === null ? `${caller.userId} ${caller.key === null ? 'session' : 'key'}` : accountOf(caller)

/**
 * Resolves when a request may begin in the lane of that name, which admits `atOnce` requests. Throws if its client has
 * disconnected by then, and `rate_limited` when it has waited for `patience` ms.
 */
type EnterLane = (ctx: Context, name: string, atOnce: number, patience?: number) => Promise<Permit>

interface Lane {
  held: number
  readonly waiting: Set<() => void>
}

/** Resolves when another request passes its permit on. */
function wait({ res }: Context, lane: Lane, patience: number | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const begin = () => {
      res.off('close', leave)
      clearTimeout(timer)
      resolve()
    }
    const giveUp = (error: Error) => {
      if (lane.waiting.delete(begin)) reject(error)
    }
    const leave = () => {
      clearTimeout(timer)
      giveUp(clientHasGone())
    }
    const timer = patience === undefined ? undefined : setTimeout(() => giveUp(tooBusy()), patience).unref()
    lane.waiting.add(begin)
    res.once('close', leave)
  })
}

const tooBusy = (): AppError =>
  new AppError('rate_limited', 'Too many requests at once, try again in a few seconds', { retryAfter: 5 })

/** Opens the lanes of one process. A lane without requests takes no memory. */
export function openLanes(): EnterLane {
  const lanes = new Map<string, Lane>()

  function pass(name: string, lane: Lane): void {
    const [next] = lane.waiting
    if (next !== undefined) {
      // A request that ends passes its permit on, so that no newcomer gets it before those that wait.
      lane.waiting.delete(next)
      next()
      return
    }
    lane.held -= 1
    if (lane.held === 0) lanes.delete(name)
  }

  return async (ctx, name, atOnce, patience) => {
    if (isClientGone(ctx)) throw clientHasGone()
    const lane = lanes.get(name) ?? { held: 0, waiting: new Set() }
    lanes.set(name, lane)
    const hasWaited = lane.held >= atOnce
    if (hasWaited) await wait(ctx, lane, patience)
    else lane.held += 1
    let isHeld = true
    const end = (rest = 0) => {
      if (!isHeld) return
      isHeld = false
      if (rest > 0) setTimeout(() => pass(name, lane), rest).unref()
      else pass(name, lane)
    }
    if (isClientGone(ctx)) {
      end()
      throw clientHasGone()
    }
    return { hasWaited, end }
  }
}
