/** Looks up tags; only this file reads a tag by id. */
import type { Actor } from '../access/actor.ts'
import type { ItemTag } from '../api/items.ts'
import { maxFileTags } from '../api/limits.ts'
import { notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { sortKey } from '../db/fold.ts'
import { isOneOf, isOneOfMany, valuesAtOnce } from '../db/values.ts'
import { countTagged } from './counts.ts'

interface SortedTag {
  tag: ItemTag
  /** The sort key of its name, as in every list sorted by name. */
  key: string
}

/** Adds the sort key. In a damaged row the name may be bytes, so it is converted to a string. */
function toSorted<Tag extends ItemTag>(tag: Tag): { tag: Tag; key: string } {
  const name = String(tag.name)
  return { tag: { ...tag, name }, key: sortKey(name) }
}

const bySortKey = (a: SortedTag, b: SortedTag): number => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.tag.id - b.tag.id)

/** Maps item ids to their tags, sorted by name; an item without tags has no entry. Items share one object for a tag. */
export type ItemTags = Map<number, ItemTag[]>

/** An item with the ids of its tags as one text: `4,17,3`. */
interface TaggedRow {
  file_id: number
  tag_ids: string
}

/** Returns a function that maps ids of tags to the tags, sorted by name. It reads a tag once, and leaves out lost ones. */
function openTagNames(db: Database): (texts: Iterable<string>) => Promise<Map<string, ItemTag[]>> {
  let sorted: SortedTag[] = []
  let ranks = new Map<number, number>()

  async function learn(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return
    const { condition, values } = isOneOfMany(db.dialect, 'id', ids)
    const rows = await db.rows<ItemTag>(`SELECT id, name, color FROM tags WHERE ${condition}`, values)
    sorted = [...sorted, ...rows.map(toSorted)].sort(bySortKey)
    ranks = new Map(sorted.map(({ tag }, rank) => [tag.id, rank]))
  }

  // Numbers are sorted several times as fast as names are compared.
  const sort = (ids: readonly number[]): ItemTag[] =>
    Array.from(Uint32Array.from(ids.flatMap(id => ranks.get(id) ?? [])).sort()).flatMap(rank => sorted[rank]?.tag ?? [])

  return async texts => {
    const lists = new Map([...texts].map(text => [text, text.split(',').map(Number)]))
    const unknown = new Set<number>()
    for (const ids of lists.values()) for (const id of ids) if (!ranks.has(id)) unknown.add(id)
    await learn([...unknown])
    return new Map([...lists].map(([text, ids]) => [text, sort(ids)]))
  }
}

/**
 * Returns a function that reads the tags of a user (null: none) on a few hundred items per call. The items come with the
 * ids of their tags, one row each, and each tag is read once: with a row for each tag of each item, a list of items with
 * a hundred tags each would take a hundred times the memory, and seconds of the main thread. CROSS JOIN keeps SQLite from
 * looking for each of the user's tags on each item.
 */
export function openItemTags(db: Database, userId: number | null): (fileIds: readonly number[]) => Promise<ItemTags> {
  const findNames = openTagNames(db)
  return async fileIds => {
    if (userId === null || fileIds.length === 0) return new Map()
    const { condition, values } = isOneOfMany(db.dialect, 'ft.file_id', fileIds)
    const rows = await db.rows<TaggedRow>(
      `SELECT ft.file_id, GROUP_CONCAT(ft.tag_id) AS tag_ids FROM file_tags ft CROSS JOIN tags t ON t.id = ft.tag_id
       WHERE ${condition} AND t.owner_id = $${values.length + 1} GROUP BY ft.file_id`,
      [...values, userId],
    )
    // Many items have the same tags.
    const names = await findNames(new Set(rows.map(({ tag_ids }) => tag_ids)))
    return new Map(rows.map(({ file_id, tag_ids }) => [file_id, names.get(tag_ids) ?? []]))
  }
}

