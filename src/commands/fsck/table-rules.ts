/** The valid values of every column of every table. A test requires a rule for each column of the migrations. */
import { passwordHashForm } from '../../access/passwords.ts'
import { isKeyId, newKeyId } from '../../access/secrets.ts'
import { validationStatus } from '../../api/items.ts'
import { defaultStorageQuota } from '../../api/limits.ts'
import { permissionKeys } from '../../api/permissions.ts'
import { adminRole } from '../../api/roles.ts'
import { shareLevels } from '../../api/share-levels.ts'
import { hexForm } from '../../blobs/blob-store.ts'
import { fold } from '../../db/fold.ts'
import { keyPermissions } from '../../db/models/api-keys.ts'
import { eventDetail } from '../../db/models/events.ts'
import { storedPreferences } from '../../db/models/users.ts'
import { usernameSkeleton } from '../../db/skeletons.ts'
import type { Row } from '../../db/tables.ts'
import { userKey } from '../../db/user-key.ts'
import { nameColumns } from '../../files/item-name.ts'
import { count, derived, either, flag, json, maybe, oneOf, pattern, type TableRules, time } from './column-rules.ts'
import { fieldRules } from './field-rules.ts'
import { settingRules } from './settings.ts'

/** Ids of rows that need not exist any more. */
const oldId = (column: string) => maybe(count(column, () => null, 1))
const maybeTime = (column: string) => maybe(time(column, () => null))

const knownPermissions = (row: Row): string => {
  const known = permissionKeys.filter(key => String(row.permissions).includes(`"${key}"`))
  return JSON.stringify(known)
}

/** Whether the other columns say folder (1) or file (0, with type and content); null when they contradict. */
function looksLike({ blob_id, mime_type }: Row): 0 | 1 | null {
  if (blob_id === null && mime_type === null) return 1
  return blob_id === null || mime_type === null ? null : 0
}
/** Once is_directory is corrected, the other columns are checked against it. */
const contradicts = (row: Row): boolean => looksLike(row) !== null && looksLike(row) !== row.is_directory
const isFolder = (row: Row): boolean => row.is_directory === 1 && !contradicts(row)
const mimeType = derived('mime_type', row => nameColumns(String(row.name), row.is_directory === 1).mime_type)

/** Only files wait for approval. */
const folderStatus = oneOf('validation_status', ['approved'], () => ({ validation_status: 'approved' }))
/** An invalid status is reset to pending, because the file may have been held back. */
const fileStatus = oneOf('validation_status', validationStatus.options, () => ({ validation_status: 'pending' }))

const fileRules: TableRules = {
  columns: {
    ...{ id: 'told', space_id: 'told', owner_id: 'told', parent_id: 'told', name: 'told', name_folded: 'told' },
    ...{ sort_key: 'told', validation_comment: 'any', validated_by: 'told', trash_root_id: 'told' },
    is_directory: {
      detail: 'it is no file where it says so, or no folder',
      fits: (value, row) => (value === 0 || value === 1) && !contradicts(row),
      mend: row => ({ is_directory: looksLike(row) ?? (row.blob_id === null ? 1 : 0) }),
    },
    size: {
      detail: 'it is a folder, and has a size',
      fits: (value, row) => !isFolder(row) || value === 0,
      mend: () => ({ size: 0 }),
    },
    mime_type: { ...mimeType, fits: (value, row) => contradicts(row) || mimeType.fits(value, row) },
    blob_id: {
      detail: 'it is a folder, and has content',
      fits: (value, row) => !isFolder(row) || value === null,
      mend: () => ({ blob_id: null }),
    },
    // A file that may be another's is shown to reviewers alone while it is held.
    received_by: maybe(count('received_by', () => -1, -1)),
    content_by: { ...maybe(count('content_by', () => null, 1)), mend: () => ({ content_by: null, received_by: -1 }) },
    is_favorite: flag('is_favorite', () => 0),
    validation_status: either(
      row => (isFolder(row) ? folderStatus : fileStatus),
      'its validation_status is none that it can have',
    ),
    validated_at: maybeTime('validated_at'),
    modified_at: maybeTime('modified_at'),
    // A trashed item stays in the trash, and its retention starts again.
    deleted_at: maybe(time('deleted_at')),
    created_at: time('created_at'),
    updated_at: time('updated_at'),
  },
}

