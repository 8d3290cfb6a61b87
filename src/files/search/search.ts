/**
 * Finds live items by a part of their name, or by tag, and by filters, in all places; hits are sorted by id, highest
 * first.
 */
import { createHash } from 'node:crypto'
import type { Actor } from '../../access/actor.ts'
import { liveRow, shownRow } from '../../access/policy.ts'
import { type Abilities, everything, noAbilities } from '../../access/standing.ts'
import type { OutputOf } from '../../api/endpoint.ts'
import { maxCountedHits, wholeListSize } from '../../api/limits.ts'
import type { searchFiles as endpoint } from '../../api/search.ts'
import { AppError } from '../../base/errors.ts'
import { decodeCursor, encodeCursor } from '../../db/cursor.ts'
import type { Database } from '../../db/database.ts'
import { isTimedOut } from '../../db/failures.ts'
import { fold } from '../../db/fold.ts'
import { joinInOrder } from '../../db/join-in-order.ts'
import type { Columns } from '../../db/json-rows.ts'
import { createBinds } from '../../db/keyset.ts'
import { findTag } from '../../tags/find.ts'
import { findFolder } from '../find.ts'
import { type ItemRow, itemShape } from '../item-row.ts'
import { presentItems } from '../present.ts'
import { addStandings } from '../surroundings.ts'
import { searchBelow, walkBelow } from './below.ts'
import { filterConditions, type SearchInput } from './filters.ts'
import { type AddBind, type SearchSource, searchRightIn, searchSpaces, searchTagged } from './names.ts'
import { findSearchPlaces, noPlaces, seesSpace } from './places.ts'
import { sortHits } from './sorted.ts'
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

/**
 * The part of the hits that is asked for: with ids below `last` and from `first` on if they are given, and counted up to
 * `wanted`.
 */
interface Part {
  last: number | null
  first: number | null
  pageSize: number
  wanted: number
  /** Time limit in ms. */
  most: number
}

/** Something that is searched, and what the user may do there. */
interface Searched {
  abilities: Abilities
  source(add: AddBind): SearchSource | Promise<SearchSource>
}

/** Finds the first `pageSize` hits of one source. */
async function findIn(
  db: Database,
  { userId }: Actor,
  input: SearchInput,
  { abilities, source }: Searched,
  { last, first, pageSize, wanted, most }: Part,
): Promise<Hits> {
  const binds = createBinds()
  const { from, where, id } = await source(binds.add)
  const isShown = shownRow(abilities, binds.add(userId))
  const conditions = [...where, liveRow, isShown, ...(await filterConditions(db, input, binds.add))]
  if (last !== null) conditions.push(`${id} < ${binds.add(last)}`)
  if (first !== null) conditions.push(`${id} >= ${binds.add(first)}`)
  const found = `SELECT f.id AS id FROM ${from} WHERE ${conditions.join(' AND ')} ORDER BY ${id} DESC LIMIT ${wanted}`
  const page = `SELECT id, COUNT(*) OVER () AS hits FROM (${found}) found ORDER BY id DESC LIMIT ${pageSize}`
  const rows = await db
    .page(
      hitColumns,
      `FROM (${page}) page ${joinInOrder[db.dialect]} files f ON f.id = page.id ORDER BY page.id DESC`,
      binds.values,
      most,
    )
    .catch(error => {
      throw isTimedOut(error) ? tooLong() : error
    })
  return { rows, count: rows[0]?.hits ?? 0 }
}

