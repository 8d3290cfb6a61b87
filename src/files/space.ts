/** A space's own row: its counters, its quota and its revision. */
import { liveRow } from '../access/policy.ts'
import type { Database } from '../db/database.ts'
import { AppError, accountGone } from '../errors.ts'

export async function findRevision(db: Database, spaceId: number): Promise<number> {
  const row = await db.row<{ revision: number }>('SELECT revision FROM spaces WHERE id = $1', [spaceId])
  return row?.revision ?? 0
}

export const quotaExceeded = (): AppError => new AppError('quota_exceeded', 'Storage quota exceeded')

/** Bytes that the space may still take; below zero where the quota was lowered. Throws `unauthenticated`. */
export async function findRoom(db: Database, spaceId: number): Promise<number> {
  const row = await db.row<{ room: number }>('SELECT storage_quota - storage_used AS room FROM spaces WHERE id = $1', [
    spaceId,
  ])
  if (row === undefined) throw accountGone()
  return row.room
}

/** False for a space that has gone with its user. */
export const hasSpace = async (db: Database, spaceId: number): Promise<boolean> =>
  (await db.row('SELECT id FROM spaces WHERE id = $1', [spaceId])) !== undefined

/** Bytes of the space's largest live file. */
export async function findLargestSize(db: Database, spaceId: number): Promise<number> {
  // Not MAX, which would read every row of the space.
  const row = await db.row<{ size: number }>(
    `SELECT f.size FROM files f WHERE f.space_id = $1 AND ${liveRow} AND f.is_directory = 0 ORDER BY f.size DESC LIMIT 1`,
    [spaceId],
  )
  return row?.size ?? 0
}

/**
 * Adds bytes and items to the space's counters, checking the quota in the same statement. Throws `quota_exceeded`, and
 * `unauthenticated` for a space that is gone: it goes only with its user. What takes bytes away always fits.
 */
export async function charge(db: Database, spaceId: number, bytes: number, items: number): Promise<void> {
  const changed = await db.change(
    `UPDATE spaces SET storage_used = storage_used + $1, item_count = item_count + $2
     WHERE id = $3 AND ($1 <= 0 OR storage_used + $1 <= storage_quota)`,
    [bytes, items, spaceId],
  )
  if (changed === 0) throw (await hasSpace(db, spaceId)) ? quotaExceeded() : accountGone()
}