const newId = () => ({ key_id: newKeyId(), is_active: 0 })

const maker = count('made_by', () => null, 1)
// A key must be younger than its creator; otherwise keys could have created each other.
const madeBy = maybe({
  ...maker,
  detail: 'its made_by is no key that was there before it',
  fits: (value, row) => maker.fits(value, row) && Number(value) < Number(row.id),
})

/** A key with half a scope, or a broken one, reaches nothing, and ends. */
const scope = (column: 'scope_space_id' | 'scope_item_id', other: 'scope_space_id' | 'scope_item_id') => ({
  detail: `its ${column} is none, or is not there with its ${other}`,
  fits: (value: Row[string] | undefined, row: Row) =>
    value === null
      ? row[other] === null || row[other] === undefined
      : Number.isSafeInteger(value) && Number(value) >= 0,
  mend: () => ({ [column]: 0, is_active: 0 }),
})

const keyRules: TableRules = {
  columns: {
    ...{ id: 'told', user_id: 'told', name: 'any' },
    // Nobody has a secret for the new value, so the key becomes useless.
    key_id: { detail: 'its key_id is none', fits: value => isKeyId(String(value)), mend: newId },
    secret_hash: pattern('secret_hash', hexForm, () => ({ secret_hash: '0'.repeat(64), is_active: 0 })),
    kind: oneOf('kind', ['script', 'device'], () => ({ kind: 'script' })),
    permissions: json('permissions', keyPermissions.schema, row => ({
      permissions: knownPermissions(row),
      is_active: 0,
    })),
    is_active: flag('is_active', () => 0),
    created_at: time('created_at'),
    last_used_at: maybeTime('last_used_at'),
    expires_at: maybe(time('expires_at')),
    rate_limit_per_minute: maybe(count('rate_limit_per_minute', () => null, 1)),
    rate_limit_per_hour: maybe(count('rate_limit_per_hour', () => null, 1)),
    rate_limit_per_day: maybe(count('rate_limit_per_day', () => null, 1)),
    // Nobody knows with which key it shares its requests.
    scope_space_id: scope('scope_space_id', 'scope_item_id'),
    scope_item_id: scope('scope_item_id', 'scope_space_id'),
    made_by: { ...madeBy, mend: () => ({ made_by: null, is_active: 0 }) },
  },
}

const userRules: TableRules = {
  columns: {
    ...{ id: 'told', username: 'any', email: 'any', full_name: 'any', role_id: 'told' },
    username_key: derived('username_key', row => userKey(String(row.username))),
    email_key: derived('email_key', row => userKey(String(row.email))),
    // Empty until the next user is created.
    username_skeleton: maybe(derived('username_skeleton', row => usernameSkeleton(String(row.username)))),
    // Only a new password helps.
    password_hash: pattern('password_hash', passwordHashForm),
    is_active: flag('is_active', () => 0),
    must_change_password: flag('must_change_password', () => 1),
    preferences: maybe(json('preferences', storedPreferences.schema, () => ({ preferences: null }))),
    last_login_at: maybeTime('last_login_at'),
    shares_seen_at: maybeTime('shares_seen_at'),
    created_at: time('created_at'),
    updated_at: time('updated_at'),
  },
}

const eventRules: TableRules = {
  columns: {
    ...{ id: 'told', actor_name: 'any', address: 'any' },
    at: time('at'),
    actor_id: oldId('actor_id'),
    key_id: oldId('key_id'),
    action: pattern('action', /^[a-z-]+\.[a-z-]+$/, () => ({ action: 'event.unreadable' })),
    space_id: oldId('space_id'),
    item_id: oldId('item_id'),
    detail: maybe(json('detail', eventDetail.schema, () => ({ detail: '{"note":"could not be read any more"}' }))),
  },
}

const allTold = (...columns: string[]): TableRules => ({
  columns: Object.fromEntries(columns.map(column => [column, 'told'])),
})

