/** Gives back what uploads hold free in others' places, once their senders may add nothing there any more. */
import { isInSpace } from '../access/reach.ts'
import type { Database } from '../db/database.ts'
import type { UploadRow } from '../db/models/uploads.ts'
import type { Deps } from '../deps.ts'
import { deleteUpload, moveRoom } from '../files/unfinished-uploads.ts'
import { findById, mayStillAdd, type Upload } from './rows.ts'
import { findUploader } from './uploader.ts'

/** Uploads that are looked at in one run, those that end last first. */
const mostAtOnce = 1000

/** The unfinished uploads of users that hold room in another's place. Those by a link end soon without bytes. */
const findForeign = (db: Database): Promise<Pick<UploadRow, 'id'>[]> =>
  db.rows(
    `SELECT x.id FROM uploads x JOIN spaces sp ON sp.id = x.space_id
     WHERE x.user_id IS NOT NULL AND x.state IN ('open', 'failed') AND x.reserved > 0
       AND (sp.kind = 'team' OR sp.owner_id <> x.user_id)
     ORDER BY x.expires_at DESC LIMIT ${mostAtOnce}`,
  )

async function isStillRight(db: Database, upload: Upload): Promise<boolean> {
  const actor = await findUploader(db, upload)
  return actor !== undefined && mayStillAdd(db, actor, upload)
}

/**
 * Moves the room into the sender's own tree, who can save the bytes elsewhere. An upload for which there is no room ends.
 */
async function giveBack({ db, store }: Pick<Deps, 'db' | 'store'>, { id, user_id, space_id }: Upload): Promise<void> {
  const own = await db.row<{ id: number }>("SELECT id FROM spaces WHERE owner_id = $1 AND kind = 'personal'", [user_id])
  if (own !== undefined) await moveRoom(db, id, own.id)
  const ended = await db.touch(() => deleteUpload(db, id, row => isInSpace({ spaceId: space_id }, row.space_id)))
  if (typeof ended?.blob_key === 'string') await store.drop(ended.blob_key, ended.store_state)
}

export async function endWithRights(deps: Pick<Deps, 'db' | 'store' | 'clock' | 'log'>, signal: AbortSignal) {
  const { db, clock, log } = deps
  for (const { id } of await findForeign(db)) {
    if (signal.aborted) return
    const upload = await findById(db, id, clock.now())
    if (upload === undefined || (await isStillRight(db, upload))) continue
    await giveBack(deps, upload).catch(error => log.warn({ err: error, upload: id }, 'an upload still holds room'))
  }
}
