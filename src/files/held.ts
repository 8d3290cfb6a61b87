/** Finds what a tree holds that is not shown to who acts on it. */
import type { Actor } from '../access/actor.ts'
import { shownRow } from '../access/policy.ts'
import { everything } from '../access/standing.ts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import type { ItemRow } from './item-row.ts'

/**
 * Throws `in_use` if a live item, or a folder with all that is live below it, holds files of others that are not
 * approved. CROSS JOIN keeps SQLite from reading the whole space for each folder. With `is_directory` in a condition of
 * its own at the end it would read all of each folder.
 */
export async function refuseHeld(db: Database, { userId }: Actor, item: ItemRow): Promise<void> {
  if (item.is_directory === 0) return
  const held = await db.row(
    `WITH RECURSIVE folders (id) AS (
       SELECT $1
       UNION ALL
       SELECT f.id FROM folders CROSS JOIN files f
         ON f.space_id = $2 AND f.live_parent = folders.id AND f.is_directory = 1)
     SELECT f.id FROM folders CROSS JOIN files f ON f.space_id = $2 AND f.live_parent = folders.id
     WHERE f.validation_status <> 'approved' AND NOT ${shownRow(everything, '$3')} LIMIT 1`,
    [item.id, item.space_id, userId],
  )
  if (held === undefined) return
  throw new AppError('in_use', 'It holds files of others that are not approved yet; nobody else may move them')
}
