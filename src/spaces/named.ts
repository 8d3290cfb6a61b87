/** Finds the people and groups that a call names by id or by name. Ids are taken only of whom the actor may count. */
import type { Principal } from '../access/actor.ts'
import { mayNameById } from '../access/policy.ts'
import { findSharing } from '../access/sharing-settings.ts'
import { invalidField, notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { userKey } from '../db/user-key.ts'
import { isOneOf } from '../db/values.ts'

/** Throws `invalid_input` on the field, whether there is somebody with the id or not, if ids would tell the actor. */
export async function requireIdsAllowed(db: Database, actor: Principal, field: string): Promise<void> {
  const { find_people } = await findSharing(db)
  if (!mayNameById(actor, find_people)) throw invalidField(field, 'Name people and groups by their exact names')
}

/** The ids of active users by their usernames, as names are compared. Throws `not_found` if one is unknown. */
export async function findUserIds(db: Database, usernames: readonly string[]): Promise<number[]> {
  const keys = [...new Set(usernames.map(userKey))]
  const rows = await db.rows<{ id: number }>(
    `SELECT u.id FROM users u WHERE u.is_active = 1 AND ${isOneOf('u.username_key', keys)} ORDER BY u.id`,
    keys,
  )
  if (rows.length < keys.length) throw notFound('User')
  return rows.map(({ id }) => id)
}
