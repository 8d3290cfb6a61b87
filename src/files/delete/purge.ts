/** Permanent deletion: of one trashed item, or of all items that have been in the trash for some time. */

import { type Actor, writeActor } from '../../access/actor.ts'
import { actorWrite } from '../../access/actor-write.ts'
import { confirmActor } from '../../access/confirm-actor.ts'
import type { ParsedInputOf } from '../../api/endpoint.ts'
import type { emptyTrash as endpoint } from '../../api/trash.ts'
import { day } from '../../base/clock.ts'
import { isoTime } from '../../base/iso-time.ts'
import type { Database } from '../../db/database.ts'
import { lockSpace } from '../../db/lock-space.ts'
import type { Recorder } from '../../db/recorder.ts'
import { isOneOf } from '../../db/values.ts'
import { systemActor, type WriteActor } from '../../db/write-actor.ts'
import type { Deps } from '../../deps.ts'
import { lockSpaceOf } from '../lock-spaces.ts'
import { sliceSize } from '../slices.ts'
import { findTrashed, findTrashSpace } from '../trash.ts'
import { type DoomedRow, deleteRows, doomedColumns } from './rows.ts'
import { deleteTree, treeLease } from './tree.ts'

/**
 * The given roots that were trashed until `before`, with all rows that were trashed with them. `+ 0` keeps SQLite from the
 * space's index, which has the whole space; each row is read by its id, because a damaged index must not delete others.
 */
const findTrees = (db: Database, spaceId: number, rootIds: readonly number[], before: number): Promise<DoomedRow[]> =>
  db.rows<DoomedRow>(
    `SELECT ${doomedColumns} FROM files r CROSS JOIN files i ON i.trash_root_id = r.id CROSS JOIN files f ON f.id = i.id
     WHERE f.trash_root_id + 0 = r.id AND f.space_id + 0 = $1 AND r.deleted_at + 0 <= $2 AND r.trash_root_id + 0 = r.id AND ${isOneOf('r.id', rootIds, 3)}
     LIMIT ${sliceSize + 1}`,
    [spaceId, before, ...rootIds],
  )

/** Turns an item of the trash into an unlisted tree, which the caller deletes next. */
async function unlist({ db, leases }: Deps, rootId: number): Promise<void> {
  await db.change('UPDATE files SET trash_root_id = NULL WHERE id = $1', [rootId])
  await leases.begin(treeLease(rootId))
}

/**
 * Permanently deletes an item that the trash lists: a small one in one write, a large folder in slices. Throws
 * `not_found` and `not_trashed`.
 */
export async function deleteFile(deps: Deps, actor: Actor, id: number): Promise<void> {
  const { db } = deps
  const { isDone, unnamed, spaceId } = await actorWrite(db, actor, async record => {
    await lockSpaceOf(db, actor, id)
    const item = await findTrashed(db, actor, id, 'purge')
    const spaceId = item.space_id
    record('file.delete', { id, spaceId }, { name: item.name })
    const rows = await findTrees(db, spaceId, [id], Number.MAX_SAFE_INTEGER)
    const deletion = rows.length > sliceSize ? null : await deleteRows(db, spaceId, rows)
    const isDone = deletion?.isDone ?? false
    if (!isDone) await unlist(deps, id)
    return { isDone, unnamed: deletion?.unnamed ?? [], spaceId }
  })
  await deps.removals.add(unnamed)
  if (!isDone) for await (const _slice of deleteTree(deps, { id, spaceId }));
}

/** An item of the trash, with the number of items trashed with it, itself included. */
interface RootRow {
  id: number
  name: string
  deleted_at: number
  items: number
}

/** On whose behalf a trash is emptied. */
interface Emptier {
  actor: WriteActor
  /** The action of the summary event. */
  action: 'trash.empty' | 'trash.purge'
  /** Writes on the actor's behalf; throws if the actor may no longer do so. */
  write<T>(work: (record: Recorder) => Promise<T>): Promise<T>
  /** Called before each slice but the first; throws if the actor may no longer continue. */
  confirm(): Promise<void>
}

/** The server itself, which is always allowed. */
export const systemEmptier = (db: Database): Emptier => ({
  actor: systemActor,
  action: 'trash.purge',
  write: work => db.write(systemActor, work),
  confirm: async () => undefined,
})

const emptierOf = (db: Database, actor: Actor, folderId: number | null | undefined): Emptier => {
  const confirm = async () => {
    await confirmActor(db, actor, actor.permissions)
    await findTrashSpace(db, actor, folderId, 'manage')
  }
  return {
    actor: writeActor(actor),
    action: 'trash.empty',
    write: work => actorWrite(db, actor, work),
    confirm,
  }
}

/** Emptying the trash of a space, limited to items trashed until `before` (ms). */
interface Emptying extends Emptier {
  spaceId: number
  before: number
}

