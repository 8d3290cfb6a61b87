/** Favourites: marks live items, and lists the marked ones. */

import type { Actor } from '../access/actor.ts'
import { actorWrite } from '../access/actor-write.ts'
import { isShown, liveRow, shownRow } from '../access/policy.ts'
import { findStandings, isOwn } from '../access/reach.ts'
import { everything } from '../access/standing.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import type { listFavorites as endpoint } from '../api/files.ts'
import type { ItemList } from '../api/items.ts'
import { maxFavoritesElsewhere } from '../api/limits.ts'
import type { AppError } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { toFlag } from '../db/models/columns.ts'
import type { Recorder } from '../db/recorder.ts'
import { isOneOf } from '../db/values.ts'
import { type Found, findItem } from './find.ts'
import { findPresent, missing } from './find-many.ts'
import { type ItemLists, readItemPage } from './item-page.ts'
import { type ItemRow, itemColumns } from './item-row.ts'
import { lockSpaceOf } from './lock-spaces.ts'
import { recordMany } from './record-many.ts'
import { findFavorites } from './surroundings.ts'

type FoundItem = Found<ItemRow>

/** Of the given items, those that the actor has marked. In the own tree the mark is in the item's row. */
async function findMarked(db: Database, actor: Actor, items: readonly FoundItem[]): Promise<ReadonlySet<number>> {
  const own = items.filter(item => isOwn(actor, item) && item.is_favorite === 1).map(({ id }) => id)
  return new Set([...own, ...(await findFavorites(db, actor, items))])
}

async function setMarks(db: Database, actor: Actor, items: readonly FoundItem[], isFavorite: boolean): Promise<void> {
  const own = items.filter(item => isOwn(actor, item)).map(({ id }) => id)
  const others = items.filter(item => !isOwn(actor, item)).map(({ id }) => id)
  if (own.length > 0) {
    await db.change(`UPDATE files SET is_favorite = $1 WHERE ${isOneOf('id', own, 2)}`, [toFlag(isFavorite), ...own])
  }
  if (others.length === 0) return
  if (isFavorite) {
    await db.insertAll(
      db.favorites,
      others.map(file_id => ({ user_id: actor.userId, file_id })),
    )
  } else {
    const chosen = isOneOf('file_id', others, 2)
    await db.change(`DELETE FROM favorites WHERE user_id = $1 AND ${chosen}`, [actor.userId, ...others])
  }
}

/** Marks those of the items that are not in the given state, and records it in the actor's own space. */
async function mark(db: Database, record: Recorder, actor: Actor, items: readonly FoundItem[], isFavorite: boolean) {
  const marked = await findMarked(db, actor, items)
  const changed = items.filter(({ id }) => marked.has(id) !== isFavorite)
  await setMarks(db, actor, changed, isFavorite)
  const ids = changed.map(({ id }) => id)
  recordMany(record, isFavorite ? 'file.favorite' : 'file.unfavorite', actor.root.spaceId, ids)
}

/**
 * Sets or removes the mark; `updated_at` stays. Does nothing if the item already has the given state. Throws
 * `not_found`.
 */
export function favoriteFile(db: Database, actor: Actor, id: number, isFavorite: boolean): Promise<void> {
  return actorWrite(db, actor, async record => {
    await lockSpaceOf(db, actor, null, id)
    await mark(db, record, actor, [await findItem(db, actor, id, 'see')], isFavorite)
  })
}

/** The same for many items; returns an error for each id, or null if the item now has the given state. */
export function favoriteEach(
  db: Database,
  actor: Actor,
  ids: readonly number[],
  isFavorite: boolean,
): Promise<(AppError | null)[]> {
  return actorWrite(db, actor, async record => {
    await lockSpaceOf(db, actor, null, ...ids)
    const present = await findPresent(db, actor, ids, 'see')
    await mark(db, record, actor, present.items, isFavorite)
    const marked = new Set(present.items.map(item => item.id))
    return ids.map(id => (marked.has(id) ? null : missing(present, id)))
  })
}

/**
 * The ids of the live items in others' places that the actor has marked and still sees. There are few, and the oldest
 * beyond the limit are left out.
 */
async function findMarkedElsewhere(db: Database, actor: Actor): Promise<number[]> {
  const rows = await db.rows<ItemRow>(
    `SELECT ${itemColumns} FROM favorites v JOIN files f ON f.id = v.file_id
     WHERE v.user_id = $1 AND ${liveRow} ORDER BY f.id DESC LIMIT ${maxFavoritesElsewhere}`,
    [actor.userId],
  )
  const others = rows.filter(row => !isOwn(actor, row))
  const standings = await findStandings(db, actor, others)
  return others.flatMap(row => {
    const standing = standings.get(row.id)
    return standing !== undefined && isShown(actor, standing, row) ? [row.id] : []
  })
}

/** Lists folders first, then by name, as in every listing; the time of marking is not stored. */
export async function listFavorites(
  lists: ItemLists,
  actor: Actor,
  input: ParsedInputOf<typeof endpoint>,
): Promise<ItemList> {
  const own = `f.space_id = $1 AND f.is_favorite = 1 AND ${liveRow} AND ${shownRow(everything, '$2')}`
  const others = await findMarkedElsewhere(lists.db, actor)
  return readItemPage(
    lists,
    actor,
    {
      list: 'favorites',
      // With OR the database reads all favourites and sorts them, so it is left out where it is not needed.
      condition: others.length === 0 ? own : `(${own} OR ${isOneOf('f.id', others, 3)})`,
      values: [actor.root.spaceId, actor.userId, ...others],
      // Each part is one range of an index.
      parts: ['f.is_directory = 1', 'f.is_directory = 0'],
      columns: ['f.sort_key', 'f.id'],
      form: ['number', 'string', 'number'],
      position: row => [1 - row.is_directory, row.sort_key, row.id],
      order: 'asc',
    },
    input,
  )
}
