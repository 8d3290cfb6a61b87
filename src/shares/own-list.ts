/** What a user does with the list of what is shared with them: hide entries, and mark all as seen. */
import { type Actor, writeActor } from '../access/actor.ts'
import type { Database } from '../db/database.ts'
import { turnOf } from '../db/write-actor.ts'
import { requireReceived } from './find.ts'

/** Hides a share from the actor's own list, or shows it again. It is recorded nowhere: nobody else sees it. */
export function hideShare(db: Database, actor: Actor, id: number, isHidden: boolean): Promise<void> {
  return db.write(writeActor(actor), async record => {
    record.nothing()
    await requireReceived(db, actor.userId, id)
    await db.change('DELETE FROM share_hides WHERE user_id = $1 AND share_id = $2', [actor.userId, id])
    if (isHidden) await db.insertAll(db.shareHides, [{ user_id: actor.userId, share_id: id }])
  })
}

/** Marks all that is shared with the actor as seen. */
export const markSharesSeen = (db: Database, { userId }: Actor): Promise<number> =>
  db.touch(
    () => db.change('UPDATE users SET shares_seen_at = $1 WHERE id = $2', [Date.now(), userId]),
    turnOf({ userId }),
  )
