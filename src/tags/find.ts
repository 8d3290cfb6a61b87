/** Looks tags up; the only place that reads one by its id. */
import { liveRow } from '../access/policy.ts'
import type { ItemTag } from '../api/items.ts'
import type { Database } from '../db/database.ts'
import { sortKey } from '../db/fold.ts'
import { isOneOf, isOneOfMany, valuesAtOnce } from '../db/values.ts'
import { notFound } from '../errors.ts'

interface ItemTagRow extends ItemTag {
  file_id: number
}

/** Puts tags in the order of names that every list has; each name's key is computed once. */
function sortByName<Row extends ItemTag>(rows: readonly Row[]): Row[] {
  const keys = new Map(rows.map(({ id, name }) => [id, name] as const))
  for (const [id, name] of keys) keys.set(id, sortKey(name))
  const keyOf = (row: Row): string => keys.get(row.id) ?? ''
  return rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : a.id - b.id))
}

/** The tags of some items by the items' ids, each list by name; an item without tags has no entry. */
export async function findItemTags(db: Database, fileIds: readonly number[]): Promise<Map<number, ItemTag[]>> {
  const rows: ItemTagRow[] = []
  for (let start = 0; start < fileIds.length; start += valuesAtOnce) {
    const { condition, values } = isOneOfMany(db.dialect, 'ft.file_id', fileIds.slice(start, start + valuesAtOnce))
    const slice = await db.rows<ItemTagRow>(
      `SELECT ft.file_id, t.id, t.name, t.color FROM file_tags ft JOIN tags t ON t.id = ft.tag_id WHERE ${condition}`,
      values,
    )
    for (const row of slice) rows.push(row)
  }
  const found = new Map<number, ItemTag[]>()
  for (const { file_id, ...tag } of sortByName(rows)) found.set(file_id, [...(found.get(file_id) ?? []), tag])
  return found
}

/** One tag of a user. Throws `not_found`, for another's as for none. */
export async function findTag(db: Database, ownerId: number, id: number): Promise<ItemTag> {
  const row = await db.row<ItemTag>('SELECT id, name, color FROM tags WHERE id = $1 AND owner_id = $2', [id, ownerId])
  if (row === undefined) throw notFound('Tag')
  return row
}

/** A tag with the number of live files that bear it. */
export interface CountedTagRow extends ItemTag {
  file_count: number
}

const findCounted = (db: Database, condition: string, binds: readonly number[]): Promise<CountedTagRow[]> =>
  db.rows<CountedTagRow>(
    `SELECT t.id, t.name, t.color, COUNT(f.id) AS file_count FROM tags t
       LEFT JOIN file_tags ft ON ft.tag_id = t.id
       LEFT JOIN files f ON f.id = ft.file_id AND ${liveRow}
     WHERE ${condition} GROUP BY t.id, t.name, t.color`,
    binds,
  )

/** A user's tags by name, with their counts. */
export const findTags = async (db: Database, ownerId: number): Promise<CountedTagRow[]> =>
  sortByName(await findCounted(db, 't.owner_id = $1', [ownerId]))

/** One tag of a user with its count. Throws `not_found`. */
export async function findCountedTag(db: Database, ownerId: number, id: number): Promise<CountedTagRow> {
  const [row] = await findCounted(db, 't.id = $1 AND t.owner_id = $2', [id, ownerId])
  if (row === undefined) throw notFound('Tag')
  return row
}

/** Which of some files bear a tag. */
export async function findTagged(db: Database, tagId: number, fileIds: readonly number[]): Promise<Set<number>> {
  const rows = await db.rows<{ file_id: number }>(
    `SELECT file_id FROM file_tags WHERE tag_id = $1 AND ${isOneOf('file_id', fileIds, 2)}`,
    [tagId, ...fileIds],
  )
  return new Set(rows.map(row => row.file_id))
}
