/** Looks up users; only this file reads a user by id or name. */

import { type AccountRow, accountColumns } from '../access/sessions.ts'
import { adminRole } from '../api/roles.ts'
import { notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { forUpdate } from '../db/for-update.ts'
import { userKey } from '../db/user-key.ts'

/** A user joined with role, space and permissions. */
export interface ProfileRow extends AccountRow {
  id: number
  email: string
  full_name: string | null
  role: string
  storage_used: number
  storage_quota: number
  storage_reserved: number
  created_at: number
  preferences: string | null
}

export interface CredentialsRow extends ProfileRow {
  password_hash: string
}

interface ListedRow extends ProfileRow {
  username_key: string
}

const profileColumns = `${accountColumns}, u.id, u.email, u.full_name, u.created_at, u.preferences, r.name AS role,
  sp.storage_used, sp.storage_quota, sp.storage_reserved`
const profileTables = `users u JOIN roles r ON r.id = u.role_id JOIN spaces sp ON sp.owner_id = u.id AND sp.kind = 'personal'`

export const findProfile = (db: Database, userId: number): Promise<ProfileRow | undefined> =>
  db.row<ProfileRow>(`SELECT ${profileColumns} FROM ${profileTables} WHERE u.id = $1`, [userId])

/** The user with a name as it was typed, including the password hash. */
export const findByUsername = (db: Database, username: string): Promise<CredentialsRow | undefined> =>
  db.row<CredentialsRow>(`SELECT ${profileColumns}, u.password_hash FROM ${profileTables} WHERE u.username_key = $1`, [
    userKey(username),
  ])

export async function hasUsers(db: Database): Promise<boolean> {
  return (await db.row('SELECT id FROM users LIMIT 1')) !== undefined
}

/** Users sorted by username_key, starting after `after`; '' starts at the first, for no name is empty. */
export const findUsers = (db: Database, after: string, count: number): Promise<ListedRow[]> =>
  db.rows<ListedRow>(
    `SELECT ${profileColumns}, u.username_key FROM ${profileTables} WHERE u.username_key > $1
     ORDER BY u.username_key LIMIT ${count}`,
    [after],
  )

export async function countUsers(db: Database): Promise<number> {
  return (await db.row<{ count: number }>('SELECT COUNT(*) AS count FROM users'))?.count ?? 0
}

/** A user by id. Throws `not_found`. */
export async function findUser(db: Database, id: number): Promise<ProfileRow> {
  const row = await findProfile(db, id)
  if (row === undefined) throw notFound('User')
  return row
}

/** Tells whether the username or the email, in any spelling, belongs to a user other than `ownId`. */
export async function findTaken(
  db: Database,
  username: string | null,
  email: string | null,
  ownId = 0,
): Promise<'username' | 'email' | undefined> {
  const keys = [username, email].map(text => (text === null ? null : userKey(text)))
  const taken = await db.rows<{ username_key: string }>(
    'SELECT username_key FROM users WHERE (username_key = $1 OR email_key = $2) AND id <> $3',
    [...keys, ownId],
  )
  if (taken.length === 0) return undefined
  return taken.some(row => row.username_key === keys[0]) ? 'username' : 'email'
}

/** Whether there is another active administrator besides this user. */
export async function hasOtherAdmin(db: Database, userId: number): Promise<boolean> {
  const row = await db.row(
    `SELECT u.id FROM users u JOIN roles r ON r.id = u.role_id
     WHERE r.name = $1 AND u.is_active = 1 AND u.id <> $2 LIMIT 1`,
    [adminRole, userId],
  )
  return row !== undefined
}

export interface PreferencesRow {
  id: number
  /** JSON; null for none. */
  preferences: string | null
}

/** A user's preferences, locked until the commit; SQLite has one writer at a time and needs no lock. */
export const lockPreferences = (db: Database, id: number): Promise<PreferencesRow | undefined> =>
  db.row<PreferencesRow>(`SELECT id, preferences FROM users WHERE id = $1 ${forUpdate(db)}`, [id])
