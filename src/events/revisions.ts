/** Reads the order of the changes of spaces: their revisions, and the events that bear them. */
import type { Database } from '../db/database.ts'
import { afterCondition, createBinds, indexFor, orderBy } from '../db/keyset.ts'
import type { EventRow } from '../db/models/events.ts'
import { isOneOf } from '../db/values.ts'

/** A place in a space's order: everything up to the event `id` of a revision was read; null for all of it. */
export interface Position {
  revision: number
  id: number | null
}

/** An event of a space. */
export type SpaceEvent = EventRow & { space_id: number; revision: number }

const order = ['revision', 'id']
/** Behind all events of a revision. */
const lastId = Number.MAX_SAFE_INTEGER

/** The present revisions of spaces, by id. */
export async function findRevisions(db: Database, spaces: readonly number[]): Promise<Map<number, number>> {
  const rows = await db.rows<{ id: number; revision: number }>(
    `SELECT id, revision FROM spaces WHERE ${isOneOf('id', spaces)} ORDER BY id`,
    spaces,
  )
  return new Map(rows.map(({ id, revision }) => [id, revision]))
}

/** Events per space that are looked at for an earlier revision: more than a follower is told one by one. */
const mostBack = 1000

/** The revision that each space had at a time (ms), by id: of one with more than 1,000 events since, a later one. */
export async function findRevisionsAt(
  db: Database,
  spaces: readonly number[],
  at: number,
): Promise<Map<number, number>> {
  const revisions = await findRevisions(db, spaces)
  const index = indexFor(db.dialect, 'events_revision', true)
  const changed = await db.rows<{ id: number }>(
    `SELECT id FROM spaces WHERE ${isOneOf('id', spaces, 2)} AND
       (SELECT MAX(at) FROM events ${index} WHERE space_id = spaces.id AND revision = spaces.revision) >= $1
     ORDER BY id`,
    [at, ...spaces],
  )
  for (const { id } of changed) {
    const rows = await db.rows<{ at: number; revision: number }>(
      `SELECT at, revision FROM events ${index} WHERE space_id = $1 AND revision <= $2
       ORDER BY revision DESC, id DESC LIMIT ${mostBack}`,
      [id, revisions.get(id) ?? 0],
    )
    const first = rows.findLast(row => row.at >= at)
    if (first !== undefined) revisions.set(id, first.revision - 1)
  }
  return revisions
}

/** The first events of a space behind a position, up to a revision. */
export function findEventsAfter(
  db: Database,
  spaceId: number,
  { revision, id }: Position,
  last: number,
  count: number,
): Promise<SpaceEvent[]> {
  const binds = createBinds(spaceId, last)
  const after = afterCondition(order, [revision, id ?? lastId], 'asc', binds.add)
  return db.rows<SpaceEvent>(
    `SELECT * FROM events ${indexFor(db.dialect, 'events_revision', true)}
     WHERE space_id = $1 AND revision <= $2 AND ${after}
     ORDER BY ${orderBy(order, 'asc')} LIMIT ${count}`,
    binds.values,
  )
}
