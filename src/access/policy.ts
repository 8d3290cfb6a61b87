/** Who may do what, as pure yes-or-no functions beside each other. */
import type { ValidationStatus } from '../api/items.ts'
import type { Permission } from '../api/permissions.ts'
import type { Actor, Administrator } from './actor.ts'
import type { RequestLimits } from './key-budgets.ts'

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
export const mayCreateDeviceKey = (actor: Administrator): boolean => actor.key === null

/** A key gives another no more requests than it has itself; null is no limit at all. */
export function mayGiveLimits({ key }: Administrator, limits: RequestLimits | null): boolean {
  if (key === null || key.limits === null) return true
  const { minute, hour, day } = key.limits
  return limits !== null && limits.minute <= minute && limits.hour <= hour && limits.day <= day
}

/** A key makes none that outlives it; times in ms, null is never. */
export function mayGiveExpiry({ key }: Administrator, expiresAt: number | null): boolean {
  if (key === null || key.expiresAt === null) return true
  return expiresAt !== null && expiresAt <= key.expiresAt
}

/** Nobody gives a key, a role or a user what they lack themselves. */
export const mayGrant = (actor: Administrator, permissions: readonly Permission[]): boolean =>
  permissions.every(permission => actor.permissions.has(permission))

/** Nobody takes over, locks out or removes a user who may do what they may not; `permissions` are that user's. */
export const mayOverrule = (actor: Administrator, permissions: readonly Permission[]): boolean =>
  mayGrant(actor, permissions)

/** What of an item decides who may open it. */
interface OpenableItem {
  space_id: number
  is_directory: 0 | 1
  validation_status: ValidationStatus
  deleted_at: number | null
}

/**
 * What a call finds that lists, searches, copies, packs or changes items: all that is live in the own space, approved or
 * not, and nothing of another's. Those that read many rows say the same in SQL, by `space_id` and `deleted_at` or by
 * `live_parent`: a space that several share would need the status among the conditions of each of them.
 */
export const isOwnLive = (spaceId: number, item: Pick<OpenableItem, 'space_id' | 'deleted_at'>): boolean =>
  item.space_id === spaceId && item.deleted_at === null

/**
 * Held until approved: who may see a single item and its content. A reviewer may also open another's file while it is
 * pending or rejected, to decide on it; nobody else sees another's.
 */
export function mayOpen(actor: Actor, item: OpenableItem): boolean {
  if (isOwnLive(actor.spaceId, item)) return true
  if (item.deleted_at !== null) return false
  return item.is_directory === 0 && item.validation_status !== 'approved' && hasPermission(actor, 'validation:review')
}

/** Nobody decides on a file of their own, unless the settings allow it. */
export const mayDecide = (actor: Administrator, item: { owner_id: number }, allowSelf: boolean): boolean =>
  allowSelf || item.owner_id !== actor.userId
