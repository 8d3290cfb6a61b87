/** Gives back what uploads hold free in others' places, once their senders may add nothing there any more. */
import { isInSpace } from '../access/reach.ts'
import { InTransit } from '../access/transit.ts'
import type { Database } from '../db/database.ts'
import type { UploadRow } from '../db/models/uploads.ts'
import { serverTurn } from '../db/write-actor.ts'
import type { Deps } from '../deps.ts'
import { deleteUpload, type EndedRow, moveRoom } from '../files/unfinished-uploads.ts'
import { findById, mayStillAdd, type Upload } from './rows.ts'
import { findUploader } from './uploader.ts'

/** Uploads per query. */
const batchSize = 100

type GiveDeps = Pick<Deps, 'db' | 'store'>
type Foreign = Pick<UploadRow, 'id' | 'state' | 'target'>

/** The next unfinished uploads of users that hold room in another's place. Those by a link end soon without bytes. */
const findForeign = (db: Database, last: string): Promise<Foreign[]> =>
  db.rows(
    `SELECT x.id, x.state, x.target FROM uploads x JOIN spaces sp ON sp.id = x.space_id
     WHERE x.id > $1 AND x.user_id IS NOT NULL AND x.state IN ('open', 'failed') AND x.reserved > 0
       AND (sp.kind = 'team' OR sp.owner_id <> x.user_id)
     ORDER BY x.id LIMIT ${batchSize}`,
    [last],
  )

async function isStillRight(db: Database, upload: Upload): Promise<boolean> {
  try {
    const actor = await findUploader(db, upload)
    return actor !== undefined && (await mayStillAdd(db, actor, upload))
  } catch (error) {
    // A transfer keeps the right.
    if (error instanceof InTransit) return true
    throw error
  }
}

/**
 * Moves the room into the sender's own tree, who can save the bytes elsewhere. An upload for which there is no room ends,
 * unless it goes elsewhere by now.
 */
async function giveBack({ db, store }: GiveDeps, { state, target }: Foreign, upload: Upload): Promise<void> {
  const { id, user_id, space_id } = upload
  const own = await db.row<{ id: number }>("SELECT id FROM spaces WHERE owner_id = $1 AND kind = 'personal'", [user_id])
  if (own !== undefined) await moveRoom(db, id, own.id, serverTurn)
  const isStill = (row: EndedRow) =>
    isInSpace({ spaceId: space_id }, row.space_id) && row.state === state && row.target === target
  const ended = await db.touch(() => deleteUpload(db, id, isStill), serverTurn)
  if (typeof ended?.blob_key === 'string') await store.drop(ended.blob_key, ended.store_state)
}

export async function endWithRights(deps: GiveDeps & Pick<Deps, 'clock' | 'log'>, signal: AbortSignal): Promise<void> {
  const { db, clock, log } = deps
  for (let [last, count] = ['', batchSize]; count === batchSize && !signal.aborted; ) {
    const found = await findForeign(db, last)
    for (const row of found) {
      const upload = await findById(db, row.id, clock.now())
      if (upload === undefined || (await isStillRight(db, upload))) continue
      await giveBack(deps, row, upload).catch(error => {
        log.warn({ err: error, upload: row.id }, 'an upload still holds room')
      })
    }
    count = found.length
    last = found.at(-1)?.id ?? ''
  }
}