/** Items that the trash lists and that were trashed until `before`. */
const oldRoots = 'FROM files f WHERE f.space_id = $1 AND f.deleted_at <= $2 AND f.trash_root_id = f.id'

/** The oldest of these that were trashed at `from` or later. */
const findOldRoots = (db: Database, { spaceId, before }: Emptying, from: number): Promise<RootRow[]> =>
  db.rows<RootRow>(
    `SELECT f.id, f.name, f.deleted_at, (SELECT COUNT(*) FROM files c WHERE c.trash_root_id = f.id) AS items
     ${oldRoots} AND f.deleted_at >= $3 ORDER BY f.deleted_at LIMIT ${sliceSize / 2}`,
    [spaceId, before, from],
  )

/** The first roots that fit in one write with everything below them; empty if the first does not fit. */
function takeSlice(roots: readonly RootRow[]): RootRow[] {
  let items = 0
  const end = roots.findIndex(root => {
    // Add one for its event, which is also a row.
    items += root.items + 1
    return items > sliceSize
  })
  return end < 0 ? [...roots] : roots.slice(0, end)
}

/**
 * Deletes unlisted trees in slices. After each slice it yields: at first `count`, the number of roots that are gone from
 * the trash, then 0.
 */
async function* deleteTrees(deps: Deps, emptying: Emptying, ids: readonly number[], count: number) {
  let untold = count
  for (const id of ids) {
    for await (const _slice of deleteTree(deps, { id, spaceId: emptying.spaceId })) {
      yield untold
      untold = 0
      // More slices follow, because deleteTree does not yield after the last one.
      await emptying.confirm()
    }
  }
  yield untold
}

/**
 * Deletes roots that fit in one write; yields how many still existed. They go in slices if too much depends on them: items
 * trashed earlier inside them, or visits of their links.
 */
async function* deleteRoots(deps: Deps, emptying: Emptying, roots: readonly RootRow[]): AsyncGenerator<number> {
  const { db } = deps
  const { spaceId, before } = emptying
  const ids = roots.map(({ id }) => id)
  const { gone, isDone, unnamed } = await emptying.write(async record => {
    record.nothing()
    await lockSpace(db, spaceId)
    const rows = await findTrees(db, spaceId, ids, before)
    const found = new Set(rows.map(({ id }) => id))
    const gone = roots.filter(({ id }) => found.has(id))
    for (const { id, name } of gone) record('file.delete', { id, spaceId }, { name })
    const { isDone, unnamed } = await deleteRows(db, spaceId, rows)
    if (!isDone) for (const { id } of gone) await unlist(deps, id)
    return { gone: gone.map(({ id }) => id), isDone, unnamed }
  })
  await deps.removals.add(unnamed)
  yield* deleteTrees(deps, emptying, isDone ? [] : gone, gone.length)
}

/** Deletes a root that does not fit in one write; yields as `deleteTrees`. */
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
  if (isThere) yield* deleteTrees(deps, emptying, [id], 1)
}

/** Deletes the items trashed until `before`; after each slice it yields how many of them were deleted. */
async function* deleteOldRoots(deps: Deps, emptying: Emptying): AsyncGenerator<number> {
  // Continue from the time of the last deleted root: older ones are gone, so the index need not be read over them
  // again.
  for (let from = 0; ; ) {
    const roots = await findOldRoots(deps.db, emptying, from)
    const [first] = roots
    if (first === undefined) return
    if (from > 0) await emptying.confirm()
    const slice = takeSlice(roots)
    if (slice.length === 0) yield* deleteLargeRoot(deps, emptying, first)
    else yield* deleteRoots(deps, emptying, slice)
    from = (slice.at(-1) ?? first).deleted_at
  }
}

/**
 * Deletes the items that were trashed in a space until `before` (ms). After each slice it yields how many of them were
 * deleted; each has its event by then. At the end, also if it is stopped early, one event records the total. Items that
 * are trashed meanwhile stay. Throws before a slice if `emptier` may no longer continue.
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
 * Permanently deletes the items that were trashed at least `older_than_days` days ago (0: all), in the actor's own trash
 * or that of a team folder, and returns how many. Throws as `findTrashSpace`, and before a slice if the actor may no
 * longer do this; the remaining items stay.
 */
export async function emptyTrash(
  deps: Deps,
  actor: Actor,
  { folder_id, older_than_days }: ParsedInputOf<typeof endpoint>,
): Promise<number> {
  const { db, clock } = deps
  const { spaceId } = await findTrashSpace(db, actor, folder_id, 'manage')
  // 0 means all, including items that a wrong clock dated into the future.
  const before = older_than_days === 0 ? Number.MAX_SAFE_INTEGER : Math.max(0, clock.now() - older_than_days * day)
  let deleted = 0
  for await (const count of purgeSpace(deps, emptierOf(db, actor, folder_id), spaceId, before)) deleted += count
  return deleted
}
