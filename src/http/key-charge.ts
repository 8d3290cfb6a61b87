/** Charges a script key for its requests, and tells it in every answer what it has left. */
import type { Context } from 'koa'
import type { Actor } from '../access/actor.ts'
import type { KeyBudgets } from '../access/key-budgets.ts'
import { AppError } from '../base/errors.ts'

type KeyCharge = (ctx: Context, actor: Actor) => Promise<void>

/**
 * Gives back a function that counts a limited key's request, for it and for those that made it; it throws `rate_limited`
 * where nothing is left.
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
