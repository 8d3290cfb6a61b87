/** Uploads whose last holder, another process, may wake and write again. */
import { newBlobKey } from '../blobs/receive.ts'
import type { Deps } from '../deps.ts'
import type { Hold } from './hold.ts'
import { findById, saveUpload } from './rows.ts'

/**
 * Gives an upload that still takes bytes a new key with a copy of those that it has: what the earlier holder writes goes
 * to a file that nothing names. A store that gives `store_state` names each part by its hash, so it needs no copy.
 */
export async function leaveBehind(
  { db, store, clock }: Pick<Deps, 'db' | 'store' | 'clock'>,
  id: string,
  { holder }: Hold,
): Promise<void> {
  const upload = await findById(db, id, clock.now())
  if (upload === undefined || upload.state !== 'open' || upload.blob_key === null || upload.store_state !== null) return
  const { blob_key, received } = upload
  const key = newBlobKey()
  if (received > 0) {
    const bytes = await store.read(blob_key, { start: 0, end: received - 1 })
    const { broken } = await store.append(key, 0, bytes, { state: null, onDurable: async () => undefined })
    if (broken !== undefined) throw broken
  }
  if (await saveUpload(db, id, holder, { blob_key: key })) await store.drop(blob_key, null)
}
