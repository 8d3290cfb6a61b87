/**
 * Tells a group whose row is lost from one that somebody has deleted, and from a wrong number: what names a lost one is all
 * that is left of it.
 */
import type { Database } from '../../db/database.ts'
import { findLastIds, lastIdOf } from '../../db/last-ids.ts'
import { findNotedName } from './group-names.ts'

const isDeleted = async (db: Database, id: number): Promise<boolean> =>
  (await db.rows("SELECT id FROM events WHERE item_id = $1 AND action = 'group.delete' LIMIT 1", [id])).length > 0

/** The name of a lost group, as far as events tell it; undefined where no group is lost. */
export async function nameLostGroup(db: Database, id: number): Promise<string | undefined> {
  const last = (await findLastIds(db)).find(({ table }) => table === 'user_groups')
  if (last === undefined || id < 1 || id > lastIdOf(last) || (await isDeleted(db, id))) return undefined
  const name = await findNotedName(db, id)
  return name === undefined ? `group (id:${id})` : `group '${name}' (id:${id})`
}
