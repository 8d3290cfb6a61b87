/** Writes that change a user's own things: files, tags and the like. */
import { systemClock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import type { Recorder } from '../db/recorder.ts'
import { type Principal, writeActor } from './actor.ts'
import { ageOfAccess, confirmActor } from './confirm-actor.ts'

/** ms; an actor whose rights were read no longer ago than this is not checked again. */
const patience = 20

/**
 * ms; a shorter write does not count as a long one, because others write between two of them. On a slow or busy machine
 * the write of a single item may take 50 ms, and a batch of a hundred is not the change of a large tree.
 */
const leastLong = 200

/** The ms of each actor's long writes; every request has an actor of its own. */
const longWrites = new WeakMap<Principal, number>()

/** How long (ms) an actor's long writes have worked so far, without the time that they waited for the writer. */
export const longWritesOf = (actor: Principal): number => longWrites.get(actor) ?? 0

function noteWrite(actor: Principal, time: number): void {
  if (time >= leastLong) longWrites.set(actor, longWritesOf(actor) + time)
}

/**
 * Checks each actor of a write again whose rights were read too long ago: since then the body, a hash or the writer may
 * have been waited for. Throws `unauthenticated` and `forbidden`.
 */
export async function confirmAfterWait(db: Database, actors: readonly Principal[]): Promise<void> {
  const late = actors.filter(actor => ageOfAccess(actor) > patience)
  const byAccess = new Map(late.map(actor => [`${actor.sessionId} ${actor.key?.id} ${actor.link?.id}`, actor]))
  for (const actor of byAccess.values()) await confirmActor(db, actor, actor.permissions)
}

/**
 * Runs a write() for an actor. If the request has taken a while, the actor is checked again before the commit, so a user
 * who was disabled, demoted or signed out meanwhile changes nothing. Then it throws `unauthenticated` or `forbidden`.
 */
export async function actorWrite<T>(
  db: Database,
  actor: Principal,
  work: (record: Recorder) => Promise<T>,
): Promise<T> {
  let begun: number | null = null
  try {
    return await db.write(writeActor(actor), async record => {
      begun = systemClock.monotonic()
      const result = await work(record)
      // After the work, because on MariaDB the work waits for the locks of the rows that it changes.
      await confirmAfterWait(db, [actor])
      return result
    })
  } catch (error) {
    // A user who was deleted meanwhile is told that, and not that their things are gone.
    if (error instanceof AppError && error.code === 'not_found') await confirmAfterWait(db, [actor])
    throw error
  } finally {
    if (begun !== null) noteWrite(actor, systemClock.monotonic() - begun)
  }
}
