/** Keeps team folders from losing their last manager. */
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { findManagerIds } from '../spaces/managers.ts'

/**
 * Throws `protected` unless an active user manages the team folder without an end. Call it in the write that holds the
 * space's lock, after the change.
 */
export async function requireManager(db: Database, rootId: number): Promise<void> {
  if ((await findManagerIds(db, rootId)).length > 0) return
  throw new AppError('protected', 'A team folder needs an active manager whose access does not end')
}
