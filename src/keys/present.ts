/** Every field of an API key that may leave the server; the secret only at creation. */
import type { ApiKey } from '../api/keys.ts'
import type { Permission } from '../api/permissions.ts'
import type { KeyRow } from './find.ts'

export const presentKey = (row: KeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  key_id: row.key_id,
  kind: row.kind,
  permissions: JSON.parse(row.permissions) as Permission[],
  is_active: row.is_active === 1,
  created_at: new Date(row.created_at).toISOString(),
  last_used_at: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
})
