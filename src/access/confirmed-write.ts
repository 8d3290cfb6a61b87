/** The door for changes of users, roles, keys and whatever else administers the server. */
import type { Database } from '../db/database.ts'
import { lockRoles } from '../db/lock-roles.ts'
import type { Recorder } from '../db/write.ts'
import { type Principal, writeActor } from './actor.ts'
import { confirmActor } from './confirm-actor.ts'

/**
 * A write() whose actor is looked at once more, behind lockRoles: between admission and commit lie a body that may come
 * slowly and hashes that wait their turn, and who was disabled or demoted in that time changes nothing any more. What
 * `work` then asks of `actor` is true until the commit. Throws `unauthenticated` and `forbidden`.
 */
export const confirmedWrite = <T>(db: Database, actor: Principal, work: (record: Recorder) => Promise<T>): Promise<T> =>
  db.write(writeActor(actor), async record => {
    await lockRoles(db)
    await confirmActor(db, actor, actor.permissions)
    return work(record)
  })