/** What is searched for a folded text: the own space and all other places, or one folder with all below it. */
async function findSearched(db: Database, actor: Actor, input: SearchInput, text: string): Promise<Searched[]> {
  const { root } = actor
  const folderId = input.in ?? root.folderId
  if (folderId !== null) {
    const { standing, spaceId } = await findFolder(db, actor, folderId, 'see')
    const rightIn = { abilities: standing.here, source: (add: AddBind) => searchRightIn([folderId], text, add) }
    if (!standing.here.see) return [rightIn]
    const isSpaceSeen = await seesSpace(db, actor, standing)
    const source = (add: AddBind) =>
      isSpaceSeen ? searchBelow(db, { spaceId, folderId }, text, input, add) : walkBelow(db, [folderId], text, add)
    return [{ abilities: everything, source }]
  }
  const own = { abilities: everything, source: (add: AddBind) => chooseSource(db, root.spaceId, text, input, add) }
  const { spaceIds, rootIds, dropIds } = input.scope === 'own' ? noPlaces : await findSearchPlaces(db, actor)
  const inTeams = (add: AddBind) =>
    text === '' ? searchTagged(db, spaceIds, input.tag_id ?? null, add) : searchSpaces(db, spaceIds, text, add)
  const teams = { abilities: everything, source: inTeams }
  const shares = { abilities: everything, source: (add: AddBind) => walkBelow(db, rootIds, text, add) }
  const drops = { abilities: noAbilities, source: (add: AddBind) => searchRightIn(dropIds, text, add) }
  return [
    own,
    ...(spaceIds.length > 0 ? [teams] : []),
    ...(rootIds.length > 0 ? [shares] : []),
    ...(dropIds.length > 0 ? [drops] : []),
  ]
}

/**
 * Finds the first `pageSize` hits of all sources together, and counts at most `wanted` hits. Once so many are counted,
 * what follows needs to be read only as far as it comes on the page.
 */
async function findHits(
  db: Database,
  actor: Actor,
  input: SearchInput,
  part: Omit<Part, 'first' | 'most'>,
): Promise<Hits> {
  const text = fold(input.q)
  const searched = await findSearched(db, actor, input, text)
  // No name contains a control character, and a text that folds to nothing finds nothing.
  if ((text === '' && input.q !== '') || /\p{Cc}/u.test(text)) return { rows: [], count: 0 }
  const { last, pageSize } = part
  const end = performance.now() + mostTime
  let hits: Hits = { rows: [], count: 0 }
  // One after the other: a user's search has one of the database's connections.
  for (const one of searched) {
    const missing = part.wanted - hits.count
    const first = missing > 0 ? null : (hits.rows[pageSize - 1]?.id ?? null)
    const wanted = Math.max(pageSize, missing)
    // Whole seconds, because on MariaDB the limit is part of the statement, which is prepared once for each text.
    const most = Math.max(1, Math.ceil((end - performance.now()) / 1000)) * 1000
    const found = await findIn(db, actor, input, one, { last, first, pageSize, wanted, most })
    const rows = [...hits.rows, ...found.rows].sort((a, b) => b.id - a.id).slice(0, pageSize)
    hits = { rows, count: hits.count + found.count }
  }
  return { rows: hits.rows, count: Math.min(hits.count, part.wanted) }
}

/**
 * Returns one page of a search; a sorted search has one page of the newest hits. The first page counts the hits and its
 * cursor carries the number, so that later pages do not count again. Throws `not_found` for a tag that is not the
 * actor's and for a folder that they do not see, and `invalid_input` for an unknown metadata field, for a cursor of
 * another search, and for a search that takes longer than 10 s.
 */
export async function searchFiles(db: Database, actor: Actor, input: SearchInput): Promise<OutputOf<typeof endpoint>> {
  const after = readCursor(input)
  if (input.tag_id !== undefined) await findTag(db, actor.userId, input.tag_id)
  const { sort, order, limit } = input
  const pageSize = sort === undefined ? (limit ?? wholeListSize) : maxCountedHits
  const wanted = (after === null ? Math.max(pageSize, maxCountedHits) : pageSize) + 1
  const { rows: hits, count } = await findHits(db, actor, input, { last: after?.last ?? null, pageSize, wanted })
  // The cost of sorting must not depend on how many names contain the text.
  const rows = sort === undefined ? hits : sortHits(hits, sort, order).slice(0, limit)
  const counted = after?.counted ?? Math.min(count, maxCountedHits + 1)
  const { items: files, read } = await presentItems(db, actor, await addStandings(db, actor, rows))
  const last = rows[read - 1]?.id ?? 0
  return {
    files,
    total: Math.min(counted, maxCountedHits),
    total_is_exact: counted <= maxCountedHits,
    next_cursor: sort === undefined && count > read ? encodeCursor(listName(input), [counted, last]) : null,
  }
}
