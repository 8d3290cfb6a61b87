/** Makes an upload whose bytes have all come a file, by the same function as an upload in one request. */
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Caller } from '../access/actor.ts'
import { inlineLimit } from '../api/limits.ts'
import { day } from '../base/clock.ts'
import { AppError, systemCode } from '../base/errors.ts'
import { openHash } from '../blobs/hash.ts'
import { newBlobKey, type ReceivedBlob } from '../blobs/receive.ts'
import type { Deps } from '../deps.ts'
import { refuseOtherContent } from '../files/replace.ts'
import { QuotaExceeded, reserve } from '../files/space.ts'
import { type AlongWith, type UploadDeps, uploadFile } from '../files/upload.ts'
import { endLost, endUpload } from './end.ts'
import type { Hashes } from './hashes.ts'
import { type Hold, locked } from './hold.ts'
import { noUpload, saveUpload, type Upload } from './rows.ts'

/** ms for which an upload is known after it has become a file: a client whose answer was lost learns of it. */
const rememberedFor = day

interface FinishDeps extends Pick<Deps, UploadDeps> {
  hashes: Hashes
}

/** Codes of refusals that may pass: the upload stays as it is, and is tried again. */
const passing = ['rate_limited', 'locked']
const isFinal = (error: unknown): error is AppError =>
  error instanceof AppError && error.status < 500 && !passing.includes(error.code)

async function hashOf({ store, hashes }: FinishDeps, { id, received }: Upload, key: string, epoch: number) {
  const kept = hashes.take(id, received, epoch)
  const hash = kept ?? openHash(received)
  try {
    if (kept !== undefined) return await kept.digest()
    // A restart, or another process, has lost it.
    for await (const chunk of await store.read(key, undefined, { reuse: true })) await hash.update(chunk as Buffer)
    return await hash.digest()
  } finally {
    hash.close()
  }
}

/** The content as if it had come in one request: a small one in memory, under a key that the store does not have. */
async function toBlob(deps: FinishDeps, upload: Upload, key: string, epoch: number): Promise<ReceivedBlob> {
  const { store } = deps
  const { length, received, store_state } = upload
  if (length === 0) return inlineBlob(Buffer.alloc(0))
  await store.seal(key, { length: received, state: store_state })
  if (length <= inlineLimit) return inlineBlob(await buffer(await store.read(key)))
  return { key, size: length, sha256: await hashOf(deps, upload, key, epoch), inline: null }
}

const inlineBlob = (inline: Buffer): ReceivedBlob => ({
  key: newBlobKey(),
  size: inline.length,
  sha256: createHash('sha256').update(inline).digest('hex'),
  inline,
})

/** What changes of the upload in the write that makes it a file: it is done, and holds nothing free any more. */
const alongWith = ({ db, clock }: FinishDeps, upload: Upload): AlongWith => ({
  before: async replaced => {
    const { id, space_id, target, reserved } = upload
    if (target.if_match !== undefined) refuseOtherContent(target.if_match, replaced)
    const done = await db.change(
      `UPDATE uploads SET state = 'done', reserved = 0, blob_key = NULL, store_state = NULL, error = NULL, header = NULL,
         target = $1, expires_at = $2 WHERE id = $3 AND state = 'whole' AND space_id = $4`,
      [JSON.stringify({ ...target, metadata: undefined }), clock.now() + rememberedFor, id, space_id],
    )
    // Another process has finished it, or its room has moved.
    if (done === 0) throw locked()
    await reserve(db, space_id, 0 - reserved)
  },
  after: async fileId => {
    await db.change('UPDATE uploads SET file_id = $1 WHERE id = $2', [fileId, upload.id])
  },
})

/**
 * Makes a whole upload a file; returns the file's id. A refusal is kept with the upload, whose bytes stay until another
 * folder or name is given; but a visitor's upload ends where the owner's quota is used up. Throws as `uploadFile`,
 * `precondition_failed`, and `checksum_mismatch` for other bytes than the client has told the SHA-256 of: of these nothing
 * is kept.
 */
export async function makeFile(deps: FinishDeps, actor: Caller, upload: Upload, hold: Hold): Promise<number> {
  const { db, removals } = deps
  const { target, blob_key: key } = upload
  // A damaged row must not become half a file.
  if (key === null || upload.received !== upload.length) throw noUpload()
  try {
    const blob = await toBlob(deps, upload, key, hold.epoch)
    if (blob.size !== upload.length) throw noUpload()
    if (target.sha256 !== undefined && target.sha256 !== blob.sha256) {
      await endUpload(deps, upload)
      throw new AppError('checksum_mismatch', 'The file is not that of the SHA-256 that was told: upload it anew')
    }
    const fileId = await uploadFile(deps, actor, target, target.name, blob, alongWith(deps, upload))
    if (blob.inline !== null) await removals.add([{ key, namedAt: null }])
    return fileId
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return endLost(deps, upload)
    // A visitor's bytes reserve nothing, so those for which the owner has no room would count to nobody.
    if (error instanceof QuotaExceeded && upload.link_id !== null) await endUpload(deps, upload)
    else if (isFinal(error)) {
      const { code, message } = error
      await saveUpload(db, upload, hold.holder, { state: 'failed', error: JSON.stringify({ code, message }) })
    }
    throw error
  }
}
