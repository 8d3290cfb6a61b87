/** Limits how many requests of a device key run at once. */
import type { Context } from 'koa'
import type { Actor } from '../../access/actor.ts'
import type { DevicePermits } from '../../access/device-permits.ts'
import { maxDeviceKeyRequests } from '../../api/limits.ts'
import { AppError } from '../../base/errors.ts'
import { isClientGone } from '../client-gone.ts'

type DeviceCap = (ctx: Context, actor: Actor) => Promise<void>

/** Counts a device key's request until its response is sent; throws `rate_limited` for the 17th. */
export function openDeviceCap(permits: DevicePermits): DeviceCap {
  return async (ctx, { key }) => {
    if (key?.kind !== 'device') return
    if (!(await permits.begin(key.id))) {
      const message = `This key has ${maxDeviceKeyRequests} requests under way, the most allowed: try again`
      throw new AppError('rate_limited', message, { retryAfter: 1 })
    }
    const end = () => permits.end(key.id)
    if (isClientGone(ctx)) end()
    else ctx.res.once('close', end)
  }
}
