/** What nobody does to somebody who may do more: the policy's answers as errors. */
import type { Permission } from '../api/permissions.ts'
import { AppError } from '../base/errors.ts'
import type { Principal } from './actor.ts'
import { mayEmpower, mayGrant, mayOverrule } from './policy.ts'

/** Throws `forbidden` where a key, a role or a user would get a permission that the actor lacks. */
export function refuseGift(actor: Principal, permissions: readonly Permission[]): void {
  if (!mayGrant(actor, permissions)) throw new AppError('forbidden', 'You may not give a permission that you lack')
}

/** Throws `forbidden` for a key whose own end or limits would not hold for whomever it empowers. */
export function refuseEmpowering(actor: Principal): void {
  if (mayEmpower(actor)) return
  const sentence =
    'A key that expires or has few requests may not make users, set passwords, or give roles or permissions'
  throw new AppError('forbidden', sentence)
}

/** Throws `forbidden` where a user or a role, `noun`, has a permission that the actor lacks. */
export function refuseOverruling(actor: Principal, permissions: readonly Permission[], noun: string): void {
  if (mayOverrule(actor, permissions)) return
  throw new AppError('forbidden', `You may not do this to a ${noun} with a permission that you lack`)
}
