/** The queue of files that wait for approval, of all users. */
import type { Administrator } from '../access/actor.ts'
import { liveRow } from '../access/policy.ts'
import { maxPendingShown } from '../api/limits.ts'
import type { PendingFile } from '../api/validation.ts'
import type { Database } from '../db/database.ts'
import { type ItemRow, itemColumns } from '../files/find.ts'
import { hideMarks, presentItems } from '../files/present.ts'

interface PendingRow extends ItemRow {
  owner: string
  sha256: string
}

/** The oldest first. */
export async function listPending(db: Database, actor: Administrator): Promise<PendingFile[]> {
  const rows = await db.rows<PendingRow>(
    `SELECT ${itemColumns}, u.username AS owner, b.sha256
       FROM files f JOIN users u ON u.id = f.owner_id JOIN blobs b ON b.id = f.blob_id
     WHERE f.validation_status = 'pending' AND ${liveRow} AND f.is_directory = 0
     ORDER BY f.created_at, f.id LIMIT ${maxPendingShown}`,
  )
  const items = await presentItems(db, rows)
  return rows.flatMap((row, index) => {
    const item = items[index]
    return item === undefined ? [] : [{ ...hideMarks(actor, row, item), owner: row.owner, sha256: row.sha256 }]
  })
}
