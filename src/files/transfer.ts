/** Transfers all items of a space, live and trashed, to another user, in slices between which others may write. */
import { setTimeout } from 'node:timers/promises'
import type { SliceWrite } from '../access/confirmed-write.ts'
import { isLive } from '../access/policy.ts'
import { maxTreeDepth } from '../api/limits.ts'
import { invalidField, notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { isTaken } from '../db/failures.ts'
import { lockSpace } from '../db/lock-space.ts'
import type { Recorder } from '../db/recorder.ts'
import { isOneOf } from '../db/values.ts'
import type { Deps } from '../deps.ts'
import { settleInterrupted } from './delete/interrupted-transfer.ts'
import { findSpaceLeaves, findUnlistedAmong, hasItems, type LeafRow } from './delete/leaves.ts'
import { deleteUnlisted } from './delete/whole-space.ts'
import { findUnlistedRoots } from './find-in-space.ts'
import { findFreeName } from './free-name.ts'
import { nameColumns } from './item-name.ts'
import { pauseTime, sliceSize } from './slices.ts'
import { hasSpace, requireQuota } from './space.ts'
import {
  findBegun,
  findWrapper,
  type Handover,
  isTransferred,
  markWrapper,
  moveCharge,
  moveWrapper,
  placeOf,
} from './transfer-wrapper.ts'
import { findRoomOfOthers, moveUploads } from './unfinished-uploads.ts'

/** Throws `invalid_input` on `to` if the tree would become too deep inside the additional wrapper folder. */
export async function refuseTooDeepTransfer(db: Database, spaceId: number): Promise<void> {
  const row = await db.row<{ depth: number | null }>(
    `WITH RECURSIVE below (id, level) AS (
       SELECT id, 1 FROM files WHERE space_id = $1 AND live_parent = 0 AND is_directory = 1
       UNION ALL
       SELECT f.id, below.level + 1 FROM below
         JOIN files f ON f.parent_id = below.id AND f.deleted_at IS NULL AND f.is_directory = 1
         WHERE below.level <= ${maxTreeDepth})
     SELECT MAX(level) AS depth FROM below`,
    [spaceId],
  )
  if ((row?.depth ?? 0) < maxTreeDepth) return
  throw invalidField('to', `Folders can be nested at most ${maxTreeDepth} levels deep`)
}

/** The space of a user's own files. Throws `not_found`. */
async function findSpace(db: Database, userId: number): Promise<number> {
  const row = await db.row<{ id: number }>("SELECT id FROM spaces WHERE owner_id = $1 AND kind = 'personal'", [userId])
  if (row === undefined) throw notFound('User')
  return row.id
}

/**
 * Locks both spaces in the order of their ids, so that two transfers cannot deadlock. Throws `not_found` for the
 * receiver.
 */
async function lockBoth(db: Database, { from, to }: Handover): Promise<void> {
  for (const id of [from.spaceId, to.spaceId].sort((a, b) => a - b)) await lockSpace(db, id)
  await findSpace(db, to.userId)
}

/**
 * Begins a transfer inside a write and moves the first slice, so that a small transfer is done at once. Returns whether
 * there is more to do. Throws `quota_exceeded` if the receiver has no room for everything. Later slices do not check
 * the quota again, so the transfer can finish even if the receiver uploads meanwhile.
 */
export async function startTransfer(db: Database, handover: Handover, record: Recorder): Promise<boolean> {
  await lockBoth(db, handover)
  const used = await db.row<{ bytes: number; items: number }>(
    'SELECT storage_used AS bytes, item_count AS items FROM spaces WHERE id = $1',
    [handover.from.spaceId],
  )
  const bytes = (used?.bytes ?? 0) + (await findRoomOfOthers(db, handover.from))
  // One item more, for the wrapper folder.
  await requireQuota(db, handover.to.spaceId, bytes, (used?.items ?? 0) + 1)
  await settleInterrupted(db, record, handover.from.spaceId, handover.to.spaceId)
  // Unlisted trees, which are being built or deleted, must be gone first; they are not transferred.
  if ((await findUnlistedRoots(db, handover.from.spaceId)).length > 0) return true
  return (await moveSlice(db, handover, record)) !== 'done'
}

/**
 * Continues a transfer until the old space is empty. Throws `not_found` if the receiver is gone, and as
 * `write` before a slice.
 */
export async function finishTransfer(deps: Deps, write: SliceWrite, handover: Handover): Promise<void> {
  const { db } = deps
  const moveNext = () =>
    write(async record => {
      await lockBoth(db, handover)
      if (await hasSpace(db, handover.from.spaceId)) return moveSlice(db, handover, record)
      // Another request has deleted the user meanwhile.
      record.nothing()
      return 'done'
    })
  for (let state: Progress = 'blocked'; state !== 'done'; state = await moveNext()) {
    if (state === 'blocked') await deleteUnlisted(deps, write, handover.from.spaceId)
    await setTimeout(pauseTime)
  }
}

/** `done`: everything has moved. `more`: more slices follow. `blocked`: unlisted trees must be deleted first. */
type Progress = 'done' | 'more' | 'blocked'

/**
 * Moves items that have no children left in the old space, so a folder moves after its content. A folder that has
 * arrived is therefore complete, whatever the receiver does with it. The wrapper folder moves last, with the uploads of
 * others into what has moved; until then access/transit.ts keeps all others away.
 */
async function moveSlice(db: Database, handover: Handover, record: Recorder): Promise<Progress> {
  record.nothing()
  // All had moved in an earlier write, or there was nothing to move.
  if (!(await hasItems(db, handover.from.spaceId))) return 'done'
  const wrapper = await findWrapper(db, handover)
  let left = sliceSize
  while (left > 0) {
    const rows = await findSpaceLeaves(db, handover.from.spaceId, left, wrapper)
    if (rows.length === 0) {
      const name = await moveWrapper(db, handover, wrapper)
      await moveUploads(db, handover.from, handover.to.spaceId)
      record('folder.create', { id: wrapper, spaceId: handover.to.spaceId }, { name, parent_id: null })
      return 'done'
    }
    if ((await findUnlistedAmong(db, handover.from.spaceId, rows)).length > 0) return 'blocked'
    await moveRows(db, handover, wrapper, rows)
    left -= rows.length
  }
  return 'more'
}

/**
 * Moves what hangs on the items: shares, links and keys for a folder. The receiver's own shares end, since all is theirs now.
 * Tags of the former owner are gone soon; others keep theirs. `+ 0` keeps SQLite from looking for each tag on each item.
 */
async function moveMarks(db: Database, { from, to }: Handover, ids: readonly number[]): Promise<void> {
  const items = isOneOf('file_id', ids, 2)
  await db.change(`DELETE FROM file_tags WHERE tag_id + 0 IN (SELECT id FROM tags WHERE owner_id = $1) AND ${items}`, [
    from.userId,
    ...ids,
  ])
  await db.change(`DELETE FROM favorites WHERE user_id = $1 AND ${items}`, [to.userId, ...ids])
  await db.change(`DELETE FROM shares WHERE user_id = $1 AND ${isOneOf('item_id', ids, 2)}`, [to.userId, ...ids])
  await db.change(`UPDATE shares SET space_id = $1 WHERE ${isOneOf('item_id', ids, 2)}`, [to.spaceId, ...ids])
  await db.change(`UPDATE links SET space_id = $1 WHERE ${isOneOf('item_id', ids, 2)}`, [to.spaceId, ...ids])
  await db.change(`UPDATE api_keys SET scope_space_id = $1 WHERE ${isOneOf('scope_item_id', ids, 2)}`, [
    to.spaceId,
    ...ids,
  ])
}

async function moveRows(db: Database, handover: Handover, wrapper: number, rows: readonly LeafRow[]): Promise<void> {
  const ids = rows.map(row => row.id)
  await moveMarks(db, handover, ids)
  const { from, to } = handover
  await db
    .change(
      `UPDATE files SET space_id = $1, owner_id = CASE WHEN owner_id = $2 THEN $3 ELSE owner_id END, is_favorite = 0,
         parent_id = COALESCE(parent_id, $4)
       WHERE ${isOneOf('id', ids, 5)}`,
      [to.spaceId, from.userId, to.userId, wrapper, ...ids],
    )
    .catch(async error => {
      if (!isTaken(error)) throw error
      for (const row of rows) await moveRow(db, handover, wrapper, row)
    })
  await db.change(`UPDATE file_thumbnails SET space_id = $1 WHERE ${isOneOf('file_id', ids, 2)}`, [to.spaceId, ...ids])
  const bytes = rows.reduce((sum, { size }) => sum + size, 0)
  await moveCharge(db, handover, bytes, rows.length)
}

/** Moves a single row under a free name; used if the receiver already has an item with its name in that folder. */
async function moveRow(db: Database, handover: Handover, wrapper: number, row: LeafRow): Promise<void> {
  const owner = row.owner_id === handover.from.userId ? { owner_id: handover.to.userId } : {}
  const place = { ...placeOf(handover), ...owner, parent_id: row.parent_id ?? wrapper }
  const isDirectory = row.is_directory === 1
  const name = isLive(row) ? await findFreeName(db, place.space_id, place.parent_id, row.name, isDirectory) : row.name
  await db.update(db.files, { ...place, ...nameColumns(name, isDirectory) }, row.id)
}

/**
 * Ends a transfer that will not go on, because the user whose items they were is enabled again: what has moved stays with
 * the receiver in the wrapper, also what has lost its folder. Where the wrapper is gone, that comes to the receiver's root.
 */
export async function settleTransfer(db: Database, from: Handover['from'], record: Recorder): Promise<void> {
  if (!(await isTransferred(db, from.spaceId))) return
  const begun = await findBegun(db, from)
  if (begun === undefined) {
    await lockSpace(db, from.spaceId)
    await markWrapper(db, from, null)
    return settleInterrupted(db, record, from.spaceId, null)
  }
  const to = { userId: begun.owner_id, spaceId: await findSpace(db, begun.owner_id) }
  const handover = { from, to }
  await lockBoth(db, handover)
  const name = await moveWrapper(db, handover, begun.id)
  record('folder.create', { id: begun.id, spaceId: to.spaceId }, { name, parent_id: null })
  await settleInterrupted(db, record, from.spaceId, null, new Map([[to.spaceId, begun.id]]))
}
