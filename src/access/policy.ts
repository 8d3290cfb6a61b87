/** Who may do what, as pure yes-or-no functions beside each other. */
import type { ValidationStatus } from '../api/items.ts'
import { defaultRateLimits, maxKeyGenerations } from '../api/limits.ts'
import type { Permission } from '../api/permissions.ts'
import type { Actor, Principal } from './actor.ts'
import type { RequestLimits } from './key-budgets.ts'
import { isInReach } from './reach.ts'

/** What a route asks of its caller: permissions, a session or key of anybody, or a session. */
export type Access =
  | Permission
  | { all: readonly Permission[] }
  | { any: readonly Permission[] }
  | 'signed-in'
  | 'session'

const hasPermission = (actor: Actor, permission: Permission): boolean => actor.permissions.has(permission)

export function mayCall(actor: Actor, access: Access): boolean {
  if (access === 'signed-in') return true
  if (access === 'session') return actor.key === null
  if (typeof access === 'string') return hasPermission(actor, access)
  if ('all' in access) return access.all.every(permission => hasPermission(actor, permission))
  return access.any.some(permission => hasPermission(actor, permission))
}

/** A key of the `device` kind has no request budget, so only a person who is signed in can make one. */
export const mayCreateDeviceKey = (actor: Principal): boolean => actor.key === null

/** A key gives another no more requests than it has itself; null is no limit at all. */
export function mayGiveLimits({ key }: Principal, limits: RequestLimits | null): boolean {
  if (key === null || key.limits === null) return true
  const { minute, hour, day } = key.limits
  return limits !== null && limits.minute <= minute && limits.hour <= hour && limits.day <= day
}

/** Keys make keys that make keys, but not for ever: each request counts for all of them. */
export const mayMakeKeys = ({ key }: Principal): boolean => key === null || key.generation < maxKeyGenerations

/** A key makes none that outlives it; times in ms, null is never. */
export function mayGiveExpiry({ key }: Principal, expiresAt: number | null): boolean {
  if (key === null || key.expiresAt === null) return true
  return expiresAt !== null && expiresAt <= key.expiresAt
}

const fallsShort = (limits: RequestLimits): boolean =>
  limits.minute < defaultRateLimits.minute || limits.hour < defaultRateLimits.hour || limits.day < defaultRateLimits.day

/**
 * A key that was given an end, or fewer requests than keys have by default, empowers nobody: it makes and enables no
 * users, sets no passwords, and gives neither roles nor permissions. Whoever knows the password of another account has
 * neither that end nor that limit there.
 */
export const mayEmpower = ({ key }: Principal): boolean =>
  key === null || (key.expiresAt === null && (key.limits === null || !fallsShort(key.limits)))

/** Nobody gives a key, a role or a user what they lack themselves. */
export const mayGrant = (actor: Principal, permissions: readonly Permission[]): boolean =>
  permissions.every(permission => actor.permissions.has(permission))

/** Nobody takes over, locks out or removes a user who may do what they may not; `permissions` are that user's. */
export const mayOverrule = (actor: Principal, permissions: readonly Permission[]): boolean =>
  mayGrant(actor, permissions)

/** What of an item tells whether it is in the trash. */
interface TrashMarks {
  deleted_at: number | null
  trash_root_id: number | null
}

/** What of an item decides who may open it. */
interface OpenableItem extends TrashMarks {
  space_id: number
  is_directory: 0 | 1
  validation_status: ValidationStatus
}

/** What went to the trash with its folder has no deleted_at of its own (files/trash.ts). */
export const isLive = ({ deleted_at, trash_root_id }: TrashMarks): boolean =>
  deleted_at === null && trash_root_id === null

/** The same of a row `f` in SQL. */
export const liveRow = 'f.deleted_at IS NULL AND f.trash_root_id IS NULL'

/**
 * Held until approved: who may see a single item and its content. A reviewer may also open another's file while it is
 * pending or rejected, to decide on it; nobody else sees another's.
 */
export function mayOpen(actor: Actor, item: OpenableItem): boolean {
  if (!isLive(item)) return false
  if (isInReach(actor, item)) return true
  return item.is_directory === 0 && item.validation_status !== 'approved' && hasPermission(actor, 'validation:review')
}

/** Nobody decides on a file of their own, unless the settings allow it. */
export const mayDecide = (actor: Principal, item: { owner_id: number }, allowSelf: boolean): boolean =>
  allowSelf || item.owner_id !== actor.userId
