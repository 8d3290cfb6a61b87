/** Looks once more at who was let in: what they may can end while a request lasts. */
import type { Permission } from '../api/permissions.ts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import type { Principal } from './actor.ts'
import { findLiveKey } from './key-account.ts'
import { findSessionAccount, permissionsOf } from './sessions.ts'

/** Why somebody who was let in is refused. */
export const endedMeanwhile = (): AppError => new AppError('unauthenticated', 'Your access has ended meanwhile')

/**
 * Throws `unauthenticated` where the actor's session or key has ended, `forbidden` where they hold one of `permissions`
 * no more.
 */
export async function confirmActor(
  db: Database,
  { key, sessionId }: Principal,
  permissions: Iterable<Permission>,
): Promise<void> {
  // At the terminal there is no sign-in that could have ended.
  if (key === null && sessionId === null) return
  const account = await (key === null ? findSessionAccount(db, sessionId) : findLiveKey(db, key.id))
  if (account === undefined) throw endedMeanwhile()
  const held = new Set(permissionsOf(account))
  if (![...permissions].every(permission => held.has(permission))) {
    throw new AppError('forbidden', 'Your rights have just changed, try again')
  }
}
