/** Favourites: marks live items, and lists the marked ones. */

import type { Actor } from '../access/actor.ts'
import { actorWrite } from '../access/actor-write.ts'
import { liveRow } from '../access/policy.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import type { listFavorites as endpoint } from '../api/files.ts'
import type { ItemList } from '../api/items.ts'
import { type AppError, notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { lockSpace } from '../db/lock-space.ts'
import { toFlag } from '../db/models/columns.ts'
import { isOneOf } from '../db/values.ts'
import { findItem, findPresent } from './find.ts'
import { type ItemLists, readItemPage } from './item-page.ts'
import { recordMany } from './record-many.ts'

/**
 * Sets or removes the mark; `updated_at` stays. Does nothing if the item already has the given state. Throws
 * `not_found`.
 */
export function favoriteFile(db: Database, actor: Actor, id: number, isFavorite: boolean): Promise<void> {
  return actorWrite(db, actor, async record => {
    await lockSpace(db, actor.root.spaceId)
    const item = await findItem(db, actor, id, 'see')
    if (item.is_favorite === toFlag(isFavorite)) return record.nothing()
    await db.update(db.files, { is_favorite: toFlag(isFavorite) }, item.id)
    record(isFavorite ? 'file.favorite' : 'file.unfavorite', { id: item.id, spaceId: actor.root.spaceId })
  })
}

/** The same for many items; returns an error for each id, or null if the item now has the given state. */
export function favoriteEach(
  db: Database,
  actor: Actor,
  ids: readonly number[],
  isFavorite: boolean,
): Promise<(AppError | null)[]> {
  const { spaceId } = actor.root
  return actorWrite(db, actor, async record => {
    await lockSpace(db, spaceId)
    const items = await findPresent(db, actor, ids, 'see')
    const changed = items.filter(item => item.is_favorite !== toFlag(isFavorite)).map(item => item.id)
    if (changed.length > 0) {
      const chosen = isOneOf('id', changed, 2)
      await db.change(`UPDATE files SET is_favorite = $1 WHERE ${chosen}`, [toFlag(isFavorite), ...changed])
    }
    recordMany(record, isFavorite ? 'file.favorite' : 'file.unfavorite', spaceId, changed)
    const present = new Set(items.map(item => item.id))
    return ids.map(id => (present.has(id) ? null : notFound('File')))
  })
}

/** Lists folders first, then by name, as in every listing; the time of marking is not stored. */
export const listFavorites = (
  lists: ItemLists,
  actor: Actor,
  input: ParsedInputOf<typeof endpoint>,
): Promise<ItemList> =>
  readItemPage(
    lists,
    actor,
    {
      list: 'favorites',
      spaceId: actor.root.spaceId,
      condition: `f.space_id = $1 AND f.is_favorite = 1 AND ${liveRow}`,
      // Each part is one range of an index.
      parts: ['f.is_directory = 1', 'f.is_directory = 0'],
      columns: ['f.sort_key', 'f.id'],
      form: ['number', 'string', 'number'],
      position: row => [1 - row.is_directory, row.sort_key, row.id],
      order: 'asc',
    },
    input,
  )
