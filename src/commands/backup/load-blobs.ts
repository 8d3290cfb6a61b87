/** Copies the bytes of a snapshot's files into the store that is restored. */
import type { BlobStore } from '../../blobs/blob-store.ts'
import type { Database } from '../../db/database.ts'
import { addLoss, type Copied, eachBlob, nothingCopied } from './blobs.ts'
import {
  type CopyOptions,
  checkContent,
  copyContent,
  DamagedError,
  type Outcome,
  type SavedContents,
} from './contents.ts'
import type { BlobRow, Saved } from './rows.ts'

/** Copies one content. Verify a kept one: it was left by an interrupted restore and never read. Throws DamagedError. */
async function loadBlob(contents: SavedContents, store: BlobStore, blob: BlobRow): Promise<Outcome> {
  const outcome = await copyContent({ store: contents, key: blob.sha256 }, { store, key: blob.key }, blob, 'reflink')
  if (outcome !== 'kept') return outcome
  try {
    await checkContent(store, blob.key, blob)
    return outcome
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error
    await store.remove(blob.key)
    return loadBlob(contents, store, blob)
  }
}

/** Copies the bytes of files into the store and reads each completely; damaged ones are counted and skipped. */
export async function loadBlobs(
  db: Database,
  { contents }: Saved,
  store: BlobStore,
  slices: AsyncIterable<BlobRow[]>,
  { signal, onBytes }: CopyOptions,
): Promise<Copied> {
  const copied = nothingCopied()
  const load = async (blob: BlobRow) => {
    signal.throwIfAborted()
    try {
      copied.outcomes[await loadBlob(contents, store, blob)] += 1
      copied.count += 1
      copied.bytes += blob.size
      onBytes(blob.size)
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error
      await addLoss(db, copied, blob, error)
    }
  }
  for await (const blobs of slices) await eachBlob(blobs, load)
  return copied
}
