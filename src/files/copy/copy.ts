/** Copies items: a file in one write, a folder with all live items below it in slices. */

import { type Actor, writeActor } from '../../access/actor.ts'
import { actorWrite } from '../../access/actor-write.ts'
import { confirmActor } from '../../access/confirm-actor.ts'
import { isInSpace } from '../../access/reach.ts'
import { type Abilities, type Need, needToReadOn, noAbilities } from '../../access/standing.ts'
import { InTransit } from '../../access/transit.ts'
import type { ParsedInputOf } from '../../api/endpoint.ts'
import type { copyFile as endpoint } from '../../api/files.ts'
import { AppError, nameTaken } from '../../base/errors.ts'
import type { Database } from '../../db/database.ts'
import type { Deps } from '../../deps.ts'
import { changesOfBytes } from '../../metadata/values.ts'
import { findSwitches } from '../../settings/find.ts'
import { deleteTree, treeLease } from '../delete/tree.ts'
import { type Found, findFolderWithAncestors, findItem, findUnlistedRoot } from '../find.ts'
import { findByName, refuseTooDeep } from '../find-in-space.ts'
import { findFreeName } from '../free-name.ts'
import { isDropBox, nameIn } from '../hand-in.ts'
import { refuseHeld } from '../held.ts'
import { initialStatus } from '../initial-status.ts'
import { nameColumns } from '../item-name.ts'
import type { DetailsRow, ItemRow } from '../item-row.ts'
import { lockSpaceOf } from '../lock-spaces.ts'
import type { FolderAbove } from '../paths.ts'
import { charge, requireQuota } from '../space.ts'
import { showTree, trashItem } from '../trash.ts'
import { openChanged } from './changed.ts'
import { type CopyTerms, copyMarks, copyOf, findMarkSizes } from './rows.ts'
import { copyTree, keepTree } from './tree.ts'
import { measureTree, type TreeSize } from './walk.ts'

type CopyInput = ParsedInputOf<typeof endpoint>

/** What becomes of the original: a copy keeps it; a move to another space puts it into the trash there. */
type Act = 'copy' | 'move'

/** What must be allowed at the original, of which a copy takes what is shown with some abilities there. */
const needOf = (act: Act, shown: Abilities): Need => (act === 'move' ? 'organise' : needToReadOn(shown))

/** Finds the item to copy. Throws `not_found`, `forbidden`, and as `refuseHeld` for a move. */
async function findSource(
  db: Database,
  actor: Actor,
  id: number,
  act: Act,
  shown: Abilities = noAbilities,
): Promise<Found<DetailsRow>> {
  const item = await findItem(db, actor, id, needOf(act, shown))
  if (act === 'move') await refuseHeld(db, actor, item)
  return item
}

/** Finds the target folder. Folders can be made only where the actor may change what is there. Throws as findFolder. */
const findTarget = (db: Database, actor: Actor, { parent_id }: CopyInput, item: ItemRow) =>
  findFolderWithAncestors(db, actor, parent_id ?? null, item.is_directory === 1 ? 'change' : 'add')

type Target = Awaited<ReturnType<typeof findTarget>>

/** The name of the copy: free, or for a move the given one. Throws `name_taken` for a move. */
async function nameCopy(db: Database, actor: Actor, target: Target, item: ItemRow, wanted: string, act: Act) {
  const { spaceId, folderId } = target
  const name = nameIn(target, actor, wanted)
  if (act === 'copy') return findFreeName(db, spaceId, folderId, name, item.is_directory === 1)
  if ((await findByName(db, spaceId, folderId, name)) !== undefined) throw nameTaken(name)
  return name
}

/** The values that all copies of an item have in common, for an actor and a target. */
async function findTerms(db: Database, { userId }: Actor, item: Found<ItemRow>, target: Target): Promise<CopyTerms> {
  const status = await initialStatus(db, await findSwitches(db), { userId })
  return {
    spaceId: target.spaceId,
    sourceSpaceId: item.space_id,
    ownerId: userId,
    abilities: item.standing.here,
    receivedBy: isDropBox(target) ? 0 : null,
    status,
    at: Date.now(),
  }
}

function refuseCycle(ancestors: readonly FolderAbove[], item: ItemRow): void {
  if (ancestors.some(folder => folder.id === item.id)) {
    throw new AppError('would_cycle', 'A folder cannot be copied into itself')
  }
}

async function copySingle({ db, freeSpace, changes }: Deps, actor: Actor, input: CopyInput, act: Act): Promise<number> {
  const marks = (await findMarkSizes(db, actor.userId, [input.id])).get(input.id) ?? 0
  await freeSpace.admit(0, marks)
  await changes.count(actor.userId, changesOfBytes(marks))
  return actorWrite(db, actor, async record => {
    await lockSpaceOf(db, actor, input.id, input.parent_id ?? null)
    const item = await findSource(db, actor, input.id, act)
    const target = await findTarget(db, actor, input, item)
    const { spaceId, folderId: parentId } = target
    const name = await nameCopy(db, actor, target, item, input.name ?? item.name, act)
    await charge(db, spaceId, item.size, 1)
    const id = await db.insert(db.files, copyOf(item, await findTerms(db, actor, item, target), parentId, name))
    await copyMarks(db, actor.userId, [{ source: item.id, copy: id }])
    record('file.copy', { id, spaceId }, { from: item.id, name, parent_id: parentId })
    if (act === 'move') await trashItem(db, record, item)
    return id
  })
}

