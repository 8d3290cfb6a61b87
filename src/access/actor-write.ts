/** Writes that change a user's own things: files, tags and the like. */
import type { Database } from '../db/database.ts'
import type { Recorder } from '../db/write.ts'
import { type Principal, writeActor } from './actor.ts'
import { confirmActor } from './confirm-actor.ts'

/** ms; an actor admitted no longer ago than this is not checked again. */
const patience = 20

/**
 * Checks each actor of a write again if the write was requested (`since`, performance.now()) too long ago. Throws
 * `unauthenticated` and `forbidden`.
 */
export async function confirmAfterWait(db: Database, since: number, actors: readonly Principal[]): Promise<void> {
  if (performance.now() - since <= patience) return
  const byAccess = new Map(actors.map(actor => [`${actor.sessionId} ${actor.key?.id}`, actor]))
  for (const actor of byAccess.values()) await confirmActor(db, actor, actor.permissions)
}

/**
 * Runs a write() for an actor. If it had to wait, the actor is checked again before the commit, so a user who was
 * disabled, demoted or signed out meanwhile changes nothing. Then it throws `unauthenticated` or `forbidden`.
 */
export function actorWrite<T>(db: Database, actor: Principal, work: (record: Recorder) => Promise<T>): Promise<T> {
  const asked = performance.now()
  return db.write(writeActor(actor), async record => {
    const result = await work(record)
    // After the work, because on MariaDB the work waits for the locks of the rows that it changes.
    await confirmAfterWait(db, asked, [actor])
    return result
  })
}
