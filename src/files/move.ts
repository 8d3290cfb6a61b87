/** Moves items, also under a new name; only one row changes, however much is below it. */

import type { Actor } from '../access/actor.ts'
import { actorWrite } from '../access/actor-write.ts'
import { type Access, mayCall } from '../access/policy.ts'
import { isInSpace } from '../access/reach.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import type { moveFile as endpoint } from '../api/files.ts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import { moveBetweenSpaces } from './copy/copy.ts'
import { findFolder, findFolderWithAncestors, findItem, notAllowedHere } from './find.ts'
import { findHeight, refuseTooDeep } from './find-in-space.ts'
import { nameColumns } from './item-name.ts'
import type { ItemRow } from './item-row.ts'
import { lockSpaceOf } from './lock-spaces.ts'
import { refuseTaken } from './rename.ts'
import { ownerAt } from './top-folder.ts'

type MoveInput = ParsedInputOf<typeof endpoint>

/** The target folder: null is the root. If none is given, it is the root too, but with a new name the item stays. */
const targetOf = (item: ItemRow, { parent_id, name }: MoveInput): number | null =>
  parent_id === undefined && name !== undefined ? item.parent_id : (parent_id ?? null)

/** Moves an item within its space, in one write. */
function moveWithin(db: Database, actor: Actor, input: MoveInput): Promise<void> {
  return actorWrite(db, actor, async record => {
    await lockSpaceOf(db, actor, input.id, input.parent_id ?? null)
    const item = await findItem(db, actor, input.id, 'organise')
    const {
      ancestors,
      folderId: parentId,
      spaceId,
    } = await findFolderWithAncestors(db, actor, targetOf(item, input), 'change')
    if (!isInSpace({ spaceId }, item.space_id)) throw movedMeanwhile()
    if (ancestors.some(folder => folder.id === item.id)) {
      throw new AppError('would_cycle', 'A folder cannot be moved into itself')
    }
    const name = input.name ?? item.name
    const isMoved = item.parent_id !== parentId
    const isRenamed = item.name !== name
    if (!isMoved && !isRenamed) return record.nothing()
    if (isMoved) refuseTooDeep(ancestors, await findHeight(db, item))
    await refuseTaken(db, item, parentId, name)
    const columns = isRenamed ? nameColumns(name, item.is_directory === 1) : {}
    const owner = ownerAt(actor, item, parentId)
    await db.update(db.files, { ...columns, ...owner, parent_id: parentId, updated_at: Date.now() }, item.id)
    const place = { id: item.id, spaceId: item.space_id }
    if (isMoved) record('file.move', place, { from: item.parent_id, to: parentId })
    if (isRenamed) record('file.rename', place, { from: item.name, to: name })
  })
}

const movedMeanwhile = (): AppError =>
  new AppError('unavailable', 'This item has just moved, try again', { retryAfter: 1 })

/** What a move to another space needs besides moving: it copies, and puts the original into the trash. */
const betweenSpaces: Access = { all: ['files:read', 'files:write', 'files:delete'] }

/**
 * Moves an item into a folder (null: the root), and renames it in the same write if a new name is given; returns the id
 * of what is there then. In another space that is a copy: see `moveBetweenSpaces`. Throws `not_found`, `forbidden`,
 * `would_cycle`, `name_taken`, `invalid_input`, and as `moveBetweenSpaces`.
 */
export async function moveFile(deps: Deps, actor: Actor, input: MoveInput): Promise<number> {
  const { db } = deps
  const item = await findItem(db, actor, input.id, 'organise')
  const parentId = targetOf(item, input)
  const target = await findFolder(db, actor, parentId, 'add')
  if (!isInSpace(target, item.space_id)) {
    if (!mayCall(actor, betweenSpaces)) throw notAllowedHere()
    return moveBetweenSpaces(deps, actor, { ...input, parent_id: parentId })
  }
  await moveWithin(db, actor, input)
  return input.id
}
