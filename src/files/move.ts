/** Moves items, also under a new name; only one row changes, however much is below it. */

import type { Actor } from '../access/actor.ts'
import { actorWrite } from '../access/actor-write.ts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { lockSpace } from '../db/lock-space.ts'
import { findFolderWay, findHeight, findItem, refuseTooDeep } from './find.ts'
import { nameColumns } from './item-name.ts'
import type { ItemRow } from './item-row.ts'
import { refuseTaken } from './rename.ts'

/** The target folder: null is the root. If none is given, it is the root too, but with a new name the item stays. */
const targetOf = (item: ItemRow, parentId: number | null | undefined, newName: string | undefined): number | null =>
  parentId === undefined && newName !== undefined ? item.parent_id : (parentId ?? null)

/**
 * Moves an item into a folder (null: the root), and renames it in the same write if a new name is given. Throws
 * `not_found`, `would_cycle`, `name_taken`, `invalid_input`.
 */
export function moveFile(
  db: Database,
  actor: Actor,
  id: number,
  givenParent: number | null | undefined,
  newName?: string,
): Promise<void> {
  return actorWrite(db, actor, async record => {
    await lockSpace(db, actor.root.spaceId)
    const item = await findItem(db, actor, id, 'organise')
    const parentId = targetOf(item, givenParent, newName)
    const { way } = await findFolderWay(db, actor, parentId, 'add')
    if (way.some(folder => folder.id === item.id)) {
      throw new AppError('would_cycle', 'A folder cannot be moved into itself')
    }
    const name = newName ?? item.name
    const isMoved = item.parent_id !== parentId
    const isRenamed = item.name !== name
    if (!isMoved && !isRenamed) return record.nothing()
    if (isMoved) refuseTooDeep(way, await findHeight(db, item))
    await refuseTaken(db, item, parentId, name)
    const columns = isRenamed ? nameColumns(name, item.is_directory === 1) : {}
    await db.update(db.files, { ...columns, parent_id: parentId, updated_at: Date.now() }, item.id)
    const place = { id: item.id, spaceId: item.space_id }
    if (isMoved) record('file.move', place, { from: item.parent_id, to: parentId })
    if (isRenamed) record('file.rename', place, { from: item.name, to: name })
  })
}
