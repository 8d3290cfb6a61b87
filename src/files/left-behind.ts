/** What a user has put into others' places, and what becomes of it when the user is deleted. */
import { setTimeout } from 'node:timers/promises'
import type { SliceWrite } from '../access/confirmed-write.ts'
import type { Database } from '../db/database.ts'
import { lockSpace } from '../db/lock-space.ts'
import { isOneOf } from '../db/values.ts'
import { pauseTime, sliceSize } from './slices.ts'

interface Owner {
  id: number
  /** The user's own space. */
  space_id: number
}

const elsewhere = 'FROM files f WHERE f.owner_id = $1 AND f.space_id <> $2'

/** Whether a user owns items in others' places. */
export const hasItemsElsewhere = async (db: Database, { id, space_id }: Owner): Promise<boolean> =>
  (await db.row(`SELECT f.id ${elsewhere} LIMIT 1`, [id, space_id])) !== undefined

/**
 * Gives the next of these items to the owners of their spaces. A file among them that is not approved is shown to
 * reviewers alone from then on. Returns whether there were any.
 */
async function leaveSlice(db: Database, write: SliceWrite, { id, space_id }: Owner): Promise<boolean> {
  return write(async record => {
    record.nothing()
    const rows = await db.rows<{ id: number; space_id: number }>(
      `SELECT f.id, f.space_id ${elsewhere} ORDER BY f.space_id LIMIT ${sliceSize}`,
      [id, space_id],
    )
    for (const spaceId of new Set(rows.map(row => row.space_id))) {
      await lockSpace(db, spaceId)
      record.slice(spaceId)
    }
    const ids = rows.map(row => row.id)
    if (ids.length === 0) return false
    await db.change(
      `UPDATE files SET received_by = -1, owner_id = (SELECT s.owner_id FROM spaces s WHERE s.id = files.space_id)
       WHERE owner_id = $1 AND ${isOneOf('id', ids, 2)}`,
      [id, ...ids],
    )
    return true
  })
}

/** Gives all that a user owns in others' places to the owners of these, in slices. Throws as `write`. */
export async function leaveItemsElsewhere(db: Database, write: SliceWrite, owner: Owner): Promise<void> {
  while (await leaveSlice(db, write, owner)) await setTimeout(pauseTime)
}