/**
 * Creates the still unlisted root of a folder's copy. Throws if the folder cannot be copied there. The tree was measured
 * before: to walk through it here would keep all other writes waiting.
 */
function beginCopy(
  deps: Deps,
  actor: Actor,
  terms: CopyTerms,
  input: CopyInput,
  size: TreeSize,
  act: Act,
): Promise<number> {
  const { db, leases } = deps
  const { spaceId } = terms
  return db.write(writeActor(actor), async record => {
    record.nothing()
    await lockSpaceOf(db, actor, input.id, input.parent_id ?? null)
    const item = await findSource(db, actor, input.id, act, terms.abilities)
    const { ancestors } = await findTarget(db, actor, input, item)
    refuseCycle(ancestors, item)
    refuseTooDeep(ancestors, size.height)
    await requireQuota(db, spaceId, size.bytes, size.items)
    await charge(db, spaceId, 0, 1)
    const id = await db.insert(db.files, { ...copyOf(item, terms, null, item.name), deleted_at: terms.at })
    await copyMarks(db, terms.ownerId, [{ source: item.id, copy: id }])
    await leases.begin(treeLease(id))
    return id
  })
}

/** Makes a complete copy visible. Throws if its source or its target folder is gone, or went to another user, by now. */
function showCopy(
  deps: Deps,
  actor: Actor,
  terms: CopyTerms,
  input: CopyInput,
  { rootId, height, refuseChanged }: { rootId: number; height: number; refuseChanged: () => Promise<void> },
  act: Act,
): Promise<void> {
  const { db, leases } = deps
  return actorWrite(db, actor, async record => {
    await lockSpaceOf(db, actor, input.id, input.parent_id ?? null)
    await keepTree(deps, rootId)
    const item = await findSource(db, actor, input.id, act, terms.abilities)
    if (!isInSpace({ spaceId: terms.sourceSpaceId }, item.space_id)) throw new InTransit()
    await refuseChanged()
    const target = await findTarget(db, actor, input, item)
    const { spaceId, folderId: parentId, ancestors } = target
    refuseTooDeep(ancestors, height)
    const root = await findUnlistedRoot(db, rootId)
    const name = await nameCopy(db, actor, target, item, input.name ?? root?.name ?? '', act)
    await showTree(db, rootId)
    await db.update(db.files, { ...nameColumns(name, true), parent_id: parentId, deleted_at: null }, rootId)
    await leases.end(treeLease(rootId))
    record('file.copy', { id: rootId, spaceId }, { from: input.id, name, parent_id: parentId })
    if (act === 'move') await trashItem(db, record, item)
  })
}

/** Removes the parts of a failed copy. */
async function discardCopy(deps: Deps, spaceId: number, rootId: number): Promise<void> {
  try {
    for await (const _slice of deleteTree(deps, { id: rootId, spaceId }));
  } catch (error) {
    deps.log.warn({ err: error, item: rootId }, 'what there is of a copy stays until its lease expires')
  }
}

async function copyFolder(deps: Deps, actor: Actor, input: CopyInput, item: Found<ItemRow>, act: Act): Promise<number> {
  const { db } = deps
  const target = await findTarget(db, actor, input, item)
  const { spaceId, ancestors } = target
  refuseCycle(ancestors, item)
  const terms = await findTerms(db, actor, item, target)
  const refuseChanged = act === 'move' ? await openChanged(db, actor, item) : async () => undefined
  const rootId = await beginCopy(deps, actor, terms, input, await measureTree(db, item, terms, ancestors), act)
  // Copying may take minutes, and the actor may lose access meanwhile.
  const confirm = async () => {
    await confirmActor(db, actor, actor.permissions)
    await findTarget(db, actor, input, await findItem(db, actor, input.id, needOf(act, terms.abilities)))
    await refuseChanged()
  }
  try {
    const height = await copyTree(deps, actor, terms, { source: item.id, copy: rootId }, ancestors, confirm)
    await confirm()
    await showCopy(deps, actor, terms, input, { rootId, height, refuseChanged }, act)
  } catch (error) {
    await discardCopy(deps, spaceId, rootId)
    throw error
  }
  return rootId
}

/**
 * Copies a file or a folder into a folder (null: the root) under a free name; returns the copy's id. What is not shown
 * to the actor is not copied. Throws `not_found`, `forbidden`, `would_cycle`, `quota_exceeded`, `storage_full`,
 * `rate_limited` if its metadata and tags exceed what the user may add in a day, `unauthenticated` and `forbidden` if the actor
 * loses access meanwhile, and `invalid_input` if the tree would become too deep. After an error nothing of the copy is
 * left.
 */
export const copyFile = (deps: Deps, actor: Actor, input: CopyInput): Promise<number> =>
  copyItem(deps, actor, input, 'copy')

/**
 * Moves an item to a folder of another space; returns the id of what is there then. That is a copy; the original goes to
 * the trash of its space in the write that shows the copy, so that its owner can restore what somebody has carried off.
 * Throws as `copyFile`, `name_taken`, and `in_use` if the item holds files of others that are not approved, or something
 * in it is changed meanwhile.
 */
export const moveBetweenSpaces = (deps: Deps, actor: Actor, input: CopyInput): Promise<number> =>
  copyItem(deps, actor, input, 'move')

async function copyItem(deps: Deps, actor: Actor, input: CopyInput, act: Act): Promise<number> {
  const item = await findSource(deps.db, actor, input.id, act)
  return item.is_directory === 0 ? copySingle(deps, actor, input, act) : copyFolder(deps, actor, input, item, act)
}
