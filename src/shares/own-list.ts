/** What a user does with the list of what is shared with them: hide entries, and mark all as seen. */
import { type Actor, writeActor } from '../access/actor.ts'
import { isForUser } from '../access/reach.ts'
import { notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'

/** Throws `not_found` unless the share is for the actor. */
async function requireReceived(db: Database, { userId }: Actor, id: number): Promise<void> {
  const row = await db.row(
    `SELECT s.id FROM shares s JOIN spaces sp ON sp.id = s.space_id WHERE s.id = $1 AND ${isForUser('$2')}`,
    [id, userId],
  )
  if (row === undefined) throw notFound('Share')
}

/** Hides a share from the actor's own list, or shows it again. It is recorded nowhere: nobody else sees it. */
export function hideShare(db: Database, actor: Actor, id: number, isHidden: boolean): Promise<void> {
  return db.write(writeActor(actor), async record => {
    record.nothing()
    await requireReceived(db, actor, id)
    await db.change('DELETE FROM share_hides WHERE user_id = $1 AND share_id = $2', [actor.userId, id])
    if (isHidden) await db.insertAll(db.shareHides, [{ user_id: actor.userId, share_id: id }])
  })
}

/** Marks all that is shared with the actor as seen. */
export const markSharesSeen = (db: Database, { userId }: Actor): Promise<number> =>
  db.touch(() => db.change('UPDATE users SET shares_seen_at = $1 WHERE id = $2', [Date.now(), userId]))
