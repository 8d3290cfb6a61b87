/** Sets and removes metadata of an existing file. */

import type { Actor } from '../access/actor.ts'
import { actorWrite } from '../access/actor-write.ts'
import type { MetadataValue } from '../api/metadata-values.ts'
import { notFound } from '../base/errors.ts'
import type { Deps } from '../deps.ts'
import { admitValues, checkValues, refuseRemoval, saveValues } from '../metadata/values.ts'
import { findSwitches } from '../settings/find.ts'
import { findItem } from './find.ts'
import { lockSpaceOf } from './lock-spaces.ts'

/**
 * Sets the given values; an empty value removes the field's value. Throws `not_found`, also for a folder,
 * `storage_full`, `rate_limited`, and `invalid_input` if a value is invalid, a required value would be removed, or all
 * values of the file would be too long together.
 */
export async function setFileMetadata(
  deps: Pick<Deps, 'db' | 'freeSpace' | 'changes'>,
  actor: Actor,
  id: number,
  metadata: readonly MetadataValue[],
): Promise<void> {
  const { db } = deps
  await admitValues(deps, actor.userId, metadata)
  return actorWrite(db, actor, async record => {
    await lockSpaceOf(db, actor, id)
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
