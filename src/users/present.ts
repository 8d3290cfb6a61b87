/** Builds the API form of users and sessions: only fields listed here leave the server. */

import { permissionsOf, type SessionRow } from '../access/sessions.ts'
import type { Profile, Session } from '../api/auth.ts'
import type { Permission } from '../api/permissions.ts'
import type { SharingSettings } from '../api/sharing-settings.ts'
import type { User } from '../api/users.ts'
import { isoTime } from '../base/iso-time.ts'
import type { ProfileRow } from './find.ts'
import { preferencesOf } from './preferences.ts'

export const presentUser = (row: ProfileRow): User => ({
  id: row.id,
  username: row.username,
  email: row.email,
  full_name: row.full_name,
  role: row.role,
  storage_used: row.storage_used,
  storage_quota: row.storage_quota,
  is_active: row.is_active === 1,
  created_at: isoTime(row.created_at),
})

/** The caller's own profile; `permissions` are those of the session or key that makes the call. */
export const presentProfile = (
  row: ProfileRow,
  sharing: SharingSettings,
  permissions: Iterable<Permission> = permissionsOf(row),
): Profile => ({
  ...presentUser(row),
  permissions: [...permissions].sort(),
  storage_reserved: row.storage_reserved,
  must_change_password: row.must_change_password === 1,
  preferences: preferencesOf(row),
  sharing,
})

/** One of the caller's sessions; `own` is the id of the session that makes the request. */
export const presentSession = (row: SessionRow, own: number | null): Session => ({
  id: row.id,
  created_at: isoTime(row.created_at),
  last_seen_at: isoTime(row.last_seen_at),
  address: row.address,
  user_agent: row.user_agent,
  current: row.id === own,
})
