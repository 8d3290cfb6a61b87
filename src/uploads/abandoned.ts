/** Uploads whose last holder, another process, may wake and write again. */
import { systemCode } from '../base/errors.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { newBlobKey } from '../blobs/receive.ts'
import type { Deps } from '../deps.ts'
import { endLost } from './end.ts'
import type { Hashes } from './hashes.ts'
import { type Hold, locked } from './hold.ts'
import { saveUpload, type Upload } from './rows.ts'

interface AbandonedDeps extends Pick<Deps, 'db' | 'store' | 'linkLimits'> {
  /** The store, which writes no more once free space is low. */
  kept: Pick<BlobStore, 'append'>
  hashes: Hashes
}

/**
 * Gives an upload a new key with a copy of the bytes that it has: what the earlier holder still writes goes to a file that
 * nothing names. Returns it as it is then. A store with a `store_state` needs no copy, because the state lists the parts
 * that count. Throws `not_found` if the bytes are gone.
 */
export async function leaveBehind(deps: AbandonedDeps, upload: Upload, hold: Hold): Promise<Upload> {
  const { db, store, kept } = deps
  const { blob_key, received, store_state } = upload
  if (blob_key === null || store_state !== null) return upload
  const key = newBlobKey()
  let state: string | null = null
  if (received > 0) {
    try {
      const bytes = await store.read(blob_key, { start: 0, end: received - 1 })
      const copied = await kept.append(key, 0, bytes, { state: null, onDurable: async () => undefined })
      if (copied.length !== received) throw copied.broken
      state = copied.state
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error
      return endLost(deps, upload)
    }
  }
  const changes = { blob_key: key, store_state: state }
  if (!(await saveUpload(db, upload, hold.holder, changes))) throw locked()
  hold.settle()
  await store.drop(blob_key, null)
  return { ...upload, ...changes }
}
