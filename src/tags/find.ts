/** Looks up tags; only this file reads a tag by id. */
import type { Actor } from '../access/actor.ts'
import { type HideableItem, isShown, liveRow, shownRow } from '../access/policy.ts'
import { findStandings } from '../access/reach.ts'
import { everything } from '../access/standing.ts'
import type { ItemTag } from '../api/items.ts'
import { maxFileTags, maxTaggedElsewhere } from '../api/limits.ts'
import { notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { sortKey } from '../db/fold.ts'
import type { Columns } from '../db/json-rows.ts'
import { isOneOf, isOneOfMany, valuesAtOnce } from '../db/values.ts'

interface ItemTagRow extends ItemTag {
  file_id: number
}

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

/** Maps item ids to their tags, sorted by name; an item without tags has no entry. */
export type ItemTags = Map<number, ItemTag[]>

/**
 * Returns a function that reads the tags of a user (null: none) on a few hundred items per call. A tag that occurs on
 * many items is kept once, and its sort key is computed once.
 */
export function openItemTags(db: Database, userId: number | null): (fileIds: readonly number[]) => Promise<ItemTags> {
  const known = new Map<number, SortedTag>()
  return async fileIds => {
    if (userId === null || fileIds.length === 0) return new Map()
    const { condition, values } = isOneOfMany(db.dialect, 'ft.file_id', fileIds)
    const rows = await db.rows<ItemTagRow>(
      `SELECT ft.file_id, t.id, t.name, t.color FROM file_tags ft JOIN tags t ON t.id = ft.tag_id
       WHERE ${condition} AND t.owner_id = $${values.length + 1}`,
      [...values, userId],
    )
    const found = new Map<number, SortedTag[]>()
    for (const { file_id, ...tag } of rows) {
      const sorted = known.get(tag.id) ?? toSorted(tag)
      known.set(tag.id, sorted)
      const list = found.get(file_id)
      if (list === undefined) found.set(file_id, [sorted])
      else list.push(sorted)
    }
    return new Map([...found].map(([id, list]) => [id, list.sort(bySortKey).map(({ tag }) => tag)]))
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

/** The tags that match a condition, with the number of live files of the user's own space that have them. */
const findOwnCounts = (
  db: Database,
  { userId, root }: Actor,
  condition: string,
  binds: readonly number[],
  limit: string,
): Promise<CountedTagRow[]> =>
  db.rows<CountedTagRow>(
    `SELECT t.id, t.name, t.color, COUNT(f.id) AS file_count FROM tags t
       LEFT JOIN file_tags ft ON ft.tag_id = t.id
       LEFT JOIN files f ON f.id = ft.file_id AND f.space_id = $1 AND ${liveRow} AND ${shownRow(everything, '$2')}
     WHERE t.owner_id = $2 AND ${condition} GROUP BY t.id, t.name, t.color ${limit}`,
    [root.spaceId, userId, ...binds],
  )

interface TaggedRow extends HideableItem {
  id: number
  space_id: number
  tag_id: number
}

const taggedShape: Columns<TaggedRow> = {
  tag_id: 'ft.tag_id',
  id: 'f.id',
  space_id: 'f.space_id',
  is_directory: 'f.is_directory',
  owner_id: 'f.owner_id',
  content_by: 'f.content_by',
  received_by: 'f.received_by',
  validation_status: 'f.validation_status',
  deleted_at: 'f.deleted_at',
  trash_root_id: 'f.trash_root_id',
}

/** The numbers of files in others' places that have a user's tags and are still shown to them, by tag. */
async function countElsewhere(db: Database, actor: Actor): Promise<ReadonlyMap<number, number>> {
  const rows = await db.page(
    taggedShape,
    `FROM tags t JOIN file_tags ft ON ft.tag_id = t.id JOIN files f ON f.id = ft.file_id
     WHERE t.owner_id = $1 AND f.space_id <> $2 AND ${liveRow} ORDER BY f.id DESC LIMIT ${maxTaggedElsewhere}`,
    [actor.userId, actor.root.spaceId],
  )
  const standings = await findStandings(db, actor, rows)
  const counts = new Map<number, number>()
  for (const row of rows) {
    const standing = standings.get(row.id)
    if (standing === undefined || !isShown(actor, standing, row)) continue
    counts.set(row.tag_id, (counts.get(row.tag_id) ?? 0) + 1)
  }
  return counts
}

async function findCounted(
  db: Database,
  actor: Actor,
  condition = '1 = 1',
  binds: readonly number[] = [],
  limit = '',
): Promise<CountedTagRow[]> {
  const rows = await findOwnCounts(db, actor, condition, binds, limit)
  const elsewhere = await countElsewhere(db, actor)
  return rows.map(row => ({ ...row, file_count: row.file_count + (elsewhere.get(row.id) ?? 0) }))
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
  const [row] = await findCounted(db, actor, 't.id = $3', [id])
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
