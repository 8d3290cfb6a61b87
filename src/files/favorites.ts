/** Favourites: a mark on live items, and the list of those that bear it. */
import { type Actor, writeActor } from '../access/actor.ts'
import { liveRow } from '../access/policy.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import type { listFavorites as endpoint } from '../api/files.ts'
import type { ItemList } from '../api/items.ts'
import type { Database } from '../db/database.ts'
import { lockSpace } from '../db/lock-space.ts'
import { toFlag } from '../db/models/columns.ts'
import { findItem } from './find.ts'
import { readItemPage } from './item-page.ts'

/** Sets the mark or takes it away; `updated_at` stays. Throws `not_found`. What it is already changes nothing. */
export function favoriteFile(db: Database, actor: Actor, id: number, isFavorite: boolean): Promise<void> {
  return db.write(writeActor(actor), async record => {
    await lockSpace(db, actor.spaceId)
    const item = await findItem(db, actor.spaceId, id)
    if (item.is_favorite === toFlag(isFavorite)) return record.nothing()
    await db.update(db.files, { is_favorite: toFlag(isFavorite) }, item.id)
    record(isFavorite ? 'file.favorite' : 'file.unfavorite', { id: item.id, spaceId: actor.spaceId })
  })
}

/** Folders first, then by name, as in every listing: when something became a favourite is not kept. */
export const listFavorites = (db: Database, actor: Actor, input: ParsedInputOf<typeof endpoint>): Promise<ItemList> =>
  readItemPage(
    db,
    {
      list: 'favorites',
      condition: `f.space_id = $1 AND f.is_favorite = 1 AND ${liveRow}`,
      binds: [actor.spaceId],
      columns: ['1 - f.is_directory', 'f.sort_key', 'f.id'],
      form: ['number', 'string', 'number'],
      position: row => [1 - row.is_directory, row.sort_key, row.id],
      order: 'asc',
    },
    input,
  )
