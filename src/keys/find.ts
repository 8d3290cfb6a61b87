/** Looks up API keys; only this file reads a key by id. */
import { wholeListSize } from '../api/limits.ts'
import { notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import type { ApiKeyRow } from '../db/models/api-keys.ts'

const columns = `id, user_id, name, key_id, kind, permissions, is_active, created_at, last_used_at, expires_at,
  rate_limit_per_minute, rate_limit_per_hour, rate_limit_per_day, made_by, scope_space_id, scope_item_id`

export type KeyRow = Omit<ApiKeyRow, 'secret_hash'>

/** A user's keys, newest first, at most `wholeListSize`. */
export const findKeys = (db: Database, userId: number): Promise<KeyRow[]> =>
  db.rows<KeyRow>(`SELECT ${columns} FROM api_keys WHERE user_id = $1 ORDER BY id DESC LIMIT ${wholeListSize}`, [
    userId,
  ])

/** One key of a user. Throws `not_found` if it does not exist or is another user's. */
export async function findKeyOf(db: Database, userId: number, id: number): Promise<KeyRow> {
  const row = await db.row<KeyRow>(`SELECT ${columns} FROM api_keys WHERE id = $1 AND user_id = $2`, [id, userId])
  if (row === undefined) throw notFound('API key')
  return row
}

/** A key and all keys that it made, directly or through other keys; sorted by id, so a maker comes before its keys. */
export const findWithMade = (db: Database, id: number): Promise<KeyRow[]> =>
  db.rows<KeyRow>(
    // UNION removes duplicates, so the query ends even if keys made each other in a damaged database.
    `WITH RECURSIVE made (made_id) AS (
       SELECT id FROM api_keys WHERE id = $1
       UNION
       SELECT k.id FROM made JOIN api_keys k ON k.made_by = made.made_id)
     SELECT ${columns} FROM made JOIN api_keys k ON k.id = made.made_id ORDER BY k.id`,
    [id],
  )

export type OwnedKeyRow = KeyRow & { owner: string }

const ownedKeys = `SELECT ${columns.replaceAll(/\w+/g, 'k.$&')}, u.username AS owner
  FROM api_keys k JOIN users u ON u.id = k.user_id`

/** The keys of a user, or of all users for null, with their owners' usernames; newest first. */
export const findOwnedKeys = (db: Database, userId: number | null): Promise<OwnedKeyRow[]> =>
  userId === null
    ? db.rows<OwnedKeyRow>(`${ownedKeys} ORDER BY k.id DESC`)
    : db.rows<OwnedKeyRow>(`${ownedKeys} WHERE k.user_id = $1 ORDER BY k.id DESC`, [userId])

/** A key of any user, by its id or its public half. */
export const findKeyByName = (db: Database, name: number | string): Promise<OwnedKeyRow | undefined> =>
  db.row<OwnedKeyRow>(`${ownedKeys} WHERE ${typeof name === 'number' ? 'k.id' : 'k.key_id'} = $1`, [name])
