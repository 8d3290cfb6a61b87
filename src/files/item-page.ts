/** Reads one page of a list of items from any folders, with keyset pagination. */
import type { Actor } from '../access/actor.ts'
import type { SortOrder } from '../api/files.ts'
import type { ItemList } from '../api/items.ts'
import { wholeListSize } from '../api/limits.ts'
import { type CursorValue, decodeCursor, encodeCursor } from '../db/cursor.ts'
import type { Database } from '../db/database.ts'
import { afterCondition, createBinds, indexFor, orderBy } from '../db/keyset.ts'
import type { CountItems, RowCondition } from './item-counts.ts'
import { type ItemRow, itemShape } from './item-row.ts'
import { presentPage } from './present-page.ts'
import { addStandings } from './surroundings.ts'

/** What reads the pages of lists; the counts are kept between pages. */
export interface ItemLists {
  db: Database
  countItems: CountItems
}

interface ItemQuery extends RowCondition {
  /** The name that ties cursors to this list; a list in another order needs another name. */
  list: string
  /** Further conditions, each for a part of the list, if it is read part by part; `position` begins with the part. */
  parts?: readonly string[]
  /** The columns to sort by, the id last; `form` has their types and `position` returns their values of a row. */
  columns: readonly string[]
  form: readonly ('string' | 'number')[]
  position: (row: ItemRow) => CursorValue[]
  /** The index of this order, if the list may be most of the table. */
  index?: string
  order: SortOrder
}

function findPart(
  db: Database,
  { values, columns, order, index }: ItemQuery,
  condition: string,
  after: readonly CursorValue[] | null,
  count: number,
): Promise<ItemRow[]> {
  const binds = createBinds(...values)
  const rest = after === null ? '' : `AND ${afterCondition(columns, after, order, binds.add)}`
  const hint = index === undefined ? '' : indexFor(db.dialect, index, after !== null)
  return db.page(
    itemShape,
    `FROM files f ${hint} WHERE ${condition} ${rest} ORDER BY ${orderBy(columns, order)} LIMIT ${count}`,
    binds.values,
  )
}

/** The first rows after a position (null: from the beginning). */
async function findRows(
  db: Database,
  query: ItemQuery,
  after: CursorValue[] | null,
  count: number,
): Promise<ItemRow[]> {
  const { condition, parts } = query
  if (parts === undefined) return findPart(db, query, condition, after, count)
  const [first = 0, ...place] = after ?? []
  const rows: ItemRow[] = []
  for (const [index, part] of parts.entries()) {
    if (index < Number(first) || rows.length === count) continue
    const from = after !== null && index === first ? place : null
    rows.push(...(await findPart(db, query, `${condition} AND ${part}`, from, count - rows.length)))
  }
  return rows
}

/** The page after `cursor`, and the number of all matches. Throws `invalid_input` for a cursor of another list. */
export async function readItemPage(
  { db, countItems }: ItemLists,
  viewer: Actor,
  query: ItemQuery,
  input: { limit?: number | undefined; cursor?: string | undefined },
): Promise<ItemList> {
  const { list: name, form } = query
  const count = input.limit ?? wholeListSize
  const start = input.cursor === undefined ? null : decodeCursor(input.cursor, [{ name, form }]).after
  const read = async (after: ItemRow | null, most: number) => {
    const rows = await findRows(db, query, after === null ? start : query.position(after), most)
    return addStandings(db, viewer, rows)
  }
  const { items: files, last } = await presentPage(db, viewer, { count, read })
  const total = await countItems(query)
  return {
    files,
    total,
    next_cursor: last === null ? null : encodeCursor(name, query.position(last)),
  }
}
