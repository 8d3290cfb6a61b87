/** Ends one of the caller's own sessions, such as that of a lost device. */
import type { Actor } from '../access/actor.ts'
import { confirmedWrite } from '../access/confirmed-write.ts'
import { notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'

/** Throws `not_found` if the session does not exist or is another user's. */
export async function endSession(db: Database, actor: Actor, id: number): Promise<void> {
  await confirmedWrite(db, actor, async record => {
    const ended = await db.change('DELETE FROM sessions WHERE id = $1 AND user_id = $2', [id, actor.userId])
    if (ended === 0) throw notFound('Session')
    record('session.end', { id })
  })
}
