/** The door for changes that a user makes to files, tags and whatever else is theirs. */
import type { Database } from '../db/database.ts'
import type { Recorder } from '../db/write.ts'
import { type Principal, writeActor } from './actor.ts'
import { confirmActor } from './confirm-actor.ts'

/** ms; who was let in no longer ago than this is not asked for again. */
const patience = 20

/**
 * Looks once more at each of the actors of a write that was asked for at `since` (performance.now()), where that is long
 * ago. Throws `unauthenticated` and `forbidden`.
 */
export async function confirmAfterWait(db: Database, since: number, actors: readonly Principal[]): Promise<void> {
  if (performance.now() - since <= patience) return
  const byAccess = new Map(actors.map(actor => [`${actor.sessionId} ${actor.key?.id}`, actor]))
  for (const actor of byAccess.values()) await confirmActor(db, actor, actor.permissions)
}

/**
 * A write() of an actor. Where it had to wait, the actor is looked at once more before it is committed: whoever was
 * disabled, demoted or signed out in that time changes nothing any more. Throws `unauthenticated` and `forbidden` then.
 */
export function actorWrite<T>(db: Database, actor: Principal, work: (record: Recorder) => Promise<T>): Promise<T> {
  const asked = performance.now()
  return db.write(writeActor(actor), async record => {
    const result = await work(record)
    // Behind the work, which on MariaDB waits for the locks of the rows that it changes.
    await confirmAfterWait(db, asked, [actor])
    return result
  })
}
