/** users: the accounts. Names and addresses are unique by their *_key columns (see db/user-key.ts). */
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
  last_login_at: number | null
  created_at: number
  updated_at: number
}

export const users = model<UserRow, Omit<UserRow, 'id' | 'last_login_at'>>('users')
