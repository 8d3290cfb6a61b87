/** What a visitor's browser has unlocked: a link whose password it gave, or a content whose download was counted. */
import { setTimeout } from 'node:timers/promises'
import { linkVisitLifetime, maxLinkVisits } from '../api/limits.ts'
import type { Database } from '../db/database.ts'
import { deleteVisits, deleteVisitsByLinks, deleteVisitsUntil } from '../db/delete-visits.ts'
import type { LinkRow } from '../db/models/links.ts'
import { pauseTime } from '../files/slices.ts'

/** A link in the round in which its visits count. */
export type VisitedLink = Pick<LinkRow, 'id' | 'visit_round'>

/** Whether a browser's hash has unlocked a link (item 0), or its ticket the content of an item. */
export async function hasVisit(
  db: Database,
  { id, visit_round }: VisitedLink,
  hash: string | null,
  itemId: number,
): Promise<boolean> {
  if (hash === null) return false
  const row = await db.cached(`visit ${hash} ${itemId}`, () =>
    db.row<{ link_id: number; round: number | null; expires_at: number }>(
      'SELECT link_id, round, expires_at FROM link_visits WHERE hash = $1 AND item_id = $2',
      [hash, itemId],
    ),
  )
  return row !== undefined && row.link_id === id && row.round === visit_round && row.expires_at > Date.now()
}

/** The hash of a browser's cookie if it is of a visit of that link; null for any other. */
export async function findOwnVisit(db: Database, linkId: number, hash: string | null): Promise<string | null> {
  const row = await db.row(
    `SELECT v.hash FROM link_visits v JOIN links l ON l.id = v.link_id
     WHERE v.hash = $1 AND v.link_id = $2 AND COALESCE(v.round, 0) = COALESCE(l.visit_round, 0) LIMIT 1`,
    [hash, linkId],
  )
  return row === undefined ? null : hash
}

/**
 * Notes inside a touch what a browser may do for the next 24 hours, unless the link's visits end before. Where a link has
 * too many, the oldest give way.
 */
export async function addVisit(db: Database, link: VisitedLink, hash: string, itemId: number): Promise<void> {
  await deleteVisits(db, [{ hash, item_id: itemId }])
  await db.insertAll(db.linkVisits, [
    {
      hash,
      item_id: itemId,
      link_id: link.id,
      round: link.visit_round,
      expires_at: Date.now() + linkVisitLifetime,
    },
  ])
  const oldest = await db.rows<{ hash: string; item_id: number }>(
    `SELECT hash, item_id FROM link_visits WHERE link_id = $1
     ORDER BY expires_at DESC LIMIT ${mostGivingWay} OFFSET ${maxLinkVisits}`,
    [link.id],
  )
  await deleteVisits(db, oldest)
}

/** More than one: a link may have more from before there was a limit. */
const mostGivingWay = 10

/**
 * Ends all visits of a link inside a write, and deletes the first of them. Returns whether there may be more; these are of
 * an earlier round, and `deleteOutdated` deletes them after the commit.
 */
export async function endVisits(db: Database, linkId: number): Promise<boolean> {
  await db.change('UPDATE links SET visit_round = COALESCE(visit_round, 0) + 1 WHERE id = $1', [linkId])
  return deleteVisitsByLinks(db, 'l.id = $1', [linkId])
}

/**
 * Deletes a link's visits of earlier rounds in slices. A server of an older version beside this one knows no rounds, and
 * would let them in.
 */
export async function deleteOutdated(db: Database, linkId: number): Promise<void> {
  await deleteInSlices(db, 'l.id = $1 AND COALESCE(v.round, 0) < COALESCE(l.visit_round, 0)', linkId)
}

/** Deletes all visits of a link in slices, so that deleting the link with those that came meanwhile is a short write. */
export const deleteVisitsOf = (db: Database, linkId: number): Promise<void> => deleteInSlices(db, 'l.id = $1', linkId)

async function deleteInSlices(db: Database, condition: string, linkId: number): Promise<void> {
  while (await db.touch(() => deleteVisitsByLinks(db, condition, [linkId]))) await setTimeout(pauseTime)
}

/** Deletes the visits whose time is over, in slices; stops between two when `signal` is aborted. */
export async function deleteEndedVisits(db: Database, signal: AbortSignal, now = Date.now()): Promise<void> {
  while (!signal.aborted && (await db.touch(() => deleteVisitsUntil(db, now)))) await setTimeout(pauseTime)
}
