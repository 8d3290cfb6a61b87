/** Deletes all items of a space, live and trashed, in slices between which others may write. */
import { setTimeout } from 'node:timers/promises'
import type { SliceWrite } from '../../access/confirmed-write.ts'
import { lockSpace } from '../../db/lock-space.ts'
import type { Deps } from '../../deps.ts'
import { findUnlistedRoots } from '../find-in-space.ts'
import { pauseTime, sliceSize } from '../slices.ts'
import { settleInterrupted } from './interrupted-transfer.ts'
import { findSpaceLeaves, findUnlistedAmong } from './leaves.ts'
import { deleteRows } from './rows.ts'
import { deleteTree, treeLease } from './tree.ts'

/**
 * Deletes rows and bytes of all items of a space, except the folder `keep`. It records no events; the caller's event covers them. Throws as
 * `write` before a slice; the remaining items are consistent then.
 */
export async function deleteAllFiles(deps: Deps, write: SliceWrite, spaceId: number, keep?: number): Promise<void> {
  const { db } = deps
  await write(async record => {
    record.nothing()
    await lockSpace(db, spaceId)
    await settleInterrupted(db, record, spaceId, null)
  })
  while (await deleteSlice(deps, write, spaceId, keep)) await setTimeout(pauseTime)
}

/** Deletes one slice; returns whether there was anything left to delete. */
async function deleteSlice(deps: Deps, write: SliceWrite, spaceId: number, keep?: number): Promise<boolean> {
  const { db, leases } = deps
  const { unnamed, count } = await write(async record => {
    record.nothing()
    await lockSpace(db, spaceId)
    const rows = await findSpaceLeaves(db, spaceId, sliceSize, keep)
    // A copy that is being built here stops before it finds its rows gone; should this be broken off, the server's job
    // deletes the rest of the tree, which no list shows.
    const trees = await findUnlistedAmong(db, spaceId, rows)
    for (const id of trees) await leases.expire(treeLease(id))
    const deletion = await deleteRows(db, spaceId, rows)
    const gone = new Set(deletion.isDone ? rows.map(({ id }) => id) : [])
    for (const id of trees.filter(root => gone.has(root))) await leases.revoke(treeLease(id))
    return { unnamed: deletion.unnamed, count: rows.length }
  })
  await deps.removals.add(unnamed)
  return count > 0
}

/**
 * Deletes the unlisted trees of a space: copies that are being built, and trees that are being deleted anyway. Throws
 * as `write` before each tree.
 */
export async function deleteUnlisted(deps: Deps, write: SliceWrite, spaceId: number): Promise<void> {
  const { db, leases } = deps
  for (const { id } of await findUnlistedRoots(db, spaceId)) {
    await write(async record => {
      record.nothing()
      await lockSpace(db, spaceId)
      // Whoever is at work on the tree stops, and the server's job deletes what is left if this is broken off.
      await leases.expire(treeLease(id))
    })
    for await (const _slice of deleteTree(deps, { id, spaceId }));
    await db.touch(() => leases.revoke(treeLease(id)))
  }
}
