/**
 * Deletes unlisted trees: those that a permanent deletion has taken out of the trash, and copies that came to nothing.
 * The root of such a tree has deleted_at but no trash_root_id, what is below it the root's id there, so that no list
 * shows it and no call meets it. As long as it stands there is a lease for it, made in the same write; a lease that
 * has expired says that the server which was at work died.
 */
import { setTimeout } from 'node:timers/promises'
import { lockSpace } from '../../db/lock-space.ts'
import { isOneOf } from '../../db/values.ts'
import { systemActor } from '../../db/write.ts'
import type { Deps } from '../../deps.ts'
import { findUnlistedRoot } from '../find.ts'
import { pauseTime, sliceSize } from '../slices.ts'
import { type DoomedRow, deleteRows, doomedColumns } from './rows.ts'

const leasePrefix = 'tree:'

/** The lease of the tree below an unlisted root. */
export const treeLease = (rootId: number): string => `${leasePrefix}${rootId}`

interface Tree {
  id: number
  spaceId: number
}

/**
 * Ids of a tree's rows that have nothing of it below them, the newest first: children are mostly younger. A column
 * with `+ 0` is one whose index would make the database read the whole tree.
 */
async function findTreeLeaves({ db }: Deps, tree: Tree, beforeId: number): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(
    `SELECT f.id FROM files f
     WHERE f.trash_root_id = $1 AND f.space_id = $2 AND f.id < $3 AND (f.is_directory = 0
       OR NOT EXISTS (SELECT 1 FROM files c WHERE c.parent_id = f.id AND c.trash_root_id + 0 = $1))
     ORDER BY f.id DESC LIMIT ${sliceSize}`,
    [tree.id, tree.spaceId, beforeId],
  )
  return rows.map(({ id }) => id)
}

async function deleteSlice(deps: Deps, tree: Tree, ids: readonly number[]): Promise<void> {
  const { db, leases } = deps
  const unnamed = await db.write(systemActor, async record => {
    record.nothing()
    await lockSpace(db, tree.spaceId)
    await leases.renew(treeLease(tree.id))
    // Once more, for the process that this one took to be dead may be at it too.
    const rows = await db.rows<DoomedRow>(
      `SELECT ${doomedColumns} FROM files f
       WHERE f.trash_root_id + 0 = $1 AND f.space_id + 0 = $2 AND ${isOneOf('f.id', ids, 3)}`,
      [tree.id, tree.spaceId, ...ids],
    )
    return deleteRows(db, tree.spaceId, rows)
  })
  await deps.removals.add(unnamed)
}

/**
 * The root goes last, and its lease with it. False where there is something below it again: a copy whose lease was
 * taken away may have added to the tree since it was looked at.
 */
async function deleteRoot(deps: Deps, tree: Tree): Promise<boolean> {
  const { db, leases } = deps
  const { isDone, unnamed } = await db.write(systemActor, async record => {
    record.nothing()
    await lockSpace(db, tree.spaceId)
    if ((await findTreeLeaves(deps, tree, Number.MAX_SAFE_INTEGER)).length > 0) return { isDone: false, unnamed: [] }
    const root = await findUnlistedRoot(db, tree.id)
    const unnamed = await deleteRows(db, tree.spaceId, root?.space_id === tree.spaceId ? [root] : [])
    await leases.end(treeLease(tree.id))
    return { isDone: true, unnamed }
  })
  await deps.removals.add(unnamed)
  return isDone
}

/**
 * Deletes a tree whose lease this process has, or nobody any more, in slices, leaves before what holds them; yields
 * after each slice, so that its caller may stop there. Needs the same memory for a tree of any size. A tree with a
 * lease that is left half done is found by `deleteAbandonedTrees`.
 */
export async function* deleteTree(deps: Deps, tree: Tree): AsyncGenerator<void> {
  let isDone = false
  try {
    for (let beforeId = Number.MAX_SAFE_INTEGER; ; ) {
      const ids = await findTreeLeaves(deps, tree, beforeId)
      const last = ids.at(-1)
      if (last === undefined && beforeId === Number.MAX_SAFE_INTEGER) {
        isDone = await deleteRoot(deps, tree)
        if (isDone) return
      }
      if (last !== undefined) await deleteSlice(deps, tree, ids)
      // Behind the oldest leaf begins another pass, over the folders that have become leaves.
      beforeId = ids.length < sliceSize ? Number.MAX_SAFE_INTEGER : (last ?? 0)
      yield
      await setTimeout(pauseTime)
    }
  } finally {
    if (!isDone) await abandon(deps, treeLease(tree.id))
  }
}

/** Also where the database has just failed: then the lease expires by itself. */
const abandon = ({ leases, log }: Deps, name: string): Promise<void> =>
  leases.abandon(name).catch(error => log.warn({ err: error, lease: name }, 'a lease stays until it expires'))

/** Deletes what crashes, and deletions that were stopped, have left of trees. */
export async function deleteAbandonedTrees(deps: Deps, signal: AbortSignal): Promise<void> {
  const { db, leases, log } = deps
  for (const name of await leases.findAbandoned(leasePrefix)) {
    if (signal.aborted) return
    if (!(await leases.take(name))) continue
    const root = await findUnlistedRoot(db, Number(name.slice(leasePrefix.length)))
    if (root === undefined) {
      await leases.end(name)
      continue
    }
    log.info({ item: root.id, space: root.space_id }, 'deleting what was left half done')
    for await (const _slice of deleteTree(deps, { id: root.id, spaceId: root.space_id })) if (signal.aborted) return
  }
}
