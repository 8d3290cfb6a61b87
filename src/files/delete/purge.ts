/** Permanent deletion: one item of the trash, or all that it has listed for some time. */

import { type Actor, writeActor } from '../../access/actor.ts'
import { actorWrite } from '../../access/actor-write.ts'
import { confirmActor } from '../../access/confirm-actor.ts'
import { day } from '../../base/clock.ts'
import { isoTime } from '../../base/iso-time.ts'
import type { Database } from '../../db/database.ts'
import { lockSpace } from '../../db/lock-space.ts'
import { isOneOf } from '../../db/values.ts'
import { type Recorder, systemActor, type WriteActor } from '../../db/write.ts'
import type { Deps } from '../../deps.ts'
import { sliceSize } from '../slices.ts'
import { findTrashed } from '../trash.ts'
import { type DoomedRow, deleteRows, doomedColumns } from './rows.ts'
import { deleteTree, treeLease } from './tree.ts'

/**
 * What some items' trashing took along, the items themselves among it, of those that went to the trash until `before`.
 * `+ 0` keeps SQLite from choosing the space's index, which would read the whole space: trash_root_id's is wanted.
 */
const findTrees = (db: Database, spaceId: number, rootIds: readonly number[], before: number): Promise<DoomedRow[]> =>
  db.rows<DoomedRow>(
    `SELECT ${doomedColumns} FROM files r CROSS JOIN files f ON f.trash_root_id = r.id
     WHERE f.space_id + 0 = $1 AND r.deleted_at + 0 <= $2 AND r.trash_root_id + 0 = r.id AND ${isOneOf('r.id', rootIds, 3)}
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
  const { isLarge, unnamed, spaceId } = await actorWrite(db, actor, async record => {
    await lockSpace(db, actor.root.spaceId)
    const item = await findTrashed(db, actor, id, 'manage')
    const spaceId = item.space_id
    record('file.delete', { id, spaceId }, { name: item.name })
    const rows = await findTrees(db, spaceId, [id], Number.MAX_SAFE_INTEGER)
    if (rows.length <= sliceSize) return { isLarge: false, unnamed: await deleteRows(db, spaceId, rows), spaceId }
    await unlist(deps, id)
    return { isLarge: true, unnamed: [], spaceId }
  })
  await deps.removals.add(unnamed)
  if (isLarge) for await (const _slice of deleteTree(deps, { id, spaceId }));
}

/** An item of the trash, and how many it has taken along, itself included. */
interface RootRow {
  id: number
  name: string
  deleted_at: number
  items: number
}

/** Who empties a trash. */
interface Emptier {
  actor: WriteActor
  /** The event that tells of all of it. */
  action: 'trash.empty' | 'trash.purge'
  /** Makes a change in their name; throws where they may make none any more. */
  write<T>(work: (record: Recorder) => Promise<T>): Promise<T>
  /** Asked before each slice but the first; throws where they may go on no more. */
  confirm(): Promise<void>
}

/** The server itself, which always may. */
export const systemEmptier = (db: Database): Emptier => ({
  actor: systemActor,
  action: 'trash.purge',
  write: work => db.write(systemActor, work),
  confirm: async () => undefined,
})

const emptierOf = (db: Database, actor: Actor): Emptier => ({
  actor: writeActor(actor),
  action: 'trash.empty',
  write: work => actorWrite(db, actor, work),
  confirm: () => confirmActor(db, actor, ['files:delete']),
})

/** Who empties the trash of which space, of what went there until `before` (ms). */
interface Emptying extends Emptier {
  spaceId: number
  before: number
}

/** What the trash has listed since `before` or longer. */
const oldRoots = 'FROM files f WHERE f.space_id = $1 AND f.deleted_at <= $2 AND f.trash_root_id = f.id'

/** The oldest of these, from some time on. */
const findOldRoots = (db: Database, { spaceId, before }: Emptying, from: number): Promise<RootRow[]> =>
  db.rows<RootRow>(
    `SELECT f.id, f.name, f.deleted_at, (SELECT COUNT(*) FROM files c WHERE c.trash_root_id = f.id) AS items
     ${oldRoots} AND f.deleted_at >= $3 ORDER BY f.deleted_at LIMIT ${sliceSize / 2}`,
    [spaceId, before, from],
  )

/** As many of some roots, from the first on, as fit one write with all below them; none where the first does not. */
function takeSlice(roots: readonly RootRow[]): RootRow[] {
  let items = 0
  const end = roots.findIndex(root => {
    // Its event is a row too.
    items += root.items + 1
    return items > sliceSize
  })
  return end < 0 ? [...roots] : roots.slice(0, end)
}

/** Deletes roots that fit one write; gives back how many were still there. */
async function deleteRoots(deps: Deps, emptying: Emptying, roots: readonly RootRow[]): Promise<number> {
  const { db } = deps
  const { spaceId, before } = emptying
  const ids = roots.map(({ id }) => id)
  const { count, unnamed } = await emptying.write(async record => {
    record.nothing()
    await lockSpace(db, spaceId)
    const rows = await findTrees(db, spaceId, ids, before)
    const found = new Set(rows.map(({ id }) => id))
    const gone = roots.filter(({ id }) => found.has(id))
    for (const { id, name } of gone) record('file.delete', { id, spaceId }, { name })
    return { count: gone.length, unnamed: await deleteRows(db, spaceId, rows) }
  })
  await deps.removals.add(unnamed)
  return count
}

/** Deletes a root that does not fit one write; yields after each slice, first 1 where it was still there, then 0. */
async function* deleteLargeRoot(deps: Deps, emptying: Emptying, { id, name }: RootRow): AsyncGenerator<number> {
  const { db } = deps
  const { spaceId, before } = emptying
  const isThere = await emptying.write(async record => {
    record.nothing()
    await lockSpace(db, spaceId)
    const row = await db.row(`SELECT f.id ${oldRoots} AND f.id = $3`, [spaceId, before, id])
    if (row === undefined) return false
    record('file.delete', { id, spaceId }, { name })
    await unlist(deps, id)
    return true
  })
  if (!isThere) return
  let count = 1
  for await (const _slice of deleteTree(deps, { id, spaceId })) {
    yield count
    count = 0
    // There is more of it, for behind the last slice nothing is yielded.
    await emptying.confirm()
  }
}

/** Deletes what the trash of a space has listed since `before` or longer; yields after each slice how many are gone. */
async function* deleteOldRoots(deps: Deps, emptying: Emptying): AsyncGenerator<number> {
  // From the time of the last one on: what is older is gone, and the index need not be read over it again.
  for (let from = 0; ; ) {
    const roots = await findOldRoots(deps.db, emptying, from)
    const [first] = roots
    if (first === undefined) return
    if (from > 0) await emptying.confirm()
    const slice = takeSlice(roots)
    if (slice.length === 0) yield* deleteLargeRoot(deps, emptying, first)
    else yield await deleteRoots(deps, emptying, slice)
    from = (slice.at(-1) ?? first).deleted_at
  }
}

/**
 * Empties the trash of a space of what went there until `before` (ms); yields after each slice how many of its items
 * are gone, each of which has its event by then. In the end, also where it is stopped, one event tells how many those
 * were. What goes to the trash meanwhile stays. Throws before a slice where `emptier` may go on no more.
 */
export async function* purgeSpace(
  deps: Deps,
  emptier: Emptier,
  spaceId: number,
  before: number,
): AsyncGenerator<number> {
  const { db } = deps
  const { actor, action } = emptier
  const row = await db.row<{ newest: number | null }>(`SELECT MAX(f.deleted_at) AS newest ${oldRoots}`, [
    spaceId,
    before,
  ])
  const newest = row?.newest ?? null
  if (newest === null) return
  let items = 0
  try {
    for await (const count of deleteOldRoots(deps, { ...emptier, spaceId, before: newest })) {
      items += count
      yield count
    }
  } finally {
    if (items > 0) {
      await db.write(actor, async record => record(action, { id: spaceId, spaceId }, { items, until: isoTime(newest) }))
    }
  }
}

/**
 * Deletes for good what the trash has listed for so many days, or all of it (0); gives back how many items are gone.
 * Stops before a slice, and throws, where the actor may no longer do so.
 */
export async function emptyTrash(deps: Deps, actor: Actor, olderThanDays: number): Promise<number> {
  // All is all, even what another clock has put into the future.
  const before = olderThanDays === 0 ? Number.MAX_SAFE_INTEGER : Math.max(0, deps.clock.now() - olderThanDays * day)
  let deleted = 0
  for await (const count of purgeSpace(deps, emptierOf(deps.db, actor), actor.root.spaceId, before)) deleted += count
  return deleted
}
