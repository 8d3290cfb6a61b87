/** Renames items; only one row changes, however much is below it. */

import type { Actor } from '../access/actor.ts'
import { actorWrite } from '../access/actor-write.ts'
import { nameTaken } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { findItem } from './find.ts'
import { findByName } from './find-in-space.ts'
import { nameColumns } from './item-name.ts'
import type { ItemRow } from './item-row.ts'
import { lockSpaceOf } from './lock-spaces.ts'

/** Throws `name_taken` if a live item of the folder (null: the root) in the item's space has the name. */
export async function refuseTaken(db: Database, item: ItemRow, parentId: number | null, name: string): Promise<void> {
  if ((await findByName(db, item.space_id, parentId, name)) !== undefined) throw nameTaken(name)
}

/** Renames an item; does nothing if it already has the name. Throws `not_found`, `forbidden` and `name_taken`. */
export function renameFile(db: Database, actor: Actor, id: number, name: string): Promise<void> {
  return actorWrite(db, actor, async record => {
    await lockSpaceOf(db, actor, id)
    const item = await findItem(db, actor, id, 'organise')
    if (item.name === name) return record.nothing()
    await refuseTaken(db, item, item.parent_id, name)
    await db.update(db.files, { ...nameColumns(name, item.is_directory === 1), updated_at: Date.now() }, item.id)
    record('file.rename', { id: item.id, spaceId: item.space_id }, { from: item.name, to: name })
  })
}
