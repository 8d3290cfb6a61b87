/** Every field of a user that may leave the server. */

import { permissionsOf } from '../access/sessions.ts'
import type { Permission } from '../api/permissions.ts'
import type { Profile } from '../api/users.ts'
import type { ProfileRow } from './find.ts'

/** The caller's own profile; `permissions` are what this call's session or key may do. */
export const presentProfile = (row: ProfileRow, permissions: Iterable<Permission> = permissionsOf(row)): Profile => ({
  id: row.id,
  username: row.username,
  email: row.email,
  full_name: row.full_name,
  role: row.role,
  storage_used: row.storage_used,
  storage_quota: row.storage_quota,
  is_active: row.is_active === 1,
  created_at: new Date(row.created_at).toISOString(),
  permissions: [...permissions].sort(),
  must_change_password: row.must_change_password === 1,
})
