/** Permanent deletion: one item of the trash, or all that it has listed for some time. */
import { type Actor, writeActor } from '../access/actor.ts'
import { day } from '../clock.ts'
import type { Database } from '../db/database.ts'
import { lockSpace } from '../db/lock-space.ts'
import { isOneOf } from '../db/values.ts'
import { systemActor, type WriteActor } from '../db/write.ts'
import type { Deps } from '../deps.ts'
import { isoTime } from '../iso-time.ts'
import { removeUnnamed } from './content.ts'
import { type DoomedRow, deleteRows, doomedColumns } from './delete-rows.ts'
import { deleteTree, treeLease } from './delete-tree.ts'
import { sliceSize } from './slices.ts'
import { findTrashed } from './trash.ts'

/**
 * What some items' trashing took along, the items themselves among it, as far as it went to the trash until `before`.
 * With `+ 0` no index is read but that of trash_root_id.
 */
const findTrees = (db: Database, spaceId: number, rootIds: readonly number[], before: number): Promise<DoomedRow[]> =>
  db.rows<DoomedRow>(
    `SELECT ${doomedColumns} FROM files f
     WHERE f.space_id + 0 = $1 AND f.deleted_at + 0 <= $2 AND ${isOneOf('f.trash_root_id', rootIds, 3)}
     LIMIT ${sliceSize + 1}`,
    [spaceId, before, ...rootIds],
  )

/** Takes what the trash lists from everybody's sight, with all below; who does so deletes it next. */
async function unlist({ db, leases }: Deps, rootId: number): Promise<void> {
  await db.change('UPDATE files SET trash_root_id = NULL WHERE id = $1', [rootId])
  await leases.begin(treeLease(rootId))
}

/**
 * Deletes an item that the trash lists, for good; a small one in one write, a large folder in slices. Throws
 * `not_found` and `not_trashed`.
 */
export async function deleteFile(deps: Deps, actor: Actor, id: number): Promise<void> {
  const { db } = deps
  const { spaceId } = actor
  const { isLarge, unnamed } = await db.write(writeActor(actor), async record => {
    await lockSpace(db, spaceId)
    const item = await findTrashed(db, spaceId, id)
    record('file.delete', { id, spaceId }, { name: item.name })
    const rows = await findTrees(db, spaceId, [id], Number.MAX_SAFE_INTEGER)
    if (rows.length <= sliceSize) return { isLarge: false, unnamed: await deleteRows(db, spaceId, rows) }
    await unlist(deps, id)
    return { isLarge: true, unnamed: [] }
  })
  await removeUnnamed(deps, unnamed)
  if (isLarge) for await (const _slice of deleteTree(deps, { id, spaceId }));
}

/** An item of the trash, and how many it has taken along, itself included. */
interface RootRow {
  id: number
  deleted_at: number
  items: number
}

/** What the trash has listed since `before` (ms) or longer. */
const oldRoots = 'FROM files f WHERE f.space_id = $1 AND f.deleted_at <= $2 AND f.trash_root_id = f.id'

/** The oldest of these, from some time on. */
const findOldRoots = (db: Database, spaceId: number, before: number, from: number): Promise<RootRow[]> =>
  db.rows<RootRow>(
    `SELECT f.id, f.deleted_at, (SELECT COUNT(*) FROM files c WHERE c.trash_root_id = f.id) AS items
     ${oldRoots} AND f.deleted_at >= $3 ORDER BY f.deleted_at LIMIT ${sliceSize}`,
    [spaceId, before, from],
  )

/** As many of some roots, from the first on, as fit one write with all below them; none where the first does not. */
function takeSlice(roots: readonly RootRow[]): RootRow[] {
  let items = 0
  const end = roots.findIndex(root => {
    items += root.items
    return items > sliceSize
  })
  return end < 0 ? [...roots] : roots.slice(0, end)
}

/** Deletes roots that fit one write; gives back how many were still there as they were found. */
async function deleteRoots(deps: Deps, spaceId: number, before: number, roots: readonly RootRow[]): Promise<number> {
  const { db } = deps
  const ids = roots.map(({ id }) => id)
  const { rows, unnamed } = await db.write(systemActor, async record => {
    record.nothing()
    await lockSpace(db, spaceId)
    const rows = await findTrees(db, spaceId, ids, before)
    return { rows, unnamed: await deleteRows(db, spaceId, rows) }
  })
  await removeUnnamed(deps, unnamed)
  const wanted = new Set(ids)
  return rows.filter(row => wanted.has(row.id)).length
}

/** Deletes a root that does not fit one write; yields 0 after each slice, and 1 in the end where it was still there. */
async function* deleteLargeRoot(deps: Deps, spaceId: number, before: number, id: number): AsyncGenerator<number> {
  const { db } = deps
  const isThere = await db.write(systemActor, async record => {
    record.nothing()
    await lockSpace(db, spaceId)
    const row = await db.row(`SELECT f.id ${oldRoots} AND f.id = $3`, [spaceId, before, id])
    if (row !== undefined) await unlist(deps, id)
    return row !== undefined
  })
  if (!isThere) return
  for await (const _slice of deleteTree(deps, { id, spaceId })) yield 0
  yield 1
}

/** Deletes what the trash of a space has listed since `before` or longer; yields after each slice how many are gone. */
async function* deleteOldRoots(deps: Deps, spaceId: number, before: number): AsyncGenerator<number> {
  // From the time of the last one on: what is older is gone, and the index need not be read over it again.
  for (let from = 0; ; ) {
    const roots = await findOldRoots(deps.db, spaceId, before, from)
    const [first] = roots
    if (first === undefined) return
    const slice = takeSlice(roots)
    if (slice.length === 0) yield* deleteLargeRoot(deps, spaceId, before, first.id)
    else yield await deleteRoots(deps, spaceId, before, slice)
    from = (slice.at(-1) ?? first).deleted_at
  }
}

/**
 * Empties the trash of a space of what went there until `before` (ms), and notes that first; yields after each slice
 * how many of its items are gone. What goes to the trash meanwhile stays.
 */
export async function* purgeSpace(
  deps: Deps,
  actor: WriteActor,
  action: 'trash.empty' | 'trash.purge',
  spaceId: number,
  before: number,
): AsyncGenerator<number> {
  const { db } = deps
  const newest = await db.write(actor, async record => {
    const row = await db.row<{ items: number; newest: number | null }>(
      `SELECT COUNT(*) AS items, MAX(f.deleted_at) AS newest ${oldRoots}`,
      [spaceId, before],
    )
    if (row === undefined || row.newest === null) record.nothing()
    else record(action, { id: spaceId, spaceId }, { items: row.items, until: isoTime(row.newest) })
    return row?.newest ?? null
  })
  if (newest !== null) yield* deleteOldRoots(deps, spaceId, newest)
}

/** Deletes for good what the trash has listed for so many days, or all of it (0). Gives back how many items are gone. */
export async function emptyTrash(deps: Deps, actor: Actor, olderThanDays: number): Promise<number> {
  // All is all, even what another clock has put into the future.
  const before = olderThanDays === 0 ? Number.MAX_SAFE_INTEGER : Math.max(0, deps.clock.now() - olderThanDays * day)
  let deleted = 0
  for await (const count of purgeSpace(deps, writeActor(actor), 'trash.empty', actor.spaceId, before)) deleted += count
  return deleted
}
