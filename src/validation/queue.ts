/** The validation queue: pending files of all users. */
import type { Principal } from '../access/actor.ts'
import { liveRow } from '../access/policy.ts'
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
    `SELECT ${itemColumns}, u.username AS owner, b.sha256
       FROM files f JOIN users u ON u.id = f.owner_id JOIN blobs b ON b.id = f.blob_id
     WHERE ${isWaiting} AND f.id > $1 ${owner === undefined ? '' : 'AND u.username = $2'}
     ORDER BY f.id LIMIT ${limit}`,
    owner === undefined ? [after] : [after, owner],
  )
  const items = await presentItems(
    db,
    actor,
    rows.map(row => addStanding(row, null)),
  )
  return rows.flatMap((row, index) => {
    const item = items[index]
    return item === undefined ? [] : [{ ...item, owner: row.owner, sha256: row.sha256 }]
  })
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
