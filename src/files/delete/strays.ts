/** What a transfer that broke off has left: items whose folder still stands in another space. */
import { isLive } from '../../access/policy.ts'
import type { Database } from '../../db/database.ts'
import { findFreeName, nameColumns } from '../item-name.ts'

interface StrayRow {
  id: number
  space_id: number
  name: string
  is_directory: 0 | 1
  deleted_at: number | null
  trash_root_id: number | null
}

/**
 * Gives items that have left a space, but whose folder has not, a place in the root of the space that they are in now,
 * so that the folder may go elsewhere. Those in the space `except` wait for their folder.
 */
export async function settleStrays(db: Database, spaceId: number, except: number | null): Promise<void> {
  const strays = await db.rows<StrayRow>(
    `SELECT f.id, f.space_id, f.name, f.is_directory, f.deleted_at, f.trash_root_id FROM files p JOIN files f ON f.parent_id = p.id
     WHERE p.space_id = $1 AND f.space_id <> $1 AND f.space_id <> $2`,
    [spaceId, except ?? spaceId],
  )
  for (const stray of strays) {
    const { id, space_id, name } = stray
    const isDirectory = stray.is_directory === 1
    const free = isLive(stray) ? await findFreeName(db, space_id, null, name, isDirectory) : name
    // What went to the trash with its folder is in the trash without it too.
    const deleted_at = isLive(stray) ? null : (stray.deleted_at ?? Date.now())
    await db.update(db.files, { ...nameColumns(free, isDirectory), parent_id: null, deleted_at }, id)
  }
}
