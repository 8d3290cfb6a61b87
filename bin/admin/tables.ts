/** Formats what `filestore admin` prints for people. Loaded only when there is something to print. */

import { keyState, timeCell } from '../../cli/key-cells.ts'
import type { Profile } from '../../src/api/auth.ts'
import type { ChangeEvent } from '../../src/api/events.ts'
import type { MetadataField } from '../../src/api/metadata.ts'
import type { Permission } from '../../src/api/permissions.ts'
import type { Role } from '../../src/api/roles.ts'
import type { Setting } from '../../src/api/settings.ts'
import type { User } from '../../src/api/users.ts'
import type { OwnedKey } from '../../src/commands/admin/keys.ts'
import type { AddedUser } from '../../src/commands/admin/users.ts'
import { countOf, formatSize, formatTime } from '../../terminal/format.ts'
import { formatRecord, formatTable } from '../../terminal/table.ts'
import { visible } from '../../terminal/visible.ts'

/** Permissions per line, so that a line fits a terminal of 80 columns. */
const permissionsOnLine = 3

function permissionRows(permissions: readonly Permission[]): [string, string][] {
  const rows: [string, string][] = []
  for (let start = 0; start < permissions.length; start += permissionsOnLine) {
    const end = start + permissionsOnLine
    const line = permissions.slice(start, end).join(', ')
    rows.push([start === 0 ? 'May' : '', end < permissions.length ? `${line},` : line])
  }
  return rows.length === 0 ? [['May', 'nothing']] : rows
}

const userState = ({ is_active }: User): string => (is_active ? 'active' : 'disabled')

export const usageOf = (user: User): string => `${formatSize(user.storage_used)} of ${formatSize(user.storage_quota)}`

export const formatUsers = (users: readonly User[]): string =>
  formatTable(
    [
      { head: 'ID', align: 'right' },
      { head: 'USERNAME' },
      { head: 'ROLE' },
      { head: 'STATE' },
      { head: 'STORAGE', align: 'right' },
      { head: 'EMAIL' },
    ],
    users.map(user => [String(user.id), user.username, user.role, userState(user), usageOf(user), user.email]),
  )

export const formatUser = (user: Profile): string =>
  formatRecord([
    ['Id', String(user.id)],
    ['Username', user.username],
    ['Full name', user.full_name ?? 'Not set'],
    ['Email', user.email],
    ['Role', user.role],
    ['State', userState(user)],
    ['Password', user.must_change_password ? 'must be changed at the next sign-in' : 'set'],
    ['Storage', usageOf(user)],
    ['Created', formatTime(user.created_at)],
    ...permissionRows(user.permissions),
  ])

export function formatAdded({ username, temp_password }: AddedUser): string {
  const added = `User ${visible(username)} was added`
  if (temp_password === undefined) return added
  return `${added}\nTemporary password, told this once: ${temp_password}`
}

export const formatRoles = (roles: readonly Role[]): string =>
  formatTable(
    [{ head: 'ID', align: 'right' }, { head: 'KIND' }, { head: 'MAY' }, { head: 'NAME' }],
    roles.map(role => [
      String(role.id),
      role.is_system ? 'system' : 'custom',
      countOf(role.permissions.length, 'permission'),
      role.name,
    ]),
  )

export const formatRole = (role: Role): string =>
  formatRecord([
    ['Id', String(role.id)],
    ['Name', role.name],
    ['Kind', role.is_system ? 'system' : 'custom'],
    ['Description', role.description ?? 'Not set'],
    ['Created', formatTime(role.created_at)],
    ['Changed', formatTime(role.updated_at)],
    ...permissionRows(role.permissions),
  ])

const folderCell = ({ scope_id, folder }: OwnedKey): string => (scope_id === null ? '' : (folder ?? 'gone'))

export const formatKeys = (keys: readonly OwnedKey[]): string =>
  formatTable(
    [{ head: 'KEY' }, { head: 'STATE' }, { head: 'EXPIRES' }, { head: 'OWNER' }, { head: 'FOLDER' }, { head: 'NAME' }],
    keys.map(key => [key.key_id, keyState(key, keys), timeCell(key.expires_at), key.owner, folderCell(key), key.name]),
  )

export const formatCreated = (key: OwnedKey & { secret: string }): string =>
  formatRecord([
    ['Owner', key.owner],
    ['Name', key.name],
    ['Expires', timeCell(key.expires_at)],
    ['Folder', key.folder ?? 'everything of the owner'],
    ...permissionRows(key.permissions),
    ['Key ID', key.key_id],
    ['Secret', key.secret],
  ])

export const formatSettings = (settings: readonly Setting[]): string =>
  formatTable(
    [{ head: 'SETTING' }, { head: 'VALUE' }, { head: 'CHANGED' }],
    settings.map(({ key, value, updated_at }) => [key, value, formatTime(updated_at)]),
  )

const typeCell = ({ field_type, options }: MetadataField): string =>
  options === null ? field_type : `${field_type}: ${options.join(', ')}`

const fieldState = ({ is_enabled, is_required }: MetadataField): string =>
  `${is_required ? 'required' : 'optional'}${is_enabled ? '' : ', disabled'}`

export const formatFields = (fields: readonly MetadataField[]): string =>
  formatTable(
    [{ head: 'ID', align: 'right' }, { head: 'NAME' }, { head: 'STATE' }, { head: 'LABEL' }, { head: 'TYPE' }],
    fields.map(field => [String(field.id), field.name, fieldState(field), field.label, typeCell(field)]),
  )

const detailCell = ({ detail }: ChangeEvent): string =>
  Object.entries(detail ?? {})
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(' ')

const itemCell = ({ item_id }: ChangeEvent): string => (item_id === null ? '' : String(item_id))

export const formatEvents = (events: readonly ChangeEvent[]): string =>
  formatTable(
    [
      { head: 'WHEN' },
      { head: 'WHO' },
      { head: 'FROM' },
      { head: 'ACTION' },
      { head: 'ITEM', align: 'right' },
      { head: 'DETAIL' },
    ],
    events.map(event => [
      formatTime(event.at),
      event.actor_name,
      event.address ?? '',
      event.action,
      itemCell(event),
      detailCell(event),
    ]),
  )
