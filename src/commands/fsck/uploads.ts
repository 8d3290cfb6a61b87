/** Checks that the bytes of unfinished uploads are there. Where some are missing the upload ends: nobody has the others. */
import type { Database } from '../../db/database.ts'
import { reserve } from '../../files/space.ts'
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

const endUpload = (db: Database, { id, received }: Partial): Promise<boolean> =>
  db.touch(async () => {
    const row = await db.row<Partial>(`SELECT ${columns} FROM uploads WHERE id = $1 AND received = $2`, [id, received])
    if (row === undefined) return false
    await reserve(db, row.space_id, 0 - row.reserved)
    return (await db.change('DELETE FROM uploads WHERE id = $1', [id])) === 1
  })

/** How many bytes lie under a key before it is sealed can be told of a folder alone. */
export async function checkUploads({ deps: { db, store }, report, signal }: Check): Promise<void> {
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
