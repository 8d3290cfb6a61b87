/** Sets and takes away the metadata of a file that is there. */

import type { Actor } from '../access/actor.ts'
import { actorWrite } from '../access/actor-write.ts'
import type { MetadataValue } from '../api/metadata-values.ts'
import { notFound } from '../base/errors.ts'
import { lockSpace } from '../db/lock-space.ts'
import type { Deps } from '../deps.ts'
import { admitValues, checkValues, refuseRemoval, saveValues } from '../metadata/values.ts'
import { findSwitches } from '../settings/find.ts'
import { findItem } from './find.ts'

/**
 * Sets the values given; an empty one takes its field's away. Throws `not_found`, also for a folder, `storage_full`,
 * `rate_limited`, and `invalid_input` where a value does not fit, a required one would go, or the file's values would take
 * too much together.
 */
export async function setFileMetadata(
  deps: Pick<Deps, 'db' | 'room' | 'changes'>,
  actor: Actor,
  id: number,
  metadata: readonly MetadataValue[],
): Promise<void> {
  const { db } = deps
  await admitValues(deps, actor.userId, metadata)
  return actorWrite(db, actor, async record => {
    await lockSpace(db, actor.root.spaceId)
    const item = await findItem(db, actor, id, 'change')
    if (item.is_directory === 1) throw notFound('File')
    const switches = await findSwitches(db)
    const values = await checkValues(db, switches, metadata)
    refuseRemoval(switches, values)
    if (values.length === 0) return record.nothing()
    await saveValues(db, item.id, values)
    const fields = values.map(({ field }) => field.name)
    record('file.metadata', { id: item.id, spaceId: item.space_id }, { name: item.name, fields })
  })
}
