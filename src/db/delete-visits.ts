/** Deletes visits of links in slices, so that no other write waits long, however many there are. */
import type { Bind } from './connections.ts'
import type { Database } from './database.ts'

/** Visits that one write deletes. */
const visitsAtOnce = 100

interface VisitKey {
  hash: string
  item_id: number
}

/** Deletes visits inside a write. */
export async function deleteVisits(db: Database, visits: readonly VisitKey[]): Promise<void> {
  if (visits.length === 0) return
  const keys = visits.map((_, index) => `(hash = $${2 * index + 1} AND item_id = $${2 * index + 2})`)
  await db.change(
    `DELETE FROM link_visits WHERE ${keys.join(' OR ')}`,
    visits.flatMap(({ hash, item_id }) => [hash, item_id]),
  )
}

/** Deletes, inside a write, some of the visits `v` that `rest` selects; returns whether there may be more. */
async function deleteSome(db: Database, rest: string, values: readonly Bind[]): Promise<boolean> {
  const visits = await db.rows<VisitKey>(`SELECT v.hash, v.item_id FROM ${rest} LIMIT ${visitsAtOnce}`, values)
  await deleteVisits(db, visits)
  return visits.length === visitsAtOnce
}

/**
 * Deletes, inside a write, some visits of the links `l` of a condition; returns whether there may be more. Call it before
 * links are deleted, or what they are on, and delete these only when there are no more: their visits go with them.
 */
export const deleteVisitsByLinks = (db: Database, condition: string, values: readonly Bind[]): Promise<boolean> =>
  deleteSome(db, `links l JOIN link_visits v ON v.link_id = l.id WHERE ${condition}`, values)

/** Deletes, inside a write, some of the visits whose time was over at `now` (ms); returns whether there may be more. */
export const deleteVisitsUntil = (db: Database, now: number): Promise<boolean> =>
  deleteSome(db, 'link_visits v WHERE v.expires_at <= $1', [now])
