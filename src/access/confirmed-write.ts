/** The door for changes of users, roles, keys and whatever else administers the server. */
import type { Database } from '../db/database.ts'
import { lockRoles } from '../db/lock-roles.ts'
import type { Recorder } from '../db/write.ts'
import { AppError } from '../errors.ts'
import { type Actor, writeActor } from './actor.ts'
import { type AccountRow, accountColumns, permissionsOf } from './sessions.ts'

const liveSession = 'SELECT 1 FROM sessions x WHERE x.id = $2 AND x.expires_at > $3'
const liveKey =
  'SELECT 1 FROM api_keys k WHERE k.id = $2 AND k.is_active = 1 AND (k.expires_at IS NULL OR k.expires_at > $3)'

/** Throws `unauthenticated` or `forbidden` where the actor is no longer what they were when the request was let in. */
async function confirmActor(db: Database, actor: Actor): Promise<void> {
  const [credential, id] = actor.key === null ? [liveSession, actor.sessionId] : [liveKey, actor.key.id]
  const account = await db.row<AccountRow>(
    `SELECT ${accountColumns} FROM users u WHERE u.id = $1 AND u.is_active = 1 AND EXISTS (${credential})`,
    [actor.userId, id, Date.now()],
  )
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
export const confirmedWrite = <T>(db: Database, actor: Actor, work: (record: Recorder) => Promise<T>): Promise<T> =>
  db.write(writeActor(actor), async record => {
    await lockRoles(db)
    await confirmActor(db, actor)
    return work(record)
  })
