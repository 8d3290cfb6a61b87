/** Sets the own time of a file: when its content was last changed where it comes from. */
import type { Actor } from '../access/actor.ts'
import { actorWrite } from '../access/actor-write.ts'
import { invalidField } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { findItem } from './find.ts'
import { lockSpaceOf } from './lock-spaces.ts'

/**
 * Sets the time of a file, as ISO 8601; does nothing if it already has it. `updated_at` stays, because content, name and
 * folder do not change. Throws `not_found`, `forbidden`, and `invalid_input` for a folder.
 */
export function setModifiedAt(db: Database, actor: Actor, id: number, time: string): Promise<void> {
  return actorWrite(db, actor, async record => {
    await lockSpaceOf(db, actor, id)
    const item = await findItem(db, actor, id, 'organise')
    if (item.is_directory === 1) throw invalidField('id', 'A folder has no time of its own')
    const modifiedAt = Date.parse(time)
    if (item.modified_at === modifiedAt) return record.nothing()
    await db.update(db.files, { modified_at: modifiedAt }, item.id)
    const detail = { name: item.name, modified_at: new Date(modifiedAt).toISOString() }
    record('file.date', { id: item.id, spaceId: item.space_id }, detail)
  })
}
