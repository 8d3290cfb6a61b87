/** The files that changed last, in all places, page by page. */
import type { Actor } from '../access/actor.ts'
import type { OutputOf, ParsedInputOf } from '../api/endpoint.ts'
import { maxRecentPlaces, recentPageSize } from '../api/limits.ts'
import type { listRecent as endpoint } from '../api/search.ts'
import type { Database } from '../db/database.ts'
import {
  byHighest,
  cursorAt,
  type Highest,
  placeOf,
  type RankedPlace,
  readHighest,
  readPlace,
  slicesPerPage,
  type Wanted,
} from './highest.ts'
import type { ItemRow } from './item-row.ts'
import { presentItems } from './present.ts'
import { findSearchPlaces } from './search/places.ts'
import { addStandings } from './surroundings.ts'

const placeIn = (row: ItemRow): RankedPlace => placeOf('updated_at', row)

/** The newest files of several spaces; `end` is where the first of them was left. */
async function readNewestOf(db: Database, spaceIds: readonly number[], userId: number, wanted: Wanted) {
  const found: Highest[] = []
  // One after the other: a call has one of the database's connections.
  for (const spaceId of spaceIds) found.push(await readHighest(db, spaceId, userId, 'updated_at', wanted))
  const [end = null] = found.flatMap(one => one.end ?? []).sort(byHighest)
  const rows = found.flatMap(one => one.rows).sort((a, b) => byHighest(placeIn(a), placeIn(b)))
  // What is older than an end may come after files of that space that were not read.
  return { rows: end === null ? rows : rows.filter(row => byHighest(placeIn(row), end) < 0), end }
}

/**
 * Returns one page of the files that changed last, in the own tree and in team folders. A page may have fewer files than
 * `limit`, or none, and still lead to a next one: its cost does not depend on how many files are trashed.
 */
export async function listRecent(
  db: Database,
  actor: Actor,
  { limit = recentPageSize, cursor }: ParsedInputOf<typeof endpoint>,
): Promise<OutputOf<typeof endpoint>> {
  const start = readPlace('recent', cursor)
  const { spaceIds } = await findSearchPlaces(db, actor)
  const spaces = [actor.root.spaceId, ...spaceIds.slice(0, maxRecentPlaces)]
  const wanted = { count: limit + 1, start, slices: slicesPerPage }
  const { rows, end } = await readNewestOf(db, spaces, actor.userId, wanted)
  const { items: files, read } = await presentItems(db, actor, await addStandings(db, actor, rows.slice(0, limit)))
  const next = rows[read]
  return { files, next_cursor: cursorAt('recent', next === undefined ? end : placeIn(next)) }
}
