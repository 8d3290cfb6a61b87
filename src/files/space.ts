/** A space's own row: its counters, its quota and its revision. */
import { bytesPerItem, leastItems, maxItems } from '../api/limits.ts'
import { AppError, notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { lockSpace } from '../db/lock-space.ts'
import type { SpaceRow } from '../db/models/spaces.ts'

export async function findRevision(db: Database, spaceId: number): Promise<number> {
  const row = await db.row<{ revision: number }>('SELECT revision FROM spaces WHERE id = $1', [spaceId])
  return row?.revision ?? 0
}

/** The refusal of a space's quota. It tells no figures: the quota may be another user's, or a team's. */
export class QuotaExceeded extends AppError {
  constructor(message: string) {
    super('quota_exceeded', message)
  }
}

export const quotaExceeded = (): AppError => new QuotaExceeded('Storage quota exceeded')

const tooManyItems = (): AppError =>
  new QuotaExceeded('The quota allows no more files and folders; those in the trash count too')

export type Quota = Pick<SpaceRow, 'storage_quota' | 'storage_used' | 'storage_reserved' | 'item_count'>

/** Throws `not_found` if the space is gone: it was deleted with its user or its team folder. */
export async function findQuota(db: Database, spaceId: number): Promise<Quota> {
  const row = await db.row<Quota>(
    'SELECT storage_quota, storage_used, storage_reserved, item_count FROM spaces WHERE id = $1',
    [spaceId],
  )
  if (row === undefined) throw notFound('Folder')
  return row
}

/**
 * Throws `quota_exceeded` if the quota does not allow this many more bytes and items. Adding none is always allowed,
 * even if the quota was lowered below the usage.
 */
export function refuseBeyond(
  { storage_quota, storage_used, storage_reserved, item_count }: Quota,
  bytes: number,
  items: number,
): void {
  if (bytes > 0 && storage_used + storage_reserved + bytes > storage_quota) throw quotaExceeded()
  if (items > 0 && item_count + items > maxItems(storage_quota)) throw tooManyItems()
}

/** The same for the current state of a space. Also throws `not_found` if the space is gone. */
export const requireQuota = async (db: Database, spaceId: number, bytes: number, items: number): Promise<void> =>
  refuseBeyond(await findQuota(db, spaceId), bytes, items)

/** Whether a space exists; it is deleted with its user or its team folder. */
export const hasSpace = async (db: Database, spaceId: number): Promise<boolean> =>
  (await db.row('SELECT id FROM spaces WHERE id = $1', [spaceId])) !== undefined

/**
 * Bytes of the space's largest file, live or trashed with its folder; no live file is larger. It is one entry of an
 * index. To look for live files alone would read all that are in the trash with their folders.
 */
export async function findLargestSize(db: Database, spaceId: number): Promise<number> {
  // MAX would read every row of the space.
  const row = await db.row<{ size: number }>(
    `SELECT f.size FROM files f WHERE f.space_id = $1 AND f.deleted_at IS NULL AND f.is_directory = 0
     ORDER BY f.size DESC LIMIT 1`,
    [spaceId],
  )
  return row?.size ?? 0
}

/**
 * Adds bytes and items to the space's counters and checks the quota in the same statement. Negative numbers are always
 * allowed. Throws as `requireQuota`. It changes the revision, because the slices of a deletion or transfer record no
 * events of their own.
 */
export async function charge(db: Database, spaceId: number, bytes: number, items: number): Promise<void> {
  const changed = await db.change(
    `UPDATE spaces SET storage_used = storage_used + $1, item_count = item_count + $2, revision = revision + 1
     WHERE id = $3 AND ($1 <= 0 OR storage_used + storage_reserved + $1 <= storage_quota)
       AND ($2 <= 0 OR item_count + $2 <= ${leastItems} OR (item_count + $2) * ${bytesPerItem} <= storage_quota)`,
    [bytes, items, spaceId],
  )
  if (changed > 0) return
  await requireQuota(db, spaceId, bytes, items)
  throw quotaExceeded()
}

/**
 * Holds bytes free for a user's unfinished upload, and checks the quota in the same statement; with a negative number gives
 * them back. Throws as `requireQuota`.
 */
export async function reserve(db: Database, spaceId: number, bytes: number): Promise<void> {
  if (bytes === 0) return
  await lockSpace(db, spaceId)
  const changed = await db.change(
    `UPDATE spaces SET storage_reserved = storage_reserved + $1
     WHERE id = $2 AND ($1 <= 0 OR storage_used + storage_reserved + $1 <= storage_quota)`,
    [bytes, spaceId],
  )
  if (changed > 0 || bytes <= 0) return
  await requireQuota(db, spaceId, bytes, 0)
  throw quotaExceeded()
}

/** The same without checking the quota, for room that moves from another space. */
export async function addToReserved(db: Database, spaceId: number, bytes: number): Promise<void> {
  await lockSpace(db, spaceId)
  await db.change('UPDATE spaces SET storage_reserved = storage_reserved + $1 WHERE id = $2', [bytes, spaceId])
}

/** As `charge` without checking the quota, for changes that were admitted before. */
export const addToCounters = (db: Database, spaceId: number, bytes: number, items: number): Promise<number> =>
  db.change(
    `UPDATE spaces SET storage_used = storage_used + $1, item_count = item_count + $2, revision = revision + 1
     WHERE id = $3`,
    [bytes, items, spaceId],
  )
