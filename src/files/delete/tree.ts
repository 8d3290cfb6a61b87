/**
 * Deletes unlisted trees: those that a permanent deletion has taken out of the trash, and failed copies. The root of
 * such a tree has deleted_at but no trash_root_id, and the rows below have the root's id as trash_root_id, so no list
 * shows the tree and no call can reach it. As long as the tree exists there is a lease for it, made in the same write
 * as the tree. If the lease has expired, the server that worked on the tree died.
 */
import { setTimeout } from 'node:timers/promises'
import { lockSpace } from '../../db/lock-space.ts'
import type { Recorder } from '../../db/recorder.ts'
import { isOneOf } from '../../db/values.ts'
import { systemActor } from '../../db/write-actor.ts'
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
 * Ids of the tree's rows that have no children in it, newest first, because children are mostly newer than their
 * parents. `+ 0` keeps the database from using a column's index, with which it would read the whole tree.
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

/**
 * Deletes rows of the tree inside a write. What was trashed earlier inside them goes to the folder above the root at
 * once, because all folders between will be deleted, too.
 */
async function deleteFrom({ db, leases }: Deps, record: Recorder, tree: Tree, rows: readonly DoomedRow[]) {
  await leases.renew(treeLease(tree.id))
  const root = await findUnlistedRoot(db, tree.id)
  const deletion = await deleteRows(db, tree.spaceId, rows, () => root?.parent_id ?? null)
  if (deletion.hasKept) record.slice(tree.spaceId)
  return deletion
}

/**
 * Returns false if the rows are still there, because much was trashed earlier inside them, or their links were visited
 * often.
 */
async function deleteSlice(deps: Deps, tree: Tree, ids: readonly number[]): Promise<boolean> {
  const { db } = deps
  const { isDone, unnamed } = await db.write(systemActor, async record => {
    record.nothing()
    await lockSpace(db, tree.spaceId)
    // Read the rows again: a process that this one took for dead may be deleting the same tree.
    const rows = await db.rows<DoomedRow>(
      `SELECT ${doomedColumns} FROM files f
       WHERE f.trash_root_id + 0 = $1 AND f.space_id + 0 = $2 AND ${isOneOf('f.id', ids, 3)}`,
      [tree.id, tree.spaceId, ...ids],
    )
    return deleteFrom(deps, record, tree, rows)
  })
  await deps.removals.add(unnamed)
  return isDone
}

/** Deletes leaves of the tree. Yields after each slice but the last. */
async function* deleteLeaves(deps: Deps, tree: Tree, ids: readonly number[]): AsyncGenerator<void> {
  while (!(await deleteSlice(deps, tree, ids))) {
    yield
    await setTimeout(pauseTime)
  }
}

/**
 * Deletes the root and its lease, last. Returns false if it is still there: much was trashed earlier inside it, its links
 * were visited often, or a copy whose lease another process let expire has added rows below it since the last look.
 */
async function deleteRoot(deps: Deps, tree: Tree): Promise<boolean> {
  const { db, leases } = deps
  const { isDone, unnamed } = await db.write(systemActor, async record => {
    record.nothing()
    await lockSpace(db, tree.spaceId)
    if ((await findTreeLeaves(deps, tree, Number.MAX_SAFE_INTEGER)).length > 0) return { isDone: false, unnamed: [] }
    const root = await findUnlistedRoot(db, tree.id)
    const deletion = await deleteFrom(deps, record, tree, root?.space_id === tree.spaceId ? [root] : [])
    if (deletion.isDone) await leases.end(treeLease(tree.id))
    return deletion
  })
  await deps.removals.add(unnamed)
  return isDone
}

/**
 * Deletes a tree in slices, leaves first; the tree's lease must be this process's or nobody's. Yields after each slice,
 * so that the caller can stop there. Memory use does not depend on the size of the tree. If a tree with a lease is left
 * unfinished, `deleteAbandonedTrees` finds it.
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
      if (last !== undefined) yield* deleteLeaves(deps, tree, ids)
      // After the oldest leaf another pass begins, over the folders that have become leaves.
      beforeId = ids.length < sliceSize ? Number.MAX_SAFE_INTEGER : (last ?? 0)
      yield
      await setTimeout(pauseTime)
    }
  } finally {
    if (!isDone) await abandon(deps, treeLease(tree.id))
  }
}

/** Gives up a lease without throwing: if the database fails, the lease expires by itself. */
const abandon = ({ leases, log }: Deps, name: string): Promise<void> =>
  leases.abandon(name).catch(error => log.warn({ err: error, lease: name }, 'a lease stays until it expires'))

/** Deletes what is left of trees after crashes and interrupted deletions. */
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
