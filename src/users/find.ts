/** Looks users up; the only place that reads one by its id or name. */
import { type AccountRow, accountColumns } from '../access/sessions.ts'
import type { Database } from '../db/database.ts'
import { userKey } from './user-key.ts'

/** A user joined with role, space and permissions. */
export interface ProfileRow extends AccountRow {
  id: number
  email: string
  full_name: string | null
  role: string
  storage_used: number
  storage_quota: number
  created_at: number
}

interface CredentialsRow extends ProfileRow {
  password_hash: string
}

const profileColumns = `${accountColumns}, u.id, u.email, u.full_name, u.created_at, r.name AS role,
  sp.storage_used, sp.storage_quota`
const profileTables = `users u JOIN roles r ON r.id = u.role_id JOIN spaces sp ON sp.owner_id = u.id AND sp.kind = 'personal'`

export const findProfile = (db: Database, userId: number): Promise<ProfileRow | undefined> =>
  db.row<ProfileRow>(`SELECT ${profileColumns} FROM ${profileTables} WHERE u.id = $1`, [userId])

/** The user whom a typed name means, with the password's hash. */
export const findByUsername = (db: Database, username: string): Promise<CredentialsRow | undefined> =>
  db.row<CredentialsRow>(`SELECT ${profileColumns}, u.password_hash FROM ${profileTables} WHERE u.username_key = $1`, [
    userKey(username),
  ])

export async function findPasswordHash(db: Database, userId: number): Promise<string | null> {
  const row = await db.row<{ password_hash: string }>('SELECT password_hash FROM users WHERE id = $1', [userId])
  return row?.password_hash ?? null
}

export async function hasUsers(db: Database): Promise<boolean> {
  return (await db.row('SELECT id FROM users LIMIT 1')) !== undefined
}

/** The id of a role by its name. */
export async function findRoleId(db: Database, name: string): Promise<number | undefined> {
  return (await db.row<{ id: number }>('SELECT id FROM roles WHERE name = $1', [name]))?.id
}

/** Held until the commit on MariaDB: who makes the first administrator, or unmakes the last, does so alone. */
export async function lockAdminRole(db: Database): Promise<void> {
  if (db.dialect === 'mariadb') await db.row("SELECT id FROM roles WHERE name = 'admin' FOR UPDATE")
}
