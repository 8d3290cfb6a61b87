/**
 * Refuses what is on its way to another user. A transfer (files/transfer.ts) moves what lies in a folder before the
 * folder itself, so until it ends, a look into the folder would show a part as the whole.
 */
import { AppError, notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'

/** The refusal of an item in transit; all others may still be used. */
export class InTransit extends AppError {
  constructor() {
    super('unavailable', 'This is being transferred to another user, try again', { retryAfter: 5 })
  }
}

/** Whether a space `sp` gives its items away, as an SQL value (0 or 1). */
export const isLeaving = 'CASE WHEN sp.transfer_folder_id IS NULL THEN 0 ELSE 1 END'

/**
 * Throws `unavailable` if a folder (null: the root) has left a space since it was found there, or the space gives its
 * items away, and `not_found` if it is gone. Readers of several rows call it after their reads, which lack what has gone
 * ahead.
 */
export async function confirmPlace(db: Database, spaceId: number, folderId: number | null): Promise<void> {
  const [from, id] =
    folderId === null
      ? ['spaces sp WHERE sp.id = $1', spaceId]
      : ['files f JOIN spaces sp ON sp.id = f.space_id WHERE f.id = $1', folderId]
  const read = () =>
    db.row<{ space_id: number; is_leaving: 0 | 1 }>(
      `SELECT sp.id AS space_id, ${isLeaving} AS is_leaving FROM ${from}`,
      [id],
    )
  const row = await db.cached(`place ${spaceId} ${folderId}`, read)
  if (row === undefined) throw notFound('Folder')
  if (row.space_id !== spaceId || row.is_leaving === 1) throw new InTransit()
}

interface TransferRow {
  from_id: number
  /** Null: the receiver is gone. */
  to_id: number | null
}

const readTransfers = (db: Database): Promise<TransferRow[]> =>
  db.rows(
    `SELECT sp.id AS from_id, own.id AS to_id FROM spaces sp LEFT JOIN files f ON f.id = sp.transfer_folder_id
       LEFT JOIN spaces own ON own.owner_id = f.owner_id AND own.kind = 'personal'
     WHERE sp.transfer_folder_id IS NOT NULL ORDER BY sp.id`,
  )

/**
 * The ids of the spaces that give their items away now, as far as these come from or go to one of some spaces. Meanwhile
 * lists lack what is on the way.
 */
export async function findTransfers(db: Database, spaces: readonly number[]): Promise<number[]> {
  const rows = await db.cached('transfers', () => readTransfers(db))
  const isMeant = (id: number | null) => id !== null && spaces.includes(id)
  return rows.filter(row => isMeant(row.from_id) || isMeant(row.to_id)).map(row => row.from_id)
}
