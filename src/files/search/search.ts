/** Finds live items of a space by a part of their name and by filters; hits are sorted by id, highest first. */
import { createHash } from 'node:crypto'
import type { Actor } from '../../access/actor.ts'
import { liveRow, shownRow } from '../../access/policy.ts'
import { everything, ownStanding } from '../../access/standing.ts'
import type { OutputOf } from '../../api/endpoint.ts'
import { maxCountedHits, wholeListSize } from '../../api/limits.ts'
import type { searchFiles as endpoint } from '../../api/search.ts'
import { AppError } from '../../base/errors.ts'
import { decodeCursor, encodeCursor } from '../../db/cursor.ts'
import type { Database } from '../../db/database.ts'
import { isTimedOut } from '../../db/failures.ts'
import { fold } from '../../db/fold.ts'
import type { Columns } from '../../db/json-rows.ts'
import { createBinds } from '../../db/keyset.ts'
import { findTag } from '../../tags/find.ts'
import { type ItemRow, itemShape } from '../item-row.ts'
import { presentItems } from '../present.ts'
import { filterConditions, type SearchInput } from './filters.ts'
import { chooseSource } from './source.ts'

/** The name that ties a cursor to its search; another text or filter gives another name. */
function listName({ cursor: _cursor, limit: _limit, ...search }: SearchInput): string {
  const entries = Object.entries(search).sort(([a], [b]) => (a < b ? -1 : 1))
  return `search ${createHash('sha256').update(JSON.stringify(entries)).digest('base64url')}`
}

/** The end of the previous page and the number of hits counted so far; null for the first page. */
function readCursor(input: SearchInput): { counted: number; last: number } | null {
  if (input.cursor === undefined) return null
  const { after } = decodeCursor(input.cursor, [{ name: listName(input), form: ['number', 'number'] }])
  return { counted: Number(after[0]), last: Number(after[1]) }
}

/** Time limit of one search in ms: a text that occurs in no name, or in nearly all, could take minutes. */
const mostTime = 10_000

const tooLong = () =>
  new AppError('invalid_input', 'The search takes too long: more letters or fewer filters make it faster')

const hitColumns: Columns<ItemRow & { hits: number }> = { ...itemShape, hits: 'page.hits' }

/** The result of one query: the rows of a page, and the number of hits from its first row on. */
interface Hits {
  rows: ItemRow[]
  /** At most `wanted`. */
  count: number
}

/** Finds the first `pageSize` hits, with ids below `last` if it is given, and counts at most `wanted` hits. */
async function findHits(
  db: Database,
  { userId, root: { spaceId } }: Actor,
  input: SearchInput,
  { last, pageSize, wanted }: { last: number | null; pageSize: number; wanted: number },
): Promise<Hits> {
  const text = fold(input.q)
  // No name contains a control character, and an empty text finds nothing.
  if (text === '' || /\p{Cc}/u.test(text)) return { rows: [], count: 0 }
  const binds = createBinds()
  const { from, where, id } = await chooseSource(db, spaceId, text, input, binds.add)
  const isShown = shownRow(everything, binds.add(userId))
  const conditions = [...where, liveRow, isShown, ...(await filterConditions(db, input, binds.add))]
  if (last !== null) conditions.push(`${id} < ${binds.add(last)}`)
  const found = `SELECT f.id AS id FROM ${from} WHERE ${conditions.join(' AND ')} ORDER BY ${id} DESC LIMIT ${wanted}`
  const page = `SELECT id, COUNT(*) OVER () AS hits FROM (${found}) found ORDER BY id DESC LIMIT ${pageSize}`
  const rows = await db
    .page(
      hitColumns,
      `FROM (${page}) page CROSS JOIN files f ON f.id = page.id ORDER BY page.id DESC`,
      binds.values,
      mostTime,
    )
    .catch(error => {
      throw isTimedOut(error) ? tooLong() : error
    })
  return { rows, count: rows[0]?.hits ?? 0 }
}

/**
 * Returns one page of a search. The first page counts the hits and its cursor carries the number, so that later pages
 * do not count again. Throws `not_found` for a tag that is not the actor's, and `invalid_input` for an unknown metadata
 * field, for a cursor of another search, and for a search that takes longer than 10 s.
 */
export async function searchFiles(db: Database, actor: Actor, input: SearchInput): Promise<OutputOf<typeof endpoint>> {
  const after = readCursor(input)
  if (input.tag_id !== undefined) await findTag(db, actor.userId, input.tag_id)
  const pageSize = input.limit ?? wholeListSize
  const wanted = (after === null ? Math.max(pageSize, maxCountedHits) : pageSize) + 1
  const { rows, count } = await findHits(db, actor, input, { last: after?.last ?? null, pageSize, wanted })
  const counted = after?.counted ?? Math.min(count, maxCountedHits + 1)
  const files = await presentItems(
    db,
    actor,
    rows.map(row => ({ ...row, standing: ownStanding })),
  )
  const last = files.at(-1)?.id ?? 0
  return {
    files,
    total: Math.min(counted, maxCountedHits),
    total_is_exact: counted <= maxCountedHits,
    next_cursor: count > files.length ? encodeCursor(listName(input), [counted, last]) : null,
  }
}