export const tableRules: Readonly<Record<string, TableRules>> = {
  api_keys: keyRules,
  blob_bytes: allTold('blob_id', 'bytes'),
  blobs: {
    columns: {
      ...{ id: 'told', size: 'told' },
      key: pattern('key', hexForm),
      place: oneOf('place', ['inline', 'store']),
      sha256: pattern('sha256', hexForm),
      created_at: time('created_at'),
    },
  },
  events: eventRules,
  file_metadata: {
    columns: {
      ...{ file_id: 'told', field_id: 'told', value: 'any' },
      value_folded: derived('value_folded', row => fold(String(row.value))),
    },
  },
  favorites: allTold('user_id', 'file_id'),
  file_tags: allTold('tag_id', 'file_id'),
  files: fileRules,
  folder_counts: allTold('space_id', 'folder_id', 'is_directory', 'items'),
  group_members: allTold('user_id', 'group_id'),
  leases: { columns: { name: 'any', holder: 'any', expires_at: time('expires_at') }, isDropped: true },
  metadata_fields: fieldRules,
  permissions: allTold('id', 'key'),
  role_permissions: allTold('role_id', 'permission_id'),
  roles: {
    columns: {
      ...{ id: 'told', name: 'any', description: 'any' },
      is_system: derived('is_system', row => ([adminRole, 'user'].includes(String(row.name)) ? 1 : 0)),
      created_at: time('created_at'),
      updated_at: time('updated_at'),
    },
  },
  server_state: { columns: { key: 'any', value: count('value', () => 0) }, isDropped: true },
  sessions: {
    columns: {
      // A damaged `data` is ignored; the session stays valid.
      ...{ id: 'told', user_id: 'told', data: 'any', address: 'any', user_agent: 'any' },
      hash: pattern('hash', hexForm),
      created_at: time('created_at'),
      last_seen_at: time('last_seen_at'),
      expires_at: time('expires_at'),
    },
    isDropped: true,
  },
  settings: settingRules,
  share_hides: allTold('user_id', 'share_id'),
  shares: {
    columns: {
      ...{ id: 'told', space_id: 'told', item_id: 'told', user_id: 'told', group_id: 'told', created_by: 'told' },
      // Who shares the item sees that it has ended, and gives the right level again.
      level: oneOf('level', shareLevels, () => ({ level: 'view', expires_at: 0 })),
      created_at: time('created_at'),
      expires_at: maybe(time('expires_at')),
    },
  },
  shared_counts: {
    columns: { name: 'any', points: count('points', () => 0), ends_at: time('ends_at') },
    isDropped: true,
  },
  space_thumbnails: {
    columns: {
      id: 'told',
      blob_id: 'told',
      space_id: 'told',
      key: maybe(pattern('key', hexForm)),
      size: count('size', () => 0),
    },
    isDropped: true,
  },
  spaces: {
    columns: {
      ...{ id: 'told', owner_id: 'told', storage_used: 'told', item_count: 'told' },
      kind: oneOf('kind', ['personal', 'team'], () => ({ kind: 'personal' })),
      storage_quota: count('storage_quota', () => defaultStorageQuota),
      // A value that was never used: otherwise a listing cached under it would seem current.
      revision: count('revision', Date.now),
      editors_may_link: flag('editors_may_link', () => 0),
      created_at: time('created_at'),
    },
  },
  tags: {
    columns: {
      ...{ id: 'told', owner_id: 'told', name: 'any' },
      color: pattern('color', /^#[0-9A-Fa-f]{6}$/, () => ({ color: '#808080' })),
    },
  },
  type_counts: allTold('space_id', 'is_directory', 'mime_type', 'items', 'bytes'),
  user_groups: {
    columns: {
      ...{ id: 'told', name: 'any' },
      name_key: derived('name_key', row => userKey(String(row.name))),
      kind: oneOf('kind', ['listed', 'everyone'], row => ({
        kind: row.name_key === 'everyone' ? 'everyone' : 'listed',
      })),
    },
  },
  users: userRules,
}
