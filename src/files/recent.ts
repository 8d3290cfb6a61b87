/** The files that changed last: of one space, and of all places page by page. */
import type { Actor } from '../access/actor.ts'
import { liveRow, shownRow } from '../access/policy.ts'
import { findStandings } from '../access/reach.ts'
import { everything } from '../access/standing.ts'
import type { OutputOf, ParsedInputOf } from '../api/endpoint.ts'
import { maxRecentPlaces, recentPageSize } from '../api/limits.ts'
import type { listRecent as endpoint } from '../api/search.ts'
import { decodeCursor, encodeCursor } from '../db/cursor.ts'
import type { Database } from '../db/database.ts'
import { afterCondition, createBinds, orderBy } from '../db/keyset.ts'
import { type ItemRow, itemShape } from './item-row.ts'
import { presentItems } from './present.ts'
import { findSearchPlaces } from './search/places.ts'

/** The most files per query. */
const sliceSize = 2000
/** The most queries per space for one page; a page may have fewer files than asked for, and the next goes on. */
const slicesPerPage = 2

const order = ['f.updated_at', 'f.id']
/** Files of a space that were not trashed themselves. */
const ofSpace = ['f.space_id = $1', 'f.deleted_at IS NULL', 'f.is_directory = 0']

type Place = Pick<ItemRow, 'updated_at' | 'id'>

/** The first file after a slice; null for the last slice. Read from the index only. */
async function findEnd(db: Database, spaceId: number, start: Place | null): Promise<Place | null> {
  const { conditions, values } = sliceOf(spaceId, start, null)
  const row = await db.row<Place>(
    `SELECT f.updated_at, f.id FROM files f WHERE ${conditions}
     ORDER BY ${orderBy(order, 'desc')} LIMIT 1 OFFSET ${sliceSize}`,
    values,
  )
  return row ?? null
}

/** The files from `start` on, newest first, up to but excluding `end`. */
function sliceOf(spaceId: number, start: Place | null, end: Place | null) {
  const binds = createBinds(spaceId)
  const conditions = [...ofSpace]
  // Ids are integers, so id + 1 includes the start itself.
  if (start !== null) conditions.push(afterCondition(order, [start.updated_at, start.id + 1], 'desc', binds.add))
  if (end !== null) conditions.push(afterCondition(order, [end.updated_at, end.id], 'asc', binds.add))
  return { conditions: conditions.join(' AND '), values: binds.values }
}

interface Newest {
  rows: ItemRow[]
  /** The first file that was not read; null if all were read, or enough found. */
  end: Place | null
}

interface Wanted {
  count: number
  start?: Place | null
  /** Default: as many as it takes. */
  slices?: number
}

/**
 * The newest live files of a space that a user sees, from `start` on. Files trashed with their folder have to be skipped
 * one by one. Slices keep a trashed folder of a million files from blocking a connection for seconds.
 */
export async function readNewest(
  db: Database,
  spaceId: number,
  userId: number,
  { count, start = null, slices = Number.POSITIVE_INFINITY }: Wanted,
): Promise<Newest> {
  const rows: ItemRow[] = []
  let from = start
  for (let slice = 0; slice < slices; slice++) {
    const end = await findEnd(db, spaceId, from)
    const { conditions, values } = sliceOf(spaceId, from, end)
    const live = await db.page(
      itemShape,
      `FROM files f WHERE ${conditions} AND ${liveRow} AND ${shownRow(everything, `$${values.push(userId)}`)}
       ORDER BY ${orderBy(order, 'desc')} LIMIT ${count}`,
      values,
    )
    rows.push(...live)
    from = end
    if (end === null || rows.length >= count) return { rows: rows.slice(0, count), end: null }
  }
  return { rows, end: from }
}

const byNewest = (a: Place, b: Place): number => b.updated_at - a.updated_at || b.id - a.id

/** The newest files of several spaces; `end` is where the first of them was left. */
async function readNewestOf(db: Database, spaceIds: readonly number[], userId: number, wanted: Wanted) {
  const found: Newest[] = []
  // One after the other: a call has one of the database's connections.
  for (const spaceId of spaceIds) found.push(await readNewest(db, spaceId, userId, wanted))
  const [end = null] = found.flatMap(one => one.end ?? []).sort(byNewest)
  const rows = found.flatMap(one => one.rows).sort(byNewest)
  // What is older than an end may come after files of that space that were not read.
  return { rows: end === null ? rows : rows.filter(row => byNewest(row, end) < 0), end }
}

const list = { name: 'recent', form: ['number', 'number'] } as const

function readCursor(cursor: string | undefined): Place | null {
  if (cursor === undefined) return null
  const { after } = decodeCursor(cursor, [list])
  return { updated_at: Number(after[0]), id: Number(after[1]) }
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
  const start = readCursor(cursor)
  const { spaceIds } = await findSearchPlaces(db, actor)
  const spaces = [actor.root.spaceId, ...spaceIds.slice(0, maxRecentPlaces)]
  const wanted = { count: limit + 1, start, slices: slicesPerPage }
  const { rows, end } = await readNewestOf(db, spaces, actor.userId, wanted)
  const standings = await findStandings(db, actor, rows)
  const seen = rows.slice(0, limit).map(row => ({ ...row, standing: standings.get(row.id) ?? null }))
  const files = await presentItems(db, actor, seen)
  const next = rows[files.length] ?? end
  return { files, next_cursor: next === null ? null : encodeCursor(list.name, [next.updated_at, next.id]) }
}
