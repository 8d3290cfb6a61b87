/** Reads from which folders items were moved. */
import type { Database } from '../db/database.ts'
import { type EventRow, eventDetail } from '../db/models/events.ts'
import { readStored } from '../db/stored-json.ts'
import { isOneOf } from '../db/values.ts'

/** The most moves that are read at once. */
export const mostMoves = 250

interface Move {
  /** ms */
  at: number
  /** The folder; 0 for the root of a space. */
  from: number
}

/** The last moves of some items since a time (ms), the newest first. */
export async function findMoves(db: Database, ids: readonly number[], since: number): Promise<Move[]> {
  const rows = await db.rows<Pick<EventRow, 'id' | 'at' | 'detail'>>(
    `SELECT id, at, detail FROM events WHERE ${isOneOf('item_id', ids)} AND action = 'file.move'
       AND at >= $${ids.length + 1} ORDER BY at DESC, id DESC LIMIT ${mostMoves}`,
    [...ids, since],
  )
  return rows.map(({ id, at, detail }) => {
    const from = detail === null ? null : readStored(eventDetail, detail, `events ${id}`)?.from
    return { at, from: typeof from === 'number' ? from : 0 }
  })
}
