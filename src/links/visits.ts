/** What a visitor's browser has unlocked: a link whose password it gave, or a content whose download was counted. */
import { linkVisitLifetime } from '../api/limits.ts'
import type { Database } from '../db/database.ts'

/** Whether a browser's hash has unlocked a link (item 0), or its ticket the content of an item. */
export async function hasVisit(db: Database, linkId: number, hash: string | null, itemId: number): Promise<boolean> {
  if (hash === null) return false
  const row = await db.cached(`visit ${hash} ${itemId}`, () =>
    db.row<{ link_id: number; expires_at: number }>(
      'SELECT link_id, expires_at FROM link_visits WHERE hash = $1 AND item_id = $2',
      [hash, itemId],
    ),
  )
  return row !== undefined && row.link_id === linkId && row.expires_at > Date.now()
}

/** The hash of a browser's cookie if it is of a visit of that link; null for any other. */
export async function findOwnVisit(db: Database, linkId: number, hash: string | null): Promise<string | null> {
  const row = await db.row('SELECT hash FROM link_visits WHERE hash = $1 AND link_id = $2 LIMIT 1', [hash, linkId])
  return row === undefined ? null : hash
}

/** Notes inside a touch what a browser may do for the next 24 hours. */
export async function addVisit(db: Database, linkId: number, hash: string, itemId: number): Promise<void> {
  await db.change('DELETE FROM link_visits WHERE hash = $1 AND item_id = $2', [hash, itemId])
  await db.insertAll(db.linkVisits, [
    { hash, item_id: itemId, link_id: linkId, expires_at: Date.now() + linkVisitLifetime },
  ])
}

/** Deletes the visits whose time is over. */
export const deleteEndedVisits = (db: Database, now = Date.now()): Promise<number> =>
  db.touch(() => db.change('DELETE FROM link_visits WHERE expires_at <= $1', [now]))
