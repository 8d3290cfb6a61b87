/** Keeps the sessions of a user to so many answers at once that hold a file open; the others wait, in their order. */
import type { ServerResponse } from 'node:http'
import type { Context } from 'koa'
import type { Actor } from '../access/actor.ts'
import { maxSessionFiles } from '../api/limits.ts'
import { clientHasGone, isClientGone } from './client-gone.ts'

interface Turns {
  held: number
  /** What lets an answer begin, oldest first. */
  readonly waiting: Map<ServerResponse, () => void>
}

/** Resolves when a request may open its file, and counts it until its answer is sent. Throws where its client has gone. */
export type WaitForFile = (ctx: Context) => Promise<void>

/**
 * Opens the counts of one process. Requests of keys do not wait: fewer of them may be under way at all
 * (http/user-cap.ts).
 */
export function openFileTurns(): WaitForFile {
  const users = new Map<number, Turns>()

  function end(userId: number, turns: Turns): void {
    const [next] = turns.waiting
    if (next !== undefined) {
      // Whoever ends hands the turn over, so that nobody slips in between.
      turns.waiting.delete(next[0])
      next[1]()
      return
    }
    turns.held -= 1
    if (turns.held === 0) users.delete(userId)
  }

  return async ctx => {
    const { res } = ctx
    const { userId, key } = ctx.state.actor as Actor
    if (isClientGone(ctx)) throw clientHasGone()
    if (key !== null) return
    const turns = users.get(userId) ?? { held: 0, waiting: new Map() }
    users.set(userId, turns)
    await new Promise<void>((resolve, reject) => {
      res.once('close', () => {
        if (turns.waiting.delete(res)) reject(clientHasGone())
        else end(userId, turns)
      })
      if (turns.held >= maxSessionFiles) turns.waiting.set(res, resolve)
      else {
        turns.held += 1
        resolve()
      }
    })
    if (isClientGone(ctx)) throw clientHasGone()
  }
}
