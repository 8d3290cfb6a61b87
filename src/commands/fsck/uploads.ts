/**
 * Checks that the bytes of unfinished uploads are there, and nobody else's. Where some are missing the upload ends: nobody
 * has the others.
 */
import type { Database } from '../../db/database.ts'
import { serverTurn } from '../../db/write-actor.ts'
import { deleteUpload } from '../../files/unfinished-uploads.ts'
import type { Check } from './finding.ts'

interface Partial {
  id: string
  space_id: number
  blob_key: string
  received: number
  reserved: number
}

const columns = 'id, space_id, blob_key, received, reserved'
const unfinished = 'blob_key IS NOT NULL AND received > 0'

const endUpload = async (db: Database, { id, received }: Partial): Promise<boolean> =>
  (await db.touch(() => deleteUpload(db, id, row => row.received === received), serverTurn)) !== undefined

/** Names uploads whose bytes are those of a file: ending them, or sending more, would destroy it. */
async function checkKeys({ deps: { db }, report }: Check): Promise<void> {
  const taken = await db.rows<Partial>(
    `SELECT x.id, x.space_id, x.blob_key, x.received, x.reserved
     FROM uploads x JOIN blobs b ON b.\`key\` = x.blob_key ORDER BY x.id`,
  )
  for (const upload of taken) {
    const detail = 'its bytes are those of a file, so the upload has to begin anew'
    await report({ verdict: 'repairable', problem: 'upload-bytes', name: `upload ${upload.id}`, detail }, () =>
      endUpload(db, upload),
    )
  }
}

/** How many bytes lie under a key before it is sealed can be told of a folder alone. */
export async function checkUploads(check: Check): Promise<void> {
  const { deps, report, signal } = check
  const { db, store } = deps
  await checkKeys(check)
  if (store.local === null) return
  for (const upload of await db.rows<Partial>(`SELECT ${columns} FROM uploads WHERE ${unfinished} ORDER BY id`)) {
    signal.throwIfAborted()
    const size = (await store.size(upload.blob_key)) ?? 0
    if (size >= upload.received) continue
    // It may have become a file meanwhile, or have ended.
    const again = `SELECT id FROM uploads WHERE id = $1 AND received = $2 AND ${unfinished}`
    if ((await db.row(again, [upload.id, upload.received])) === undefined) continue
    const detail = `${size} of the ${upload.received} bytes that came are there, so the upload has to begin anew`
    await report({ verdict: 'repairable', problem: 'upload-bytes', name: `upload ${upload.id}`, detail }, () =>
      endUpload(db, upload),
    )
  }
}
