/** Reads one page of a list of items from any folders, with keyset pagination. */
import type { Actor } from '../access/actor.ts'
import type { SortOrder } from '../api/files.ts'
import type { ItemList } from '../api/items.ts'
import { wholeListSize } from '../api/limits.ts'
import { type CursorValue, decodeCursor, encodeCursor, lastShown } from '../db/cursor.ts'
import type { Database } from '../db/database.ts'
import { afterCondition, createBinds, orderBy } from '../db/keyset.ts'
import { type ItemRow, itemShape } from './find.ts'
import type { CountItems } from './item-counts.ts'
import { presentItems } from './present.ts'

/** What reads the pages of lists; the counts are kept between pages. */
export interface ItemLists {
  db: Database
  countItems: CountItems
}

interface ItemQuery {
  /** The name that ties cursors to this list; a list in another order needs another name. */
  list: string
  spaceId: number
  /** A condition on `files f`, in which `$1` is the space's id. */
  condition: string
  /** The columns to sort by, the id last; `form` has their types and `position` returns their values of a row. */
  columns: readonly string[]
  form: readonly ('string' | 'number')[]
  position: (row: ItemRow) => CursorValue[]
  order: SortOrder
}

/** The page after `cursor`, and the number of all matches. Throws `invalid_input` for a cursor of another list. */
export async function readItemPage(
  { db, countItems }: ItemLists,
  viewer: Actor,
  query: ItemQuery,
  input: { limit?: number | undefined; cursor?: string | undefined },
): Promise<ItemList> {
  const { list: name, form, columns, order } = query
  const count = input.limit ?? wholeListSize
  const binds = createBinds(query.spaceId)
  const after = input.cursor === undefined ? null : decodeCursor(input.cursor, [{ name, form }]).after
  const rest = after === null ? '' : `AND ${afterCondition(columns, after, order, binds.add)}`
  const rows = await db.page(
    itemShape,
    `FROM files f WHERE ${query.condition} ${rest}
     ORDER BY ${orderBy(columns, order)} LIMIT ${count + 1}`,
    binds.values,
  )
  const total = await countItems(query.spaceId, query.condition)
  const files = await presentItems(db, viewer, rows.slice(0, count))
  const last = lastShown(rows, files.length)
  return {
    files,
    total,
    next_cursor: last === null ? null : encodeCursor(name, query.position(last)),
  }
}
