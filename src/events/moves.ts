/** Reads from which folders items were moved. */
import type { Database } from '../db/database.ts'
import { type EventRow, eventDetail } from '../db/models/events.ts'
import { readStored } from '../db/stored-json.ts'
import { groupsAtOnce, readNewest } from './newest.ts'

/** The most moves that are read at once. */
export const mostMoves = 250

interface Move {
  /** ms */
  at: number
  /** The folder; 0 for the root of a space. */
  from: number
}

/** The last moves of some items since a time (ms), the newest first. Of each item only its last ones are looked at. */
export async function findMoves(db: Database, ids: readonly number[], since: number): Promise<Move[]> {
  const rows: EventRow[] = []
  for (let start = 0; start < ids.length; start += groupsAtOnce) {
    const some = ids.slice(start, start + groupsAtOnce)
    const groups = some.map((_, n) => `item_id = $${n + 2} AND action = 'file.move' AND at >= $1`)
    rows.push(...(await readNewest(db, groups, [since, ...some], mostMoves)))
  }
  const newest = rows.sort((a, b) => b.at - a.at || b.id - a.id).slice(0, mostMoves)
  return newest.map(({ id, at, detail }) => {
    const from = detail === null ? null : readStored(eventDetail, detail, `events ${id}`)?.from
    return { at, from: typeof from === 'number' ? from : 0 }
  })
}
