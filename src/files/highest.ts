/** Reads the files of a space with the latest dates, or the largest sizes, in slices of bounded cost. */
import { liveRow, shownRow } from '../access/policy.ts'
import { everything } from '../access/standing.ts'
import { decodeCursor, encodeCursor } from '../db/cursor.ts'
import type { Database } from '../db/database.ts'
import { afterCondition, createBinds, orderBy } from '../db/keyset.ts'
import { isOneOf } from '../db/values.ts'
import { type ItemRow, itemShape } from './item-row.ts'

/** The column that ranks the files; each has an index of its own. */
type Rank = 'updated_at' | 'size'

/** The most files per query. */
const sliceSize = 2000
/** The most queries per space for one page; a page may have fewer files than asked for, and the next goes on. */
export const slicesPerPage = 2

const orderOf = (rank: Rank) => [`f.${rank}`, 'f.id']
/** Files of a space that were not trashed themselves. */
const ofSpace = ['f.space_id = $1', 'f.deleted_at IS NULL', 'f.is_directory = 0']

/** A file's place in the order. */
export interface RankedPlace {
  /** Milliseconds or bytes. */
  value: number
  id: number
}

export const placeOf = (rank: Rank, row: ItemRow): RankedPlace => ({ value: row[rank], id: row.id })
export const byHighest = (a: RankedPlace, b: RankedPlace): number => b.value - a.value || b.id - a.id

/** The first file after a slice; null for the last slice. Read from the index only. */
async function findEnd(
  db: Database,
  spaceId: number,
  rank: Rank,
  start: RankedPlace | null,
): Promise<RankedPlace | null> {
  const { conditions, values } = sliceOf(spaceId, rank, start, null)
  const row = await db.row<RankedPlace>(
    `SELECT f.${rank} AS value, f.id FROM files f WHERE ${conditions}
     ORDER BY ${orderBy(orderOf(rank), 'desc')} LIMIT 1 OFFSET ${sliceSize}`,
    values,
  )
  return row ?? null
}

/** The files from `start` on, highest first, up to but excluding `end`. */
function sliceOf(spaceId: number, rank: Rank, start: RankedPlace | null, end: RankedPlace | null) {
  const binds = createBinds(spaceId)
  const order = orderOf(rank)
  const conditions = [...ofSpace]
  // Ids are integers, so id + 1 includes the start itself.
  if (start !== null) conditions.push(afterCondition(order, [start.value, start.id + 1], 'desc', binds.add))
  if (end !== null) conditions.push(afterCondition(order, [end.value, end.id], 'asc', binds.add))
  return { conditions: conditions.join(' AND '), values: binds.values }
}

export interface Highest {
  rows: ItemRow[]
  /** The first file that was not read; null if all were read, or enough found. */
  end: RankedPlace | null
}

export interface Wanted {
  count: number
  start?: RankedPlace | null
  /** Default: as many as it takes. */
  slices?: number
  /** MIME types, '' for none; default: all. */
  types?: readonly string[]
  /** Only files whose content another live file of the space that the user sees has, too. Empty files do not count. */
  isTwice?: boolean
}

/** One look into an index for each row of a slice, however many files have the content. */
const isThereTwice = (user: string): string =>
  `f.size > 0 AND EXISTS (SELECT 1 FROM files g WHERE g.space_id = f.space_id AND g.blob_id = f.blob_id
   AND g.live_parent IS NOT NULL AND g.id <> f.id AND ${shownRow(everything, user, 'g')})`

/**
 * The highest live files of a space that a user sees, from `start` on. Files trashed with their folder have to be
 * skipped one by one. Slices keep a trashed folder of a million files from blocking a connection for seconds.
 */
export async function readHighest(
  db: Database,
  spaceId: number,
  userId: number,
  rank: Rank,
  { count, start = null, slices = Number.POSITIVE_INFINITY, types, isTwice }: Wanted,
): Promise<Highest> {
  const rows: ItemRow[] = []
  let from = start
  for (let slice = 0; slice < slices; slice++) {
    const end = await findEnd(db, spaceId, rank, from)
    const { conditions, values } = sliceOf(spaceId, rank, from, end)
    const user = `$${values.push(userId)}`
    const shown = shownRow(everything, user) + (isTwice ? ` AND ${isThereTwice(user)}` : '')
    const ofTypes = types === undefined ? '' : `AND ${isOneOf("COALESCE(f.mime_type, '')", types, values.length + 1)}`
    values.push(...(types ?? []))
    const live = await db.page(
      itemShape,
      `FROM files f WHERE ${conditions} AND ${liveRow} AND ${shown} ${ofTypes}
       ORDER BY ${orderBy(orderOf(rank), 'desc')} LIMIT ${count}`,
      values,
    )
    rows.push(...live)
    from = end
    if (end === null || rows.length >= count) return { rows: rows.slice(0, count), end: null }
  }
  return { rows, end: from }
}

/** The place that a cursor of a list leads to; null for the beginning. Throws `invalid_input`. */
export function readPlace(name: string, cursor: string | undefined): RankedPlace | null {
  if (cursor === undefined) return null
  const { after } = decodeCursor(cursor, [{ name, form: ['number', 'number'] }])
  return { value: Number(after[0]), id: Number(after[1]) }
}

export const cursorAt = (name: string, place: RankedPlace | null): string | null =>
  place === null ? null : encodeCursor(name, [place.value, place.id])
