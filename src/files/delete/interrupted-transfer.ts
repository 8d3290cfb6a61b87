/** Handles what an interrupted transfer leaves: items whose folder is still in another space. */
import { isLive } from '../../access/policy.ts'
import type { Database } from '../../db/database.ts'
import type { Recorder } from '../../db/recorder.ts'
import { findFreeName } from '../free-name.ts'
import { nameColumns } from '../item-name.ts'

interface StrayRow {
  id: number
  owner_id: number
  space_owner: number
  space_id: number
  name: string
  is_directory: 0 | 1
  deleted_at: number | null
  trash_root_id: number | null
}

/**
 * Moves items that have left a space without their folder into the root of their new space, or into the folder that
 * `folders` has for that space, so that their folder can be deleted or go elsewhere. Items in the space `except` are left
 * alone, because their folder will follow.
 */
export async function settleInterrupted(
  db: Database,
  record: Recorder,
  spaceId: number,
  except: number | null,
  folders: ReadonlyMap<number, number> = new Map(),
): Promise<void> {
  const strays = await db.rows<StrayRow>(
    `SELECT f.id, f.owner_id, s.owner_id AS space_owner, f.space_id, f.name, f.is_directory, f.deleted_at, f.trash_root_id
     FROM files p JOIN files f ON f.parent_id = p.id JOIN spaces s ON s.id = f.space_id
     WHERE p.space_id = $1 AND f.space_id <> $1 AND f.space_id <> $2`,
    [spaceId, except ?? spaceId],
  )
  for (const stray of strays) {
    const { id, space_id, name } = stray
    const isDirectory = stray.is_directory === 1
    const parent_id = isLive(stray) ? (folders.get(space_id) ?? null) : null
    const free = isLive(stray) ? await findFreeName(db, space_id, parent_id, name, isDirectory) : name
    // An item that was trashed with its folder stays in the trash without it.
    const deleted_at = isLive(stray) ? null : (stray.deleted_at ?? Date.now())
    // A folder at the top belongs to the owner of the space.
    const owner_id = isDirectory && parent_id === null ? stray.space_owner : stray.owner_id
    await db.update(db.files, { ...nameColumns(free, isDirectory), owner_id, parent_id, deleted_at }, id)
    record.slice(space_id)
  }
}
