/** The rules of who may do what, as pure yes-or-no functions. */
import type { ValidationStatus } from '../api/items.ts'
import { defaultRateLimits, maxKeyGenerations } from '../api/limits.ts'
import { type LinkLevel, linkAdds, linkSees } from '../api/link-levels.ts'
import type { Permission } from '../api/permissions.ts'
import type { SharingSettings } from '../api/sharing-settings.ts'
import type { Principal } from './actor.ts'
import type { RequestLimits } from './key-budgets.ts'
import { type Abilities, allows, type Need, type Standing } from './standing.ts'

/** What a route requires of its caller: permissions, any session or key, or a session. */
export type Access =
  | Permission
  | { all: readonly Permission[] }
  | { any: readonly Permission[] }
  | 'signed-in'
  | 'session'

const hasPermission = (actor: Principal, permission: Permission): boolean => actor.permissions.has(permission)

export function mayCall(actor: Principal, access: Access): boolean {
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

/** A key may not make a key or share that outlives it; times in ms, null means never. */
export function mayGiveExpiry({ key }: Principal, expiresAt: number | null): boolean {
  if (key === null || key.expiresAt === null) return true
  return expiresAt !== null && expiresAt <= key.expiresAt
}

const fallsShort = (limits: RequestLimits): boolean =>
  limits.minute < defaultRateLimits.minute || limits.hour < defaultRateLimits.hour || limits.day < defaultRateLimits.day

/**
 * A key that expires, or has fewer requests than the default, may not empower anybody: make or enable users, set
 * passwords, give roles or permissions, or add members of groups or managers of team folders. Otherwise its holder could
 * escape the key's limits through another account.
 */
export const mayEmpower = ({ key }: Principal): boolean =>
  key === null || (key.expiresAt === null && (key.limits === null || !fallsShort(key.limits)))

/**
 * Whether somebody may make links at a place: managers may, and so may the editors of a team folder that allows it. The
 * links that they made work only as long.
 */
export const mayLink = (
  { here }: Standing,
  { space_kind, editors_may_link }: { space_kind: 'personal' | 'team'; editors_may_link: 0 | 1 },
): boolean => here.manage || (space_kind === 'team' && editors_may_link === 1 && here.change)

/** A link cannot allow more than its maker's role and key do. */
export const mayGiveLevel = (actor: Principal, level: LinkLevel): boolean =>
  (!linkSees(level) || hasPermission(actor, 'files:read')) && (!linkAdds(level) || hasPermission(actor, 'files:upload'))

/** Nobody may give a key, role or user a permission that they lack themselves. */
export const mayGrant = (actor: Principal, permissions: readonly Permission[]): boolean =>
  permissions.every(permission => actor.permissions.has(permission))

/** An actor may change or remove a user only if they hold all of that user's permissions. */
export const mayOverrule = (actor: Principal, permissions: readonly Permission[]): boolean =>
  mayGrant(actor, permissions)

/**
 * Whether an actor may name people and groups by id. Where the settings find people by their exact name alone, ids would
 * find them by counting. Who manages users sees them all anyway.
 */
export const mayNameById = (actor: Principal, findPeople: SharingSettings['find_people']): boolean =>
  findPeople !== 'exact' || hasPermission(actor, 'users:manage')

/** The columns that tell whether an item is in the trash. */
interface TrashMarks {
  deleted_at: number | null
  trash_root_id: number | null
}

/** An item that went to the trash with its folder has no deleted_at of its own (files/trash.ts). */
export const isLive = ({ deleted_at, trash_root_id }: TrashMarks): boolean =>
  deleted_at === null && trash_root_id === null

/** `isLive` as an SQL condition on a row `f`. */
export const liveRow = 'f.deleted_at IS NULL AND f.trash_root_id IS NULL'

/** The columns that say whose content a file has. */
interface ContentMarks {
  owner_id: number
  content_by: number | null
  received_by: number | null
}

export interface HideableItem extends TrashMarks, ContentMarks {
  is_directory: 0 | 1
  validation_status: ValidationStatus
}

/** Whether a user put the present content there. What came by a link, or from who is gone, is nobody's. */
const isOwnContent = (userId: number | null, { owner_id, content_by, received_by }: ContentMarks): boolean =>
  (content_by ?? owner_id) === userId && (received_by ?? 0) === 0

/**
 * Whether an item is shown to a user with a standing there. Only its uploader sees a file that is not approved, not even
 * the owner of the place does. A user who may only add to a folder sees the folder and their own files in it. What is in
 * the trash is shown to those who may restore it.
 */
export function isShown({ userId }: Principal, { here, above }: Standing, item: HideableItem): boolean {
  if (!isLive(item) && !above.change) return false
  const isOpen = item.is_directory === 1 || item.validation_status === 'approved' || isOwnContent(userId, item)
  if (here.see) return isOpen
  if (item.is_directory === 1) return here.add
  return here.add && isOpen && item.owner_id === userId && item.received_by === 0
}

/**
 * Whether an item has an entry for a user with a standing there. Who manages the place also gets that of a rejected
 * file, to throw it away, but not its content.
 */
export function isListed(actor: Principal, standing: Standing, item: HideableItem): boolean {
  if (isShown(actor, standing, item)) return true
  if (!isLive(item) && !standing.above.change) return false
  return item.is_directory === 0 && item.validation_status === 'rejected' && standing.here.manage
}

/** What is possible with a file of which somebody has only the entry. */
const withEntry: ReadonlySet<Need> = new Set<Need>(['know', 'trash', 'purge'])

/**
 * Whether an actor may do something with an item that is listed for them. Who may only add to a place may take back, or
 * replace, what they put there, as long as it is not approved.
 */
export function mayDo(actor: Principal, standing: Standing, item: HideableItem, need: Need): boolean {
  if (!isShown(actor, standing, item)) return withEntry.has(need) && allows(standing, need)
  if (allows(standing, need)) return true
  const isUnapproved = item.is_directory === 0 && item.validation_status !== 'approved'
  const takesBack = isUnapproved && isLive(item) && isOwnContent(actor.userId, item)
  return takesBack && standing.here.add && (need === 'trash' || need === 'replace')
}

/**
 * `isShown` as an SQL condition on a live row right in a folder, for a user with these abilities in that folder. `user`
 * is the bind of the user's id, `f` the row's alias.
 */
export function shownRow({ see }: Abilities, user: string, f = 'f'): string {
  const isOwn = `(COALESCE(${f}.content_by, ${f}.owner_id) = ${user} AND COALESCE(${f}.received_by, 0) = 0)`
  const isOpen = `${f}.validation_status = 'approved' OR ${isOwn}`
  if (see) return `(${f}.is_directory = 1 OR ${isOpen})`
  return `${f}.is_directory = 0 AND ${f}.owner_id = ${user} AND ${f}.received_by = 0 AND (${isOpen})`
}

/** `isListed` as an SQL condition, as `shownRow`. */
export function listedRow(abilities: Abilities, user: string): string {
  const shown = shownRow(abilities, user)
  return abilities.manage ? `(${shown} OR f.validation_status = 'rejected')` : shown
}

/**
 * Whether an actor may open a single live item and its content; `standing` is null unless it is listed for them. A
 * reviewer may also open a file that is not shown to them while it is pending or rejected, to decide on it, wherever it
 * is.
 */
export function mayOpen(actor: Principal, item: HideableItem & { standing: Standing | null }): boolean {
  if (!isLive(item)) return false
  if (item.standing !== null && isShown(actor, item.standing, item)) return true
  return item.is_directory === 0 && item.validation_status !== 'approved' && hasPermission(actor, 'validation:review')
}

/**
 * Whether content that waits for approval may replace a file's. What everybody there sees, and others have put there,
 * would be gone for all of them, its owner too, until a reviewer decides.
 */
export const mayReplaceUnapproved = ({ userId }: Principal, file: HideableItem): boolean =>
  file.validation_status !== 'approved' || isOwnContent(userId, file)

/** Nobody may approve or reject content that they put there themselves, unless the settings allow it. */
export const mayDecide = (actor: Principal, item: ContentMarks, allowSelf: boolean): boolean =>
  allowSelf || (item.content_by ?? item.owner_id) !== actor.userId
