/** Charges a script key for its requests, and sends what it has left in every response. */
import type { Context } from 'koa'
import type { Actor } from '../../access/actor.ts'
import type { KeyBudgets } from '../../access/key-budgets.ts'
import { AppError } from '../../base/errors.ts'

type KeyCharge = (ctx: Context, actor: Actor) => Promise<void>

/**
 * Returns a function that counts a limited key's request, for it and for the keys that made it. It throws
 * `rate_limited` if a budget is used up.
 */
export function openKeyCharge(budgets: KeyBudgets): KeyCharge {
  return async (ctx, { key }) => {
    if (key === null || key.budgets.length === 0) return
    const { isSpent, window, limit, remaining, reset } = await budgets.spend(key.budgets)
    ctx.set({
      'RateLimit-Limit': String(limit),
      'RateLimit-Remaining': String(remaining),
      'RateLimit-Reset': String(reset),
    })
    if (!isSpent) return
    const requests = limit === 1 ? '1 request' : `${limit} requests`
    throw new AppError('rate_limited', `This key may make ${requests} a ${window}: try again in ${reset} s`, {
      retryAfter: reset,
    })
  }
}
