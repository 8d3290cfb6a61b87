/** Every field of an API key that may leave the server; the secret only at creation. */
import type { ApiKey } from '../api/keys.ts'
import type { Permission } from '../api/permissions.ts'
import { isoTime, maybeIsoTime } from '../iso-time.ts'
import type { KeyRow } from './find.ts'

export const presentKey = (row: KeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  key_id: row.key_id,
  kind: row.kind,
  permissions: JSON.parse(row.permissions) as Permission[],
  is_active: row.is_active === 1,
  created_at: isoTime(row.created_at),
  last_used_at: maybeIsoTime(row.last_used_at),
  expires_at: maybeIsoTime(row.expires_at),
  rate_limit_per_minute: row.rate_limit_per_minute,
  rate_limit_per_hour: row.rate_limit_per_hour,
  rate_limit_per_day: row.rate_limit_per_day,
})
