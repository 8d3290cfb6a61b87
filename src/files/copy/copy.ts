/** Copies items: a file in one write, a folder with all live items below it in slices. */

import type { Actor } from '../../access/actor.ts'
import { actorWrite } from '../../access/actor-write.ts'
import { confirmActor } from '../../access/confirm-actor.ts'
import type { ParsedInputOf } from '../../api/endpoint.ts'
import type { copyFile as endpoint } from '../../api/files.ts'
import type { Breadcrumb } from '../../api/items.ts'
import { AppError } from '../../base/errors.ts'
import type { Database } from '../../db/database.ts'
import { lockSpace } from '../../db/lock-space.ts'
import { systemActor } from '../../db/write.ts'
import type { Deps } from '../../deps.ts'
import { changesOfBytes } from '../../metadata/values.ts'
import { findSwitches } from '../../settings/find.ts'
import { deleteTree, treeLease } from '../delete/tree.ts'
import { findFolder, findFolderWay, findItem, findUnlistedRoot, refuseTooDeep } from '../find.ts'
import { findFreeName } from '../free-name.ts'
import { initialStatus } from '../initial-status.ts'
import { nameColumns } from '../item-name.ts'
import type { ItemRow } from '../item-row.ts'
import { charge, requireQuota } from '../space.ts'
import { type CopyTerms, copyMarks, copyOf, findMetadataSizes } from './rows.ts'
import { copyTree, keepTree } from './tree.ts'
import { measureTree, type TreeSize } from './walk.ts'

type CopyInput = ParsedInputOf<typeof endpoint>

/** The values that all copies of an item have in common, for an actor and a target space. */
async function findTerms(db: Database, { userId }: Actor, item: ItemRow, spaceId: number): Promise<CopyTerms> {
  const status = await initialStatus(db, await findSwitches(db), userId)
  return { spaceId, sourceSpaceId: item.space_id, ownerId: userId, status, at: Date.now() }
}

function refuseCycle(way: readonly Breadcrumb[], item: ItemRow): void {
  if (way.some(folder => folder.id === item.id)) {
    throw new AppError('would_cycle', 'A folder cannot be copied into itself')
  }
}

async function copySingle({ db, freeSpace, changes }: Deps, actor: Actor, input: CopyInput): Promise<number> {
  const metadata = (await findMetadataSizes(db, [input.id])).get(input.id) ?? 0
  await freeSpace.admit(0, metadata)
  await changes.count(actor.userId, changesOfBytes(metadata))
  const parentId = input.parent_id ?? null
  return actorWrite(db, actor, async record => {
    await lockSpace(db, actor.root.spaceId)
    const item = await findItem(db, actor, input.id, 'see')
    const { spaceId } = await findFolder(db, actor, parentId, 'add')
    const name = await findFreeName(db, spaceId, parentId, input.name ?? item.name, false)
    await charge(db, spaceId, item.size, 1)
    const id = await db.insert(db.files, copyOf(item, await findTerms(db, actor, item, spaceId), parentId, name))
    await copyMarks(db, actor.userId, [{ source: item.id, copy: id }])
    record('file.copy', { id, spaceId }, { from: item.id, name, parent_id: parentId })
    return id
  })
}

/**
 * Creates the still unlisted root of a folder's copy. Throws if the folder cannot be copied there. The tree was measured
 * before: to walk through it here would keep all other writes waiting.
 */
function beginCopy(deps: Deps, actor: Actor, terms: CopyTerms, input: CopyInput, size: TreeSize): Promise<number> {
  const { db, leases } = deps
  const { spaceId } = terms
  return db.write(systemActor, async record => {
    record.nothing()
    await lockSpace(db, spaceId)
    const item = await findItem(db, actor, input.id, 'see')
    const { way } = await findFolderWay(db, actor, input.parent_id ?? null, 'add')
    refuseCycle(way, item)
    refuseTooDeep(way, size.height)
    await requireQuota(db, spaceId, size.bytes, size.items)
    await charge(db, spaceId, 0, 1)
    const id = await db.insert(db.files, { ...copyOf(item, terms, null, item.name), deleted_at: terms.at })
    await copyMarks(db, terms.ownerId, [{ source: item.id, copy: id }])
    await leases.begin(treeLease(id))
    return id
  })
}

/** Makes a complete copy visible under a free name. Throws if its source or its target folder is gone by now. */
function showCopy(
  deps: Deps,
  actor: Actor,
  { spaceId }: CopyTerms,
  input: CopyInput,
  rootId: number,
  height: number,
): Promise<void> {
  const { db, leases } = deps
  const parentId = input.parent_id ?? null
  return actorWrite(db, actor, async record => {
    await lockSpace(db, spaceId)
    await keepTree(deps, rootId)
    await findItem(db, actor, input.id, 'see')
    const { way } = await findFolderWay(db, actor, parentId, 'add')
    refuseTooDeep(way, height)
    const root = await findUnlistedRoot(db, rootId)
    const name = await findFreeName(db, spaceId, parentId, input.name ?? root?.name ?? '', true)
    await db.change('UPDATE files SET deleted_at = NULL, trash_root_id = NULL WHERE trash_root_id = $1', [rootId])
    await db.update(db.files, { ...nameColumns(name, true), parent_id: parentId, deleted_at: null }, rootId)
    await leases.end(treeLease(rootId))
    record('file.copy', { id: rootId, spaceId }, { from: input.id, name, parent_id: parentId })
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

/**
 * Copies a file or a folder into a folder (null: the root) under a free name; returns the copy's id. Throws
 * `not_found`, `would_cycle`, `quota_exceeded`, `storage_full`, `rate_limited` if its metadata exceeds what the user
 * may add in a day, `unauthenticated` and `forbidden` if the actor loses access meanwhile, and `invalid_input` if the
 * tree would become too deep. After an error nothing of the copy is left.
 */
export async function copyFile(deps: Deps, actor: Actor, input: CopyInput): Promise<number> {
  const { db } = deps
  const item = await findItem(db, actor, input.id, 'see')
  if (item.is_directory === 0) return copySingle(deps, actor, input)
  const { spaceId, way } = await findFolderWay(db, actor, input.parent_id ?? null, 'add')
  refuseCycle(way, item)
  const terms = await findTerms(db, actor, item, spaceId)
  const rootId = await beginCopy(deps, actor, terms, input, await measureTree(db, item, spaceId, way))
  // Copying may take minutes, and the actor may lose access meanwhile.
  const confirm = () => confirmActor(db, actor, ['files:read', 'files:write'])
  try {
    const height = await copyTree(deps, terms, { source: item.id, copy: rootId }, way, confirm)
    await confirm()
    await showCopy(deps, actor, terms, input, rootId, height)
  } catch (error) {
    await discardCopy(deps, spaceId, rootId)
    throw error
  }
  return rootId
}
