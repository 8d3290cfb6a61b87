/** Checks what a caller may give to an API key: no more than the caller has. */
import type { Principal } from '../access/actor.ts'
import { limitsOf } from '../access/key-budgets.ts'
import { mayCreateDeviceKey, mayGiveExpiry, mayGiveLimits, mayMakeKeys } from '../access/policy.ts'
import { refuseGift } from '../access/refuse.ts'
import type { Permission } from '../api/permissions.ts'
import { AppError } from '../base/errors.ts'
import type { ApiKeyRow } from '../db/models/api-keys.ts'

/** The columns that determine what a key can do. */
export type KeyPowers = Pick<
  ApiKeyRow,
  'kind' | 'expires_at' | 'rate_limit_per_minute' | 'rate_limit_per_hour' | 'rate_limit_per_day'
> & { permissions: readonly Permission[] }

const refuse = (message: string): AppError => new AppError('forbidden', message)

/** Throws `forbidden` if a key could do more than the actor, or for longer. */
export function checkGrant(actor: Principal, key: KeyPowers): void {
  refuseGift(actor, key.permissions)
  if (key.kind === 'device' && !mayCreateDeviceKey(actor)) throw refuse('Only a signed-in user may make a device key')
  if (!mayGiveLimits(actor, limitsOf(key))) throw refuse('A key may not give another more requests than it has')
  if (!mayMakeKeys(actor)) throw refuse('Keys that keys made can make no more of them')
  if (!mayGiveExpiry(actor, key.expires_at)) throw refuse('A key may not make one that outlives it')
}
