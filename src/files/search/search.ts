/** Finds live items of a space by a part of their names and by filters; hits by id, the highest first. */
import { createHash } from 'node:crypto'
import type { Actor } from '../../access/actor.ts'
import { liveRow } from '../../access/policy.ts'
import type { OutputOf } from '../../api/endpoint.ts'
import { maxCountedHits, wholeListSize } from '../../api/limits.ts'
import type { searchFiles as endpoint } from '../../api/search.ts'
import { decodeCursor, encodeCursor } from '../../db/cursor.ts'
import type { Database } from '../../db/database.ts'
import { fold } from '../../db/fold.ts'
import { createBinds } from '../../db/keyset.ts'
import { findTag } from '../../tags/find.ts'
import { findPresent } from '../find.ts'
import { presentItems } from '../present.ts'
import { filterConditions, type SearchInput } from './filters.ts'
import { chooseSource } from './source.ts'

/** The name under which a cursor knows its search: another text or filter makes another one. */
function listName({ cursor: _cursor, limit: _limit, ...search }: SearchInput): string {
  const entries = Object.entries(search).sort(([a], [b]) => (a < b ? -1 : 1))
  return `search ${createHash('sha256').update(JSON.stringify(entries)).digest('base64url')}`
}

/** Where the page before ended, and how many hits its search had counted; null for a first page. */
function readCursor(input: SearchInput): { counted: number; last: number } | null {
  if (input.cursor === undefined) return null
  const { after } = decodeCursor(input.cursor, [{ name: listName(input), form: ['number', 'number'] }])
  return { counted: Number(after[0]), last: Number(after[1]) }
}

/** The ids of at most so many hits, those below `last` where it is given. */
async function findHits(db: Database, spaceId: number, input: SearchInput, last: number | null, count: number) {
  const text = fold(input.q)
  // No name holds a control character, and none is found by nothing.
  if (text === '' || /\p{Cc}/u.test(text)) return []
  const binds = createBinds()
  const { from, where, id } = await chooseSource(db, spaceId, text, input, binds.add)
  const conditions = [...where, liveRow, ...(await filterConditions(db, input, binds.add))]
  if (last !== null) conditions.push(`${id} < ${binds.add(last)}`)
  const rows = await db.rows<{ id: number }>(
    `SELECT f.id FROM ${from} WHERE ${conditions.join(' AND ')} ORDER BY ${id} DESC LIMIT ${count}`,
    binds.values,
  )
  return rows.map(row => row.id)
}

/**
 * One page of a search. The first page reads as many hits as are counted, and its cursor takes the number along, so
 * that no page reads them twice. Throws `not_found` for a tag that is not the actor's, `invalid_input` for a metadata
 * field that there is not and for a cursor of another search.
 */
export async function searchFiles(db: Database, actor: Actor, input: SearchInput): Promise<OutputOf<typeof endpoint>> {
  const after = readCursor(input)
  if (input.tag_id !== undefined) await findTag(db, actor.userId, input.tag_id)
  const count = input.limit ?? wholeListSize
  const wanted = after === null ? Math.max(count, maxCountedHits) : count
  const hits = await findHits(db, actor.spaceId, input, after?.last ?? null, wanted + 1)
  const counted = after?.counted ?? Math.min(hits.length, maxCountedHits + 1)
  const page = hits.slice(0, count)
  const found = await findPresent(db, actor.spaceId, page)
  const files = await presentItems(db, found)
  const isCut = files.length < found.length
  const last = (isCut ? files.at(-1)?.id : page.at(-1)) ?? 0
  return {
    files,
    total: Math.min(counted, maxCountedHits),
    total_is_exact: counted <= maxCountedHits,
    next_cursor: isCut || hits.length > count ? encodeCursor(listName(input), [counted, last]) : null,
  }
}
