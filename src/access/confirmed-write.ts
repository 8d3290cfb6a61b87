/** The door for changes of users, roles, keys and whatever else administers the server. */
import type { Database } from '../db/database.ts'
import { lockRoles } from '../db/lock-roles.ts'
import type { Recorder } from '../db/write.ts'
import { AppError } from '../errors.ts'
import { type Administrator, writeActor } from './actor.ts'
import { findKeyAccount } from './authenticate.ts'
import { findSessionAccount, permissionsOf } from './sessions.ts'

/** Throws `unauthenticated` or `forbidden` where the actor is no longer what they were when the request was let in. */
async function confirmActor(db: Database, actor: Administrator): Promise<void> {
  const { key, sessionId, userId } = actor
  // At the terminal there is no sign-in that could have ended.
  if (userId === null) return
  const account = await (key === null ? findSessionAccount(db, sessionId) : findKeyAccount(db, key.id))
  if (account === undefined) throw new AppError('unauthenticated', 'Your access has ended meanwhile')
  const held = new Set(permissionsOf(account))
  if (![...actor.permissions].every(permission => held.has(permission))) {
    throw new AppError('forbidden', 'Your rights have just changed, try again')
  }
}

/**
 * A write() whose actor is looked at once more, behind lockRoles: between admission and commit lie a body that may come
 * slowly and hashes that wait their turn, and who was disabled or demoted in that time changes nothing any more. What
 * `work` then asks of `actor` is true until the commit. Throws `unauthenticated` and `forbidden`.
 */
export const confirmedWrite = <T>(
  db: Database,
  actor: Administrator,
  work: (record: Recorder) => Promise<T>,
): Promise<T> =>
  db.write(writeActor(actor), async record => {
    await lockRoles(db)
    await confirmActor(db, actor)
    return work(record)
  })
