/** Lists the changes of the places that somebody sees, in order, page by page. */
import type { Actor } from '../access/actor.ts'
import type { Change, listChanges as endpoint } from '../api/changes.ts'
import type { OutputOf, ParsedInputOf } from '../api/endpoint.ts'
import { changesPageSize, maxEventPageBytes } from '../api/limits.ts'
import { day, second } from '../base/clock.ts'
import { notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import { bytesOf } from '../events/list.ts'
import { findEventsAfter, findRevisions, type Position } from '../events/revisions.ts'
import { decodeFeed, encodeFeed, type FeedCursor } from './feed-cursor.ts'
import { findLivePlaces, type LivePlaces } from './places.ts'
import { openShown } from './shown.ts'

type Feed = OutputOf<typeof endpoint>

/** Events per query, and queries per page: a page among others' changes, which it does not show, ends early. */
const sliceSize = 250
const slicesPerPage = 40
/** ms after which a page ends, whatever it has: what lies deep in others' folders takes long to look at. */
const timeOfPage = 2 * second

/** Whether a backup was restored since a time (ms): what the reader knows may never have been. */
const wasRestored = async (db: Database, since: number): Promise<boolean> =>
  (await db.row(
    "SELECT id FROM events WHERE item_id IS NULL AND action = 'backup.restore' AND at >= $1 ORDER BY at LIMIT 1",
    [since],
  )) !== undefined

/** Whether the changes behind a cursor cannot be told completely. */
async function isCut({ db, clock, config }: Deps, cursor: FeedCursor, { mark }: LivePlaces, ends: Map<number, number>) {
  const isBroken = [...ends].some(([id, revision]) => (cursor.positions.get(id)?.revision ?? revision + 1) > revision)
  const isOld = cursor.at < clock.now() - config.auditDays * day
  return isBroken || isOld || cursor.mark !== mark || (await wasRestored(db, cursor.at))
}

/** Reads one page: the spaces one after the other, each from its position up to its present end. */
async function readPage(
  db: Database,
  show: ReturnType<typeof openShown>,
  starts: FeedCursor['positions'],
  ends: ReadonlyMap<number, number>,
  count: number,
): Promise<{ changes: Change[]; positions: Map<number, Position> }> {
  const positions = new Map(starts)
  const changes: Change[] = []
  let [bytes, slices] = [maxEventPageBytes, slicesPerPage]
  const end = performance.now() + timeOfPage
  for (const [spaceId, last] of ends) {
    for (;;) {
      const start = positions.get(spaceId)
      if (start === undefined || (start.revision === last && start.id === null)) break
      if (slices-- === 0 || performance.now() > end) return { changes, positions }
      const rows = await findEventsAfter(db, spaceId, start, last, sliceSize)
      const shown = await show(rows)
      for (const [index, row] of rows.entries()) {
        const change = shown[index] ?? null
        if (change !== null) {
          bytes -= bytesOf(row)
          if (changes.length === count || (bytes < 0 && changes.length > 0)) return { changes, positions }
          changes.push(change)
        }
        positions.set(spaceId, { revision: row.revision, id: row.id })
      }
      if (rows.length < sliceSize) positions.set(spaceId, { revision: last, id: null })
    }
  }
  return { changes, positions }
}

/**
 * The changes since a cursor in the places that the actor sees, or in one space. In each space they have the order in
 * which they were committed, and none is missing. Throws `not_found` for a space in which the actor sees nothing, and
 * `invalid_input` for a cursor of other input.
 */
export async function listChanges(deps: Deps, actor: Actor, input: ParsedInputOf<typeof endpoint>): Promise<Feed> {
  const { db, clock } = deps
  const { space: only, since, limit = changesPageSize } = input
  const at = clock.now()
  const places = await findLivePlaces(db, actor)
  if (only !== undefined && !places.spaces.includes(only)) throw notFound('Space')
  const cursor = since === undefined ? null : decodeFeed(only, since)
  // The ends are read first, so nothing behind a returned position was committed before it.
  const ends = await findRevisions(db, only === undefined ? places.spaces : [only])
  const toEnd = new Map([...ends].map(([id, revision]): [number, Position] => [id, { revision, id: null }]))
  const answer = (changes: Change[], positions: FeedCursor['positions'], reset: boolean, age = at): Feed => ({
    changes,
    cursor: encodeFeed(only, { at: age, mark: places.mark, positions }),
    reset,
  })
  if (cursor === null) return answer([], toEnd, false)
  if (await isCut(deps, cursor, places, ends)) return answer([], toEnd, true)
  const starts = new Map(
    [...ends.keys()].flatMap(id => {
      const start = cursor.positions.get(id)
      return start === undefined ? [] : [[id, start] as const]
    }),
  )
  const { changes, positions } = await readPage(db, openShown(db, actor, places.teams), starts, ends, limit)
  const isAtEnd = [...positions].every(([id, { revision, id: next }]) => next === null && revision === ends.get(id))
  // Until all is read, the cursor is as old as what it began with: what is behind it may be deleted by age.
  return answer(changes, positions, false, isAtEnd ? at : cursor.at)
}
