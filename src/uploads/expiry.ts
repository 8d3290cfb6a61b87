/** Uploads that nobody goes on with, and those that a crash kept from becoming files. */
import { hour, second } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import type { Config } from '../config.ts'
import type { UploadRow } from '../db/models/uploads.ts'
import { serverTurn } from '../db/write-actor.ts'
import type { Deps } from '../deps.ts'
import { deleteUpload, dropEnded } from '../files/unfinished-uploads.ts'
import { leastRate } from '../files/visitor-room.ts'
import { findById } from './rows.ts'
import { findUploader } from './uploader.ts'

/** How long (ms) an upload is kept without a byte: it holds room, and its answer may have been lost on the way. */
const firstLife = hour

/**
 * When an upload (of which `received` bytes are there) expires unless more bytes come after `now` (ms). In another's place,
 * also by a link, its time is counted from its beginning, and is the longer, the more has come: who sends few bytes, or one
 * an hour, does not hold the room of others.
 */
export function expiryOf(
  { uploadExpiryHours }: Pick<Config, 'uploadExpiryHours'>,
  { length, received, created_at }: Pick<UploadRow, 'length' | 'received' | 'created_at'>,
  { isOwnPlace, now }: { isOwnPlace: boolean; now: number },
): number {
  const longest = uploadExpiryHours * hour
  if (isOwnPlace) return now + (received > 0 ? longest : Math.min(longest, firstLife))
  const ofPart = length > 0 ? (received / length) * longest : 0
  const ofRate = (received / leastRate) * second
  return Math.min(now + longest, created_at + firstLife + Math.floor(Math.max(ofPart, ofRate)))
}

/** Uploads per query. */
const batchSize = 100

/** Ends the uploads that have expired. */
export async function endExpired(deps: Deps, signal: AbortSignal): Promise<void> {
  const { db, clock, log } = deps
  for (let count = batchSize; count === batchSize && !signal.aborted; ) {
    const now = clock.now()
    const rows = await db.rows<Pick<UploadRow, 'id'>>(
      `SELECT id FROM uploads WHERE expires_at <= $1 ORDER BY expires_at LIMIT ${batchSize}`,
      [now],
    )
    count = rows.length
    for (const { id } of rows) {
      const ended = await db.touch(() => deleteUpload(db, id, row => row.expires_at <= now), serverTurn)
      await dropEnded(deps, ended).catch(error => {
        log.warn({ err: error }, 'the bytes of an expired upload stay until they are swept')
      })
    }
  }
}

async function finishOne({ db, clock, uploads }: Deps, id: string): Promise<void> {
  const upload = await findById(db, id, clock.now())
  if (upload === undefined) return
  const actor = await findUploader(db, upload)
  if (actor !== undefined) return uploads.resume(actor, id)
  const error = JSON.stringify({ code: 'forbidden', message: 'Your rights have ended meanwhile' })
  // One that its sender has finished meanwhile, at another process, stays done.
  await db.touch(() =>
    db.change("UPDATE uploads SET state = 'failed', error = $1 WHERE id = $2 AND state = 'whole'", [error, id]),
  )
}

/** Makes the uploads files that had all their bytes when their process ended, as the users and visitors who sent them. */
export async function finishInterrupted(deps: Deps, signal: AbortSignal): Promise<void> {
  const rows = await deps.db.rows<{ id: string }>("SELECT id FROM uploads WHERE state = 'whole' ORDER BY created_at")
  for (const { id } of rows) {
    if (signal.aborted) return
    // A refusal is kept with the upload, and one that is in transit is finished by a later run.
    await finishOne(deps, id).catch(error => {
      if (!(error instanceof AppError)) throw error
    })
  }
}
