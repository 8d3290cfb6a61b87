/** users: the accounts. Names and addresses are unique by their *_key columns (see db/user-key.ts). */
import type * as z from 'zod/mini'
import { somePreferences } from '../../api/preferences.ts'
import type { StoredForm } from '../stored-json.ts'
import type { Flag } from './columns.ts'
import { model } from './model.ts'

interface UserRow {
  id: number
  username: string
  username_key: string
  /** See db/skeletons.ts. Null: not computed yet, because the row is older than the column. */
  username_skeleton: string | null
  email: string
  email_key: string
  full_name: string | null
  password_hash: string
  role_id: number
  is_active: Flag
  must_change_password: Flag
  /** JSON of the preferences that the user has changed; null for none. */
  preferences: string | null
  last_login_at: number | null
  /** When the user last looked at what is shared with them. */
  shares_seen_at: number | null
  created_at: number
  updated_at: number
}

/** The form of `preferences`. */
export const storedPreferences: StoredForm<z.output<typeof somePreferences>> = {
  schema: somePreferences,
  otherwise: {},
}

type Optional = 'preferences' | 'last_login_at' | 'shares_seen_at'

export const users = model<UserRow, Omit<UserRow, 'id' | Optional>>('users')
