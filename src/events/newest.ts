/** Reads the newest of several groups of events, at a cost that does not grow with the groups. */
import type { Bind } from '../db/connections.ts'
import type { Database } from '../db/database.ts'
import { joinInOrder } from '../db/join-in-order.ts'
import { orderBy } from '../db/keyset.ts'
import type { EventRow } from '../db/models/events.ts'

/** Sorted by time, which the audit log filters too; the id orders events of the same millisecond. */
export const eventOrder = ['at', 'id']
const newestFirst = orderBy(eventOrder, 'desc')

/** Groups per statement; SQLite joins at most 500. */
export const groupsAtOnce = 100

/**
 * The newest `count` events of up to `groupsAtOnce` groups together, each given as a condition. Of each group at most
 * `count` entries are read if an index has its order. The texts are read of the result only.
 */
export function readNewest(
  db: Database,
  groups: readonly string[],
  values: readonly Bind[],
  count: number,
): Promise<EventRow[]> {
  const heads = groups.map(
    (group, n) =>
      `SELECT id, at FROM (SELECT id, at FROM events WHERE ${group} ORDER BY ${newestFirst} LIMIT ${count}) head${n}`,
  )
  return db.rows<EventRow>(
    `SELECT e.id, e.at, e.actor_id, e.actor_name, e.key_id, e.address, e.action, e.space_id, e.item_id, e.detail
     FROM (SELECT id, at FROM (${heads.join(' UNION ALL ')}) heads ORDER BY ${newestFirst} LIMIT ${count}) newest
       ${joinInOrder[db.dialect]} events e ON e.id = newest.id
     ORDER BY newest.at DESC, newest.id DESC`,
    values,
  )
}