/** The same for any number of items. */
export async function findItemTags(db: Database, userId: number | null, fileIds: readonly number[]): Promise<ItemTags> {
  const read = openItemTags(db, userId)
  const found: ItemTags = new Map()
  for (let start = 0; start < fileIds.length; start += valuesAtOnce) {
    for (const [id, tags] of await read(fileIds.slice(start, start + valuesAtOnce))) found.set(id, tags)
  }
  return found
}

/** One tag of a user. Throws `not_found` if it does not exist or is another user's. */
export async function findTag(db: Database, ownerId: number, id: number): Promise<ItemTag> {
  const row = await db.row<ItemTag>('SELECT id, name, color FROM tags WHERE id = $1 AND owner_id = $2', [id, ownerId])
  if (row === undefined) throw notFound('Tag')
  return row
}

/** A tag with the number of live files that have it and are shown to its owner. */
export interface CountedTagRow extends ItemTag {
  file_count: number
}

/** The tags that match a condition, with the number of files that have them and are shown to their owner. */
async function findCounted(
  db: Database,
  actor: Actor,
  condition = '1 = 1',
  binds: readonly number[] = [],
  limit = '',
): Promise<CountedTagRow[]> {
  const tags = await db.rows<ItemTag>(
    `SELECT t.id, t.name, t.color FROM tags t WHERE t.owner_id = $1 AND ${condition} ${limit}`,
    [actor.userId, ...binds],
  )
  const counts = await countTagged(
    db,
    actor,
    tags.map(({ id }) => id),
  )
  return tags.map(tag => ({ ...tag, file_count: counts.get(tag.id) ?? 0 }))
}

/** A user's tags with their counts, sorted by name. If there are more than `most`, only the oldest `most`. */
export async function findTags(db: Database, actor: Actor, most?: number): Promise<CountedTagRow[]> {
  const limit = most === undefined ? '' : `ORDER BY t.id LIMIT ${most}`
  const rows = await findCounted(db, actor, undefined, undefined, limit)
  const sorted = rows.map(toSorted).sort(bySortKey)
  return sorted.map(({ tag }) => tag)
}

/** A user's tags without their counts, by name. */
export async function findTagNames(db: Database, ownerId: number): Promise<ItemTag[]> {
  const rows = await db.rows<ItemTag>('SELECT t.id, t.name, t.color FROM tags t WHERE t.owner_id = $1', [ownerId])
  return rows
    .map(toSorted)
    .sort(bySortKey)
    .map(({ tag }) => tag)
}

export async function countTags(db: Database, ownerId: number): Promise<number> {
  return (
    (await db.row<{ count: number }>('SELECT COUNT(*) AS count FROM tags WHERE owner_id = $1', [ownerId]))?.count ?? 0
  )
}

/** One tag of a user with its count. Throws `not_found`. */
export async function findCountedTag(db: Database, actor: Actor, id: number): Promise<CountedTagRow> {
  const [row] = await findCounted(db, actor, 't.id = $2', [id])
  if (row === undefined) throw notFound('Tag')
  return row
}

/** Of the given files, those that already have the maximum number of a user's tags. */
export async function findFullOfTags(db: Database, userId: number, fileIds: readonly number[]): Promise<Set<number>> {
  const rows = await db.rows<{ file_id: number }>(
    `SELECT ft.file_id FROM file_tags ft JOIN tags t ON t.id = ft.tag_id
     WHERE t.owner_id = $1 AND ${isOneOf('ft.file_id', fileIds, 2)}
     GROUP BY ft.file_id HAVING COUNT(*) >= ${maxFileTags}`,
    [userId, ...fileIds],
  )
  return new Set(rows.map(({ file_id }) => file_id))
}

/** Of the given files, those that have the tag. */
export async function findTagged(db: Database, tagId: number, fileIds: readonly number[]): Promise<Set<number>> {
  const rows = await db.rows<{ file_id: number }>(
    `SELECT file_id FROM file_tags WHERE tag_id = $1 AND ${isOneOf('file_id', fileIds, 2)}`,
    [tagId, ...fileIds],
  )
  return new Set(rows.map(row => row.file_id))
}
