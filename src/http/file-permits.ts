/** Limits how many responses to one user's sessions hold a file open at once; the others wait in order. */
import type { ServerResponse } from 'node:http'
import type { Context } from 'koa'
import type { Actor } from '../access/actor.ts'
import { maxSessionFiles } from '../api/limits.ts'
import { clientHasGone, isClientGone } from './client-gone.ts'

interface Permits {
  held: number
  /** Functions that start waiting responses, the oldest first. */
  readonly waiting: Map<ServerResponse, () => void>
}

/** Resolves when a request may open its file; counts it until its response is sent. Throws if its client has gone. */
export type WaitForFile = (ctx: Context) => Promise<void>

/** Opens the counts of one process. Requests by keys do not wait: user-cap.ts already limits them more strictly. */
export function openFilePermits(): WaitForFile {
  const users = new Map<number, Permits>()

  function end(userId: number, permits: Permits): void {
    const [next] = permits.waiting
    if (next !== undefined) {
      // A response that ends passes its permit on, so that no newcomer gets it before those that wait.
      permits.waiting.delete(next[0])
      next[1]()
      return
    }
    permits.held -= 1
    if (permits.held === 0) users.delete(userId)
  }

  return async ctx => {
    const { res } = ctx
    const { userId, key } = ctx.state.actor as Actor
    if (isClientGone(ctx)) throw clientHasGone()
    if (key !== null) return
    const permits = users.get(userId) ?? { held: 0, waiting: new Map() }
    users.set(userId, permits)
    await new Promise<void>((resolve, reject) => {
      res.once('close', () => {
        if (permits.waiting.delete(res)) reject(clientHasGone())
        else end(userId, permits)
      })
      if (permits.held >= maxSessionFiles) permits.waiting.set(res, resolve)
      else {
        permits.held += 1
        resolve()
      }
    })
    if (isClientGone(ctx)) throw clientHasGone()
  }
}
