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
/** The first look, which is enough for most spaces. */
const firstBack = 20

/** The times and revisions of a space's newest events, the newest first. */
const findNewest = (db: Database, spaceId: number, count: number): Promise<{ at: number; revision: number }[]> =>
  db.rows(
    `SELECT at, revision FROM events ${indexFor(db.dialect, 'events_revision', true)} WHERE space_id = $1 AND revision >= 0
     ORDER BY revision DESC, id DESC LIMIT ${count}`,
    [spaceId],
  )

/** The revision that a space had at a time (ms), as far as its newest 1,000 events tell; null for the present one. */
async function findRevisionAt(db: Database, spaceId: number, at: number): Promise<number | null> {
  let rows = await findNewest(db, spaceId, firstBack)
  if (rows.length === firstBack && rows.every(row => row.at >= at)) rows = await findNewest(db, spaceId, mostBack)
  const first = rows.findLast(row => row.at >= at)
  return first === undefined ? null : first.revision - 1
}

/** The revision that each space had at a time (ms), by id: of one with more than 1,000 events since, a later one. */
export async function findRevisionsAt(
  db: Database,
  spaces: readonly number[],
  at: number,
): Promise<Map<number, number>> {
  const revisions = await findRevisions(db, spaces)
  // The present revision may be that of a step without an event, so the newest event tells.
  const changed = await db.rows<{ id: number }>(
    `SELECT id FROM spaces WHERE ${isOneOf('id', spaces, 2)} AND
       (SELECT at FROM events ${indexFor(db.dialect, 'events_revision', true)} WHERE space_id = spaces.id AND revision >= 0
        ORDER BY revision DESC, id DESC LIMIT 1) >= $1
     ORDER BY id`,
    [at, ...spaces],
  )
  for (const { id } of changed) revisions.set(id, (await findRevisionAt(db, id, at)) ?? revisions.get(id) ?? 0)
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
