/** Builds the API form of API keys: only fields listed here leave the server, and the secret only at creation. */
import type { ApiKey } from '../api/keys.ts'
import { isoTime, maybeIsoTime } from '../base/iso-time.ts'
import { keyPermissions } from '../db/models/api-keys.ts'
import { readStored } from '../db/stored-json.ts'
import type { KeyRow } from './find.ts'

/** The permissions that a key was given; in effect are only those that its owner has too. */
export const permissionsOfKey = ({ id, permissions }: Pick<KeyRow, 'id' | 'permissions'>) =>
  readStored(keyPermissions, permissions, `api_keys ${id}`)

export const presentKey = (row: KeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  key_id: row.key_id,
  kind: row.kind === 'device' ? 'device' : 'script',
  permissions: permissionsOfKey(row),
  is_active: row.is_active === 1,
  created_at: isoTime(row.created_at),
  last_used_at: maybeIsoTime(row.last_used_at),
  expires_at: maybeIsoTime(row.expires_at),
  rate_limit_per_minute: row.rate_limit_per_minute,
  rate_limit_per_hour: row.rate_limit_per_hour,
  rate_limit_per_day: row.rate_limit_per_day,
  made_by: row.made_by,
  scope_id: row.scope_item_id,
})
