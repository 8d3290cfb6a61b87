/** The rules for users and API keys. */
import { passwordHashForm } from '../../access/passwords.ts'
import { isKeyId, newKeyId } from '../../access/secrets.ts'
import { folderPermissions } from '../../api/keys.ts'
import { maxFullNameLength, maxKeyNameLength } from '../../api/limits.ts'
import { type Permission, permissionKeys } from '../../api/permissions.ts'
import { hexForm } from '../../blobs/blob-store.ts'
import { keyPermissions } from '../../db/models/api-keys.ts'
import { storedPreferences } from '../../db/models/users.ts'
import { usernameSkeleton } from '../../db/skeletons.ts'
import { parseStored } from '../../db/stored-json.ts'
import type { Row } from '../../db/tables.ts'
import { userKey } from '../../db/user-key.ts'
import {
  count,
  derived,
  flag,
  json,
  maybe,
  maybeTime,
  oneOf,
  pattern,
  type Rule,
  type TableRules,
  time,
} from './column-rules.ts'
import { block, couldBeKey, email, line, username } from './text-rules.ts'

const isForFolder = ({ scope_space_id, scope_item_id }: Row): boolean =>
  (scope_space_id ?? null) !== null || (scope_item_id ?? null) !== null

/** What the key may have at most (keys/keys.ts). */
const possiblePermissions = (row: Row): readonly Permission[] => (isForFolder(row) ? folderPermissions : permissionKeys)

const knownPermissions = (row: Row): string => {
  const known = possiblePermissions(row).filter(key => String(row.permissions).includes(`"${key}"`))
  return JSON.stringify(known)
}

const permissions: Rule = {
  detail: 'its permissions cannot be read, or are some that a key for one folder cannot have',
  fits: (value, row) =>
    typeof value === 'string' &&
    parseStored(keyPermissions.schema, value)?.every(key => possiblePermissions(row).includes(key)) === true,
  mend: row => ({ permissions: knownPermissions(row), is_active: 0 }),
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

/** Without its limit a key might have more requests, and rights that no bounded key has. */
const rateLimit = (column: 'rate_limit_per_minute' | 'rate_limit_per_hour' | 'rate_limit_per_day'): Rule => ({
  ...maybe(count(column, () => null, 1)),
  mend: () => ({ [column]: null, is_active: 0 }),
})

export const keyRules: TableRules = {
  columns: {
    ...{ id: 'told', user_id: 'told', name: line('name', maxKeyNameLength) },
    // Nobody has a secret for the new value, so the key becomes useless.
    key_id: { detail: 'its key_id is none', fits: value => isKeyId(String(value)), mend: newId },
    secret_hash: pattern('secret_hash', hexForm, () => ({ secret_hash: '0'.repeat(64), is_active: 0 })),
    // A device key would have ended with its owner's password.
    kind: oneOf('kind', ['script', 'device'], () => ({ kind: 'script', is_active: 0 })),
    permissions,
    is_active: flag('is_active', () => 0),
    created_at: time('created_at'),
    last_used_at: maybeTime('last_used_at'),
    expires_at: maybe(time('expires_at')),
    rate_limit_per_minute: rateLimit('rate_limit_per_minute'),
    rate_limit_per_hour: rateLimit('rate_limit_per_hour'),
    rate_limit_per_day: rateLimit('rate_limit_per_day'),
    // Nobody knows with which key it shares its requests.
    scope_space_id: scope('scope_space_id', 'scope_item_id'),
    scope_item_id: scope('scope_item_id', 'scope_space_id'),
    made_by: { ...madeBy, mend: () => ({ made_by: null, is_active: 0 }) },
  },
}

export const userRules: TableRules = {
  columns: {
    ...{ id: 'told', role_id: 'told', username, email },
    full_name: maybe(block('full_name', maxFullNameLength)),
    username_key: derived('username_key', row => userKey(String(row.username))),
    email_key: derived('email_key', row => userKey(String(row.email))),
    // Whether it may be empty depends on the other users (skeletons.ts).
    username_skeleton: maybe(
      derived('username_skeleton', row => usernameSkeleton(String(row.username)), couldBeKey(255)),
    ),
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
