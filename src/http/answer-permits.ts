/** Limits how many answers of one kind a user has under way at once; the others wait in their order. */
import type { ServerResponse } from 'node:http'
import type { Context } from 'koa'
import type { Actor } from '../access/actor.ts'
import { clientHasGone, isClientGone } from './client-gone.ts'

interface Lane {
  held: number
  /** Lets the answer begin that waits; the oldest stands first. */
  readonly waiting: Map<ServerResponse, () => void>
}

/**
 * Resolves when a request's answer may begin, and counts it until that is sent; says whether it has waited, for what its
 * caller may do can have ended meanwhile. Throws if its client has gone.
 */
type TakePermit = (ctx: Context) => Promise<boolean>

/**
 * Opens the counts of one process: so many answers of a user's sessions at once, and as many of the user's keys, so that
 * no script keeps its owner's page waiting.
 */
export function openPermits(atOnce: number): TakePermit {
  const lanes = new Map<string, Lane>()

  function end(name: string, lane: Lane): void {
    const [next] = lane.waiting
    if (next !== undefined) {
      // The answer that ends passes its permit on, so that no newcomer takes it before those who wait.
      lane.waiting.delete(next[0])
      next[1]()
      return
    }
    lane.held -= 1
    if (lane.held === 0) lanes.delete(name)
  }

  return async ctx => {
    const { res } = ctx
    const { userId, key } = ctx.state.actor as Actor
    if (isClientGone(ctx)) throw clientHasGone()
    const name = `${userId} ${key === null ? 'session' : 'key'}`
    const lane = lanes.get(name) ?? { held: 0, waiting: new Map() }
    lanes.set(name, lane)
    const hasToWait = lane.held >= atOnce
    await new Promise<void>((resolve, reject) => {
      res.once('close', () => {
        if (lane.waiting.delete(res)) reject(clientHasGone())
        else end(name, lane)
      })
      if (hasToWait) lane.waiting.set(res, resolve)
      else {
        lane.held += 1
        resolve()
      }
    })
    if (isClientGone(ctx)) throw clientHasGone()
    return hasToWait
  }
}
