/** Limits how many requests of one user run at once. */
import type { Context } from 'koa'
import type { Actor } from '../../access/actor.ts'
import { maxKeyRequests, maxSessionRequests } from '../../api/limits.ts'
import { AppError } from '../../base/errors.ts'
import { isClientGone } from '../client-gone.ts'

type UserCap = (ctx: Context, actor: Actor) => void

/** The number of running requests in this process, by user. */
type Counts = Map<number, number>

function count(counts: Counts, userId: number, by: 1 | -1): void {
  const sum = (counts.get(userId) ?? 0) + by
  if (sum > 0) counts.set(userId, sum)
  else counts.delete(userId)
}

/**
 * Counts a request until its response is sent; throws `rate_limited` if its user has too many running. Sessions and
 * keys count separately, so that a script does not lock its owner out of the page.
 */
export function openUserCap(): UserCap {
  const ofSessions: Counts = new Map()
  const ofKeys: Counts = new Map()
  return (ctx, { userId, key }) => {
    const [counts, most] = key === null ? [ofSessions, maxSessionRequests] : [ofKeys, maxKeyRequests]
    if ((counts.get(userId) ?? 0) >= most) {
      const whose = key === null ? 'This account has' : 'The keys of this account have'
      const message = `${whose} ${most} requests under way, the most allowed: try again`
      throw new AppError('rate_limited', message, { retryAfter: 1 })
    }
    if (isClientGone(ctx)) return
    count(counts, userId, 1)
    ctx.res.once('close', () => count(counts, userId, -1))
  }
}
