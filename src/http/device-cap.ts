/** A device key has no request budget, but at most 16 requests under way at once. */
import type { Context } from 'koa'
import type { Actor } from '../access/actor.ts'
import { maxDeviceKeyRequests } from '../api/limits.ts'
import { AppError } from '../errors.ts'

type DeviceCap = (ctx: Context, actor: Actor) => void

/** Counts a device key's request until its answer is sent; throws `rate_limited` for the 17th. */
export function openDeviceCap(): DeviceCap {
  const underWay = new Map<number, number>()
  return (ctx, actor) => {
    if (actor.key?.kind !== 'device') return
    const { id } = actor.key
    const count = underWay.get(id) ?? 0
    if (count >= maxDeviceKeyRequests) {
      throw new AppError('rate_limited', `This key has ${maxDeviceKeyRequests} requests under way`, { retryAfter: 1 })
    }
    // Who has gone meanwhile closes no second time: it would count for ever.
    if (ctx.res.closed) return
    underWay.set(id, count + 1)
    ctx.res.once('close', () => {
      const left = (underWay.get(id) ?? 1) - 1
      if (left === 0) underWay.delete(id)
      else underWay.set(id, left)
    })
  }
}
