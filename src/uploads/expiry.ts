/** Uploads that nobody goes on with, and those that a crash kept from becoming files. */
import { hour } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import type { Config } from '../config.ts'
import type { UploadRow } from '../db/models/uploads.ts'
import type { Deps } from '../deps.ts'
import { deleteUpload, findById, saveUpload } from './rows.ts'
import { findUploader } from './uploader.ts'

/** When an upload expires whose last byte came at `now` (ms). */
export const expiryOf = ({ uploadExpiryHours }: Pick<Config, 'uploadExpiryHours'>, now: number): number =>
  now + uploadExpiryHours * hour

/** Uploads per query. */
const batchSize = 100

type Expired = Pick<UploadRow, 'id' | 'blob_key' | 'store_state'>

/** Ends the uploads that have expired. */
export async function endExpired({ db, store, clock, log }: Deps, signal: AbortSignal): Promise<void> {
  for (let count = batchSize; count === batchSize && !signal.aborted; ) {
    const rows = await db.rows<Expired>(
      `SELECT id, blob_key, store_state FROM uploads WHERE expires_at <= $1 ORDER BY expires_at LIMIT ${batchSize}`,
      [clock.now()],
    )
    count = rows.length
    for (const { id, blob_key, store_state } of rows) {
      await db.touch(() => deleteUpload(db, id))
      if (blob_key === null) continue
      await store.drop(blob_key, store_state).catch(error => {
        log.warn({ err: error }, 'the bytes of an expired upload stay until they are swept')
      })
    }
  }
}

/** Makes the uploads files that had all their bytes when their process ended, as the users who sent them. */
export async function finishInterrupted({ db, clock, uploads }: Deps, signal: AbortSignal): Promise<void> {
  const rows = await db.rows<{ id: string }>("SELECT id FROM uploads WHERE state = 'whole' ORDER BY created_at")
  for (const { id } of rows) {
    if (signal.aborted) return
    const upload = await findById(db, id, clock.now())
    if (upload === undefined) continue
    const actor = await findUploader(db, upload)
    if (actor === undefined) {
      const error = JSON.stringify({ code: 'forbidden', message: 'Your rights have ended meanwhile' })
      await saveUpload(db, id, null, { state: 'failed', error })
      continue
    }
    // A refusal is kept with the upload.
    await uploads.resume(actor, id).catch(error => {
      if (!(error instanceof AppError)) throw error
    })
  }
}
