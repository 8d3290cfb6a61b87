/** A user as the API shows it. */
import type { Permission } from './permissions.ts'

export interface User {
  id: number
  username: string
  email: string
  full_name: string | null
  /** The name of the user's role. */
  role: string
  /** Bytes. */
  storage_used: number
  /** Bytes. */
  storage_quota: number
  is_active: boolean
  /** ISO 8601, UTC. */
  created_at: string
}

/** The caller's own profile: the user with what the caller may do, for a session or a key. */
export interface Profile extends User {
  permissions: Permission[]
  must_change_password: boolean
}
