/** Writes that administer the server: changes of users, roles, keys and the like. */
import type { Database } from '../db/database.ts'
import { lockRoles } from '../db/lock-roles.ts'
import type { Recorder } from '../db/recorder.ts'
import { type Principal, writeActor } from './actor.ts'
import { confirmActor } from './confirm-actor.ts'

/**
 * Runs a write() that takes lockRoles and then checks its actor again. A request body may arrive slowly and hashes may
 * wait in their queue, so the actor may have been disabled or demoted since admission; then nothing is changed.
 * Whatever `work` checks about `actor` stays true until the commit. Throws `unauthenticated` and `forbidden`.
 */
export const confirmedWrite = <T>(db: Database, actor: Principal, work: (record: Recorder) => Promise<T>): Promise<T> =>
  db.write(writeActor(actor), async record => {
    await lockRoles(db)
    await confirmActor(db, actor, actor.permissions)
    return work(record)
  })

/** Runs the next write of a change that goes in slices. Throws if the change may not go on. */
export type SliceWrite = <T>(work: (record: Recorder) => Promise<T>) => Promise<T>
