/** Who may do what, as pure yes-or-no functions beside each other. */
import type { Permission } from '../api/permissions.ts'
import type { Actor } from './actor.ts'

/** What a route asks of its caller: a permission, a session or key of anybody, or a session. */
export type Access = Permission | 'signed-in' | 'session'

const hasPermission = (actor: Actor, permission: Permission): boolean => actor.permissions.has(permission)

export function mayCall(actor: Actor, access: Access): boolean {
  if (access === 'signed-in') return true
  if (access === 'session') return actor.key === null
  return hasPermission(actor, access)
}

/** A key of the `device` kind has no request budget, so only a person who is signed in can make one. */
export const mayCreateDeviceKey = (actor: Actor): boolean => actor.key === null

/** Nobody gives a key what they lack themselves. */
export const mayGrant = (actor: Actor, permissions: readonly Permission[]): boolean =>
  permissions.every(permission => actor.permissions.has(permission))
