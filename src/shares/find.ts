/** Looks up shares; only this file reads a share by id. */
import { isForUser } from '../access/share-sql.ts'
import { notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import type { ShareRow } from '../db/models/shares.ts'
import { isOneOf } from '../db/values.ts'
import { type ItemRow, itemColumns } from '../files/item-row.ts'

/** A share with what is told of the user or group that has it. */
export interface GrantRow extends ShareRow {
  username: string | null
  full_name: string | null
  user_is_active: 0 | 1 | null
  group_name: string | null
  group_kind: 'listed' | 'everyone' | null
  space_kind: 'personal' | 'team'
}

const grantColumns = `s.id, s.space_id, s.item_id, s.user_id, s.group_id, s.level, s.created_by, s.created_at, s.expires_at,
  u.username, u.full_name, u.is_active AS user_is_active, g.name AS group_name, g.kind AS group_kind, sp.kind AS space_kind`
const grantTables = `shares s JOIN spaces sp ON sp.id = s.space_id LEFT JOIN users u ON u.id = s.user_id
  LEFT JOIN user_groups g ON g.id = s.group_id`

/** A share by id. Throws `not_found`. */
export async function requireGrant(db: Database, id: number): Promise<GrantRow> {
  const row = await db.row<GrantRow>(`SELECT ${grantColumns} FROM ${grantTables} WHERE s.id = $1`, [id])
  if (row === undefined) throw notFound('Share')
  return row
}

/** The item of a share, live or trashed, whatever its reader may do there. Throws `not_found`. */
export async function findSharedItem(db: Database, id: number): Promise<ItemRow> {
  const row = await db.row<ItemRow>(
    `SELECT ${itemColumns} FROM shares s JOIN files f ON f.id = s.item_id WHERE s.id = $1`,
    [id],
  )
  if (row === undefined) throw notFound('Share')
  return row
}

/** All shares of some items, the oldest first. */
export async function findGrantsOf(db: Database, itemIds: readonly number[]): Promise<GrantRow[]> {
  if (itemIds.length === 0) return []
  return db.rows<GrantRow>(
    `SELECT ${grantColumns} FROM ${grantTables} WHERE ${isOneOf('s.item_id', itemIds)} ORDER BY s.id`,
    itemIds,
  )
}

/** The number of shares of a user's own files, or of a team folder. */
export async function countGrantsIn(db: Database, spaceId: number): Promise<number> {
  const row = await db.row<{ count: number }>('SELECT COUNT(*) AS count FROM shares WHERE space_id = $1', [spaceId])
  return row?.count ?? 0
}

/** Shares of the whole server, the oldest first, at most `count` with an id above `after`. */
export const findAllGrants = (db: Database, after: number, count: number): Promise<GrantRow[]> =>
  db.rows<GrantRow>(`SELECT ${grantColumns} FROM ${grantTables} WHERE s.id > $1 ORDER BY s.id LIMIT ${count}`, [after])

/** The share of an item with a user or a group. */
export const findGrantTo = (
  db: Database,
  itemId: number,
  { user_id, group_id }: { user_id?: number | undefined; group_id?: number | undefined },
): Promise<GrantRow | undefined> =>
  db.row<GrantRow>(
    `SELECT ${grantColumns} FROM ${grantTables}
     WHERE s.item_id = $1 AND ${user_id === undefined ? 's.group_id' : 's.user_id'} = $2`,
    [itemId, user_id ?? group_id ?? 0],
  )

/** Throws `not_found` unless a share is for the user. */
export async function requireReceived(db: Database, userId: number, id: number): Promise<void> {
  const row = await db.row(
    `SELECT s.id FROM shares s JOIN spaces sp ON sp.id = s.space_id WHERE s.id = $1 AND ${isForUser('$2')}`,
    [id, userId],
  )
  if (row === undefined) throw notFound('Share')
}
