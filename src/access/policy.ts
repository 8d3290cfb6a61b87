/** The rules of who may do what, as pure yes-or-no functions. */
import type { ValidationStatus } from '../api/items.ts'
import { defaultRateLimits, maxKeyGenerations } from '../api/limits.ts'
import type { Permission } from '../api/permissions.ts'
import type { Actor, Principal } from './actor.ts'
import type { RequestLimits } from './key-budgets.ts'
import { isInReach } from './reach.ts'

/** What a route requires of its caller: permissions, any session or key, or a session. */
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

/** Only a signed-in person can make a `device` key, because it has no request budget. */
export const mayCreateDeviceKey = (actor: Principal): boolean => actor.key === null

/** A key may not give another key more requests than it has itself; null means no limit. */
export function mayGiveLimits({ key }: Principal, limits: RequestLimits | null): boolean {
  if (key === null || key.limits === null) return true
  const { minute, hour, day } = key.limits
  return limits !== null && limits.minute <= minute && limits.hour <= hour && limits.day <= day
}

/** The chain of keys that make keys has a maximum length, because each request counts for all of them. */
export const mayMakeKeys = ({ key }: Principal): boolean => key === null || key.generation < maxKeyGenerations

/** A key may not make one that outlives it; times in ms, null means never. */
export function mayGiveExpiry({ key }: Principal, expiresAt: number | null): boolean {
  if (key === null || key.expiresAt === null) return true
  return expiresAt !== null && expiresAt <= key.expiresAt
}

const fallsShort = (limits: RequestLimits): boolean =>
  limits.minute < defaultRateLimits.minute || limits.hour < defaultRateLimits.hour || limits.day < defaultRateLimits.day

/**
 * A key that expires, or has fewer requests than the default, may not empower anybody: make or enable users, set
 * passwords, or give roles or permissions. Otherwise its holder could escape the key's limits through another account.
 */
export const mayEmpower = ({ key }: Principal): boolean =>
  key === null || (key.expiresAt === null && (key.limits === null || !fallsShort(key.limits)))

/** Nobody may give a key, role or user a permission that they lack themselves. */
export const mayGrant = (actor: Principal, permissions: readonly Permission[]): boolean =>
  permissions.every(permission => actor.permissions.has(permission))

/** Nobody changes or removes a user who may do what they may not; `permissions` are that user's. */
export const mayOverrule = (actor: Principal, permissions: readonly Permission[]): boolean =>
  mayGrant(actor, permissions)

/** The columns that tell whether an item is in the trash. */
interface TrashMarks {
  deleted_at: number | null
  trash_root_id: number | null
}

/** The columns that decide who may open an item. */
interface OpenableItem extends TrashMarks {
  space_id: number
  is_directory: 0 | 1
  validation_status: ValidationStatus
}

/** An item that went to the trash with its folder has no deleted_at of its own (files/trash.ts). */
export const isLive = ({ deleted_at, trash_root_id }: TrashMarks): boolean =>
  deleted_at === null && trash_root_id === null

/** `isLive` as an SQL condition on a row `f`. */
export const liveRow = 'f.deleted_at IS NULL AND f.trash_root_id IS NULL'

/**
 * Whether an actor may open a single item and its content. A reviewer may also open another user's file while it is
 * pending or rejected, to decide on it; nobody else may open another user's.
 */
export function mayOpen(actor: Actor, item: OpenableItem): boolean {
  if (!isLive(item)) return false
  if (isInReach(actor, item)) return true
  return item.is_directory === 0 && item.validation_status !== 'approved' && hasPermission(actor, 'validation:review')
}

/** Nobody may approve or reject their own file, unless the settings allow it. */
export const mayDecide = (actor: Principal, item: { owner_id: number }, allowSelf: boolean): boolean =>
  allowSelf || item.owner_id !== actor.userId
