/** The validation queue: pending files of all users. */
import type { Principal } from '../access/actor.ts'
import { liveRow } from '../access/policy.ts'
import { byReview } from '../access/standing.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import { maxPageSize, maxPendingShown } from '../api/limits.ts'
import type { listPending as endpoint, PendingFile, PendingOwner } from '../api/validation.ts'
import type { Database } from '../db/database.ts'
import { type ItemRow, itemColumns } from '../files/item-row.ts'
import { presentItems } from '../files/present.ts'
import { addStanding } from '../files/surroundings.ts'

interface PendingRow extends ItemRow {
  owner: string
  sha256: string
  space_kind: 'personal' | 'team'
  space_owner: string
  link_label: string | null
}

const isWaiting = `f.validation_status = 'pending' AND ${liveRow} AND f.is_directory = 0`

/**
 * A page of the queue, oldest first: pending files with an id above `after`, of one owner or of all. The file `after`
 * itself need not be pending any more.
 */
export async function listPending(
  db: Database,
  actor: Principal,
  { limit = maxPageSize, after = 0, owner }: ParsedInputOf<typeof endpoint> = {},
): Promise<PendingFile[]> {
  const rows = await db.rows<PendingRow>(
    `SELECT ${itemColumns}, u.username AS owner, b.sha256, sp.kind AS space_kind, so.username AS space_owner,
         l.label AS link_label
       FROM files f JOIN users u ON u.id = f.owner_id JOIN blobs b ON b.id = f.blob_id
         JOIN spaces sp ON sp.id = f.space_id JOIN users so ON so.id = sp.owner_id
         LEFT JOIN links l ON l.id = f.received_by
     WHERE ${isWaiting} AND f.id > $1 ${owner === undefined ? '' : 'AND u.username = $2'}
     ORDER BY f.id LIMIT ${limit}`,
    owner === undefined ? [after] : [after, owner],
  )
  const seen = rows.map(row => addStanding(row, byReview))
  const items = new Map((await presentItems(db, actor, seen)).items.map(item => [item.id, item]))
  return rows.flatMap(row => {
    const item = items.get(row.id)
    return item === undefined ? [] : [{ ...item, ...waitingOf(row) }]
  })
}

/** What the queue tells of a file besides the item. */
function waitingOf({ owner, sha256, space_kind: kind, space_owner, received_by, link_label }: PendingRow) {
  const space = { kind, owner: kind === 'team' ? null : space_owner }
  // 0 is a drop box; -1 is an account that is gone.
  const by_link = received_by !== null && received_by > 0 ? { id: received_by, label: link_label } : null
  return { owner, space, by_link, sha256 }
}

/** A text that is another one once a file has joined or left the queue, or has other content; of the first 5,000. */
export async function findQueueMark(db: Database): Promise<string> {
  const row = await db.row<{ count: number; last: number | null; changed: number | null }>(
    `SELECT COUNT(*) AS count, MAX(id) AS last, MAX(updated_at) AS changed FROM
       (SELECT f.id, f.updated_at FROM files f WHERE ${isWaiting} LIMIT ${maxPendingShown}) waiting`,
  )
  return [row?.count, row?.last, row?.changed].join(' ')
}

/** The number of pending files, at most `maxPendingShown`; the cap keeps counting fast if the queue is flooded. */
export async function countPending(db: Database): Promise<number> {
  const row = await db.row<{ count: number }>(
    `SELECT COUNT(*) AS count FROM (SELECT 1 AS one FROM files f WHERE ${isWaiting} LIMIT ${maxPendingShown}) waiting`,
  )
  return row?.count ?? 0
}

/** The owners of pending files, sorted by name, each with their number of pending files. */
export const findPendingOwners = (db: Database): Promise<PendingOwner[]> =>
  db.rows<PendingOwner>(
    `SELECT u.username AS owner, waiting.count FROM users u
       JOIN (SELECT f.owner_id, COUNT(*) AS count FROM files f WHERE ${isWaiting} GROUP BY f.owner_id) waiting
         ON waiting.owner_id = u.id
     ORDER BY u.username`,
  )
