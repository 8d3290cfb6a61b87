/** The folder in which a transfer brings the items of a user, named after the user: the wrapper. */
import { nameProblem } from '../api/names.ts'
import type { Database } from '../db/database.ts'
import { findFreeName } from './free-name.ts'
import { nameColumns } from './item-name.ts'
import { addToCounters, charge } from './space.ts'

interface Holder {
  userId: number
  spaceId: number
}

export interface Handover {
  from: Holder & { username: string }
  to: Holder
}

/** The columns of a moved row; it is not a favourite of the receiver. */
export const placeOf = ({ to }: Handover) => ({ space_id: to.spaceId, is_favorite: 0 }) as const

/** The username if it is a valid folder name, else `user-<id>`. */
function folderNameOf({ userId, username }: Handover['from']): string {
  const name = username.normalize('NFC').replaceAll('/', '_')
  return nameProblem(name) === null ? name : `user-${userId}`
}

/** The wrapper of a transfer that has begun, and whose it is; undefined if there is none, or its receiver is gone. */
export const findBegun = (
  db: Database,
  { spaceId, userId }: Holder,
): Promise<{ id: number; owner_id: number } | undefined> =>
  db.row(
    `SELECT f.id, f.owner_id FROM spaces s JOIN files f ON f.id = s.transfer_folder_id AND f.space_id = s.id
     WHERE s.id = $1 AND f.owner_id <> $2`,
    [spaceId, userId],
  )

/** Whether a transfer of a space has begun and not ended. */
export const isTransferred = async (db: Database, spaceId: number): Promise<boolean> =>
  (await db.row('SELECT id FROM spaces WHERE id = $1 AND transfer_folder_id IS NOT NULL', [spaceId])) !== undefined

/** Notes the wrapper of a space; null: no transfer is under way any more. */
export const markWrapper = (db: Database, { spaceId }: Holder, id: number | null): Promise<unknown> =>
  db.update(db.spaces, { transfer_folder_id: id }, spaceId)

/**
 * Finds or creates the wrapper, a folder named after the user. It stays in the old space, where nobody can change it,
 * until everything else has moved. Its owner is the receiver. The space names it, so that a transfer can be resumed.
 */
export async function findWrapper(db: Database, { from, to }: Handover): Promise<number> {
  const begun = await findBegun(db, from)
  if (begun !== undefined) {
    // Another user gets the rest than the one to whom it was to go first.
    if (begun.owner_id !== to.userId) await db.update(db.files, { owner_id: to.userId }, begun.id)
    return begun.id
  }
  const name = await findFreeName(db, from.spaceId, null, folderNameOf(from), true)
  const now = Date.now()
  // The quota is not checked, because the wrapper must fit even if the user's quota is used up; it moves later anyway.
  await addToCounters(db, from.spaceId, 0, 1)
  const id = await db.insert(db.files, {
    space_id: from.spaceId,
    owner_id: to.userId,
    parent_id: null,
    ...nameColumns(name, true),
    is_directory: 1,
    size: 0,
    modified_at: null,
    created_at: now,
    updated_at: now,
  })
  await markWrapper(db, from, id)
  return id
}

/** Moves the wrapper to the receiver's root; returns its name there. */
export async function moveWrapper(db: Database, handover: Handover, id: number): Promise<string> {
  const name = await findFreeName(db, handover.to.spaceId, null, folderNameOf(handover.from), true)
  await db.update(db.files, { ...placeOf(handover), owner_id: handover.to.userId, ...nameColumns(name, true) }, id)
  await markWrapper(db, handover.from, null)
  await moveCharge(db, handover, 0, 1)
  return name
}

/** Counts moved items in the one space and no longer in the other. */
export async function moveCharge(db: Database, { from, to }: Handover, bytes: number, items: number): Promise<void> {
  await charge(db, from.spaceId, 0 - bytes, 0 - items)
  // The receiver's quota was checked for everything at the start.
  await addToCounters(db, to.spaceId, bytes, items)
}
