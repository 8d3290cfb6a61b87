/**
 * Counts the files of tags. A user may have set millions of tags, so that they are counted in ranges: one statement for all
 * would occupy one of the database's few readers for seconds.
 */
import type { Actor } from '../access/actor.ts'
import { type HideableItem, isShown, liveRow, shownRow } from '../access/policy.ts'
import { findStandings } from '../access/reach.ts'
import { everything } from '../access/standing.ts'
import { maxTaggedElsewhere } from '../api/limits.ts'
import type { Database } from '../db/database.ts'
import type { Columns } from '../db/json-rows.ts'
import { isOneOf, valuesAtOnce } from '../db/values.ts'

/** Rows of file_tags that one statement counts, in about 15 ms. */
const rowsAtOnce = 20_000

/** Some rows of `file_tags ft`; the values are bound from $1 on. */
interface Range {
  condition: string
  values: readonly number[]
}

type Counts = Map<number, number>

const add = (counts: Counts, tagId: number, count: number): void =>
  void counts.set(tagId, (counts.get(tagId) ?? 0) + count)

async function isSmall(db: Database, { condition, values }: Range): Promise<boolean> {
  const found = await db.row<{ count: number }>(
    `SELECT COUNT(*) AS count
       FROM (SELECT ft.tag_id FROM file_tags ft WHERE ${condition} LIMIT ${rowsAtOnce + 1}) part`,
    values,
  )
  return (found?.count ?? 0) <= rowsAtOnce
}

/** The rows of one tag, in ranges. */
async function* cutTag(db: Database, tagId: number): AsyncGenerator<Range> {
  let after = 0
  for (;;) {
    const range = await db.row<{ last: number | null; count: number }>(
      `SELECT MAX(part.file_id) AS last, COUNT(*) AS count FROM (SELECT file_id FROM file_tags
         WHERE tag_id = $1 AND file_id > $2 ORDER BY file_id LIMIT ${rowsAtOnce}) part`,
      [tagId, after],
    )
    if (range === undefined || range.last === null) return
    const { last, count } = range
    yield { condition: 'ft.tag_id = $1 AND ft.file_id > $2 AND ft.file_id <= $3', values: [tagId, after, last] }
    if (count < rowsAtOnce) return
    after = last
  }
}

/** All rows of these tags, of as many tags in one range as have few. */
async function* rangesOf(db: Database, tagIds: readonly number[]): AsyncGenerator<Range> {
  const range = { condition: isOneOf('ft.tag_id', tagIds), values: tagIds }
  const [first] = tagIds
  if (first === undefined) return
  if (tagIds.length <= valuesAtOnce && (await isSmall(db, range))) yield range
  else if (tagIds.length === 1) yield* cutTag(db, first)
  else {
    const half = Math.ceil(tagIds.length / 2)
    yield* rangesOf(db, tagIds.slice(0, half))
    yield* rangesOf(db, tagIds.slice(half))
  }
}

/** Adds the live files of the user's own space. */
async function addOwn(db: Database, { userId, root }: Actor, { condition, values }: Range, counts: Counts) {
  const [space, user] = [`$${values.length + 1}`, `$${values.length + 2}`]
  const rows = await db.rows<{ tag_id: number; files: number }>(
    `SELECT ft.tag_id, COUNT(*) AS files FROM file_tags ft JOIN files f ON f.id = ft.file_id
     WHERE ${condition} AND f.space_id = ${space} AND ${liveRow} AND ${shownRow(everything, user)} GROUP BY ft.tag_id`,
    [...values, root.spaceId, userId],
  )
  for (const { tag_id, files } of rows) add(counts, tag_id, files)
}

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

/** The live files in others' places, newest first. */
const findElsewhere = (db: Database, { root }: Actor, { condition, values }: Range): Promise<TaggedRow[]> =>
  db.page(
    taggedShape,
    `FROM file_tags ft JOIN files f ON f.id = ft.file_id
     WHERE ${condition} AND f.space_id <> $${values.length + 1} AND ${liveRow}
     ORDER BY f.id DESC LIMIT ${maxTaggedElsewhere}`,
    [...values, root.spaceId],
  )

/**
 * The number of live files that have each tag of a user and are shown to them, by tag; none for a tag without files. Of
 * files in others' places, the newest `maxTaggedElsewhere` are counted.
 */
export async function countTagged(
  db: Database,
  actor: Actor,
  tagIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const counts: Counts = new Map()
  let elsewhere: TaggedRow[] = []
  for await (const range of rangesOf(db, tagIds)) {
    await addOwn(db, actor, range, counts)
    const found = await findElsewhere(db, actor, range)
    if (found.length > 0) elsewhere = [...elsewhere, ...found].sort((a, b) => b.id - a.id).slice(0, maxTaggedElsewhere)
  }
  const standings = await findStandings(db, actor, elsewhere)
  for (const row of elsewhere) {
    const standing = standings.get(row.id)
    if (standing !== undefined && isShown(actor, standing, row)) add(counts, row.tag_id, 1)
  }
  return counts
}
