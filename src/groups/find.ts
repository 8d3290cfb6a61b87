/** Looks up groups; only this file reads a group by id. */
import { maxGroupMembers } from '../api/limits.ts'
import type { Person } from '../api/shares.ts'
import { notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import type { GroupRow } from '../db/models/shares.ts'
import { userKey } from '../db/user-key.ts'

export interface CountedGroupRow extends Omit<GroupRow, 'name_key'> {
  member_count: number
  share_count: number
}

const counted = `SELECT g.id, g.name, g.kind, CASE WHEN g.kind = 'everyone'
    THEN (SELECT COUNT(*) FROM users u WHERE u.is_active = 1)
    ELSE (SELECT COUNT(*) FROM group_members m WHERE m.group_id = g.id) END AS member_count,
    (SELECT COUNT(*) FROM shares s WHERE s.group_id = g.id) AS share_count
  FROM user_groups g`

/** All groups, that of everyone first, the others by name. */
export const findGroups = (db: Database): Promise<CountedGroupRow[]> =>
  db.rows<CountedGroupRow>(`${counted} ORDER BY g.kind, g.name_key, g.id`)

/** A group by id. Throws `not_found`. */
export async function findGroup(db: Database, id: number): Promise<CountedGroupRow> {
  const row = await db.row<CountedGroupRow>(`${counted} WHERE g.id = $1`, [id])
  if (row === undefined) throw notFound('Group')
  return row
}

/** A group by its exact name, as names are compared. Throws `not_found`. */
export async function findGroupByName(db: Database, name: string): Promise<CountedGroupRow> {
  const row = await db.row<CountedGroupRow>(`${counted} WHERE g.name_key = $1`, [userKey(name)])
  if (row === undefined) throw notFound('Group')
  return row
}

/** The members of a listed group, by name. */
export const findMembers = (db: Database, groupId: number): Promise<Person[]> =>
  db.rows<Person>(
    `SELECT u.id, u.username, u.full_name FROM group_members m JOIN users u ON u.id = m.user_id
     WHERE m.group_id = $1 ORDER BY u.username_key LIMIT ${maxGroupMembers}`,
    [groupId],
  )

/** Whether another group has the name. */
export const isNameTaken = async (db: Database, key: string, ownId = 0): Promise<boolean> =>
  (await db.row('SELECT g.id FROM user_groups g WHERE g.name_key = $1 AND g.id <> $2', [key, ownId])) !== undefined
