/** Turns the policy's answers into errors, for acts that would exceed the actor's own permissions. */
import type { LinkLevel } from '../api/link-levels.ts'
import type { Permission } from '../api/permissions.ts'
import { AppError } from '../base/errors.ts'
import type { Principal } from './actor.ts'
import { mayEmpower, mayGiveExpiry, mayGiveLevel, mayGrant, mayOverrule } from './policy.ts'

/** Throws `forbidden` if a key, role or user would get a permission that the actor lacks. */
export function refuseGift(actor: Principal, permissions: readonly Permission[]): void {
  if (!mayGrant(actor, permissions)) throw new AppError('forbidden', 'You may not give a permission that you lack')
}

/** Throws `forbidden` for a key that expires or has few requests, because users it empowers would not be so limited. */
export function refuseEmpowering(actor: Principal): void {
  if (mayEmpower(actor)) return
  const gifts = 'make users, set passwords, give roles or permissions, or add members or managers'
  throw new AppError('forbidden', `A key that expires or has few requests may not ${gifts}`)
}

/** Throws `forbidden` if access that a key gives would go on after the key has expired; ms, null means never. */
export function refuseOutlasting(actor: Principal, expiresAt: number | null): void {
  if (mayGiveExpiry(actor, expiresAt)) return
  throw new AppError('forbidden', 'A key that expires may not give access that goes on after it')
}

/** Throws `forbidden` if a user or role (`noun`) has a permission that the actor lacks. */
export function refuseOverruling(actor: Principal, permissions: readonly Permission[], noun: string): void {
  if (mayOverrule(actor, permissions)) return
  throw new AppError('forbidden', `You may not do this to a ${noun} with a permission that you lack`)
}

/** Throws `forbidden` for a link that would allow what the actor may not do. */
export function refuseLevel(actor: Principal, level: LinkLevel): void {
  if (mayGiveLevel(actor, level)) return
  throw new AppError('forbidden', 'A link may only allow what you may do: to see takes files:read, to add files:upload')
}
