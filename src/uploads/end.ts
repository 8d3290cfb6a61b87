/** Ends an upload that becomes no file: its row, what it holds free, and its bytes. */
import type { Deps } from '../deps.ts'
import { deleteUpload } from '../files/unfinished-uploads.ts'
import type { Hashes } from './hashes.ts'
import type { Upload } from './rows.ts'

/** Ends an upload that still has the bytes that the caller knows; one that is gone, or has become a file, is no error. */
export async function endUpload(
  { db, store, hashes }: Pick<Deps, 'db' | 'store'> & { hashes: Hashes },
  { id, blob_key }: Pick<Upload, 'id' | 'blob_key'>,
): Promise<void> {
  hashes.drop(id)
  const ended = await db.touch(() => deleteUpload(db, id, row => row.blob_key === blob_key))
  if (typeof ended?.blob_key === 'string') await store.drop(ended.blob_key, ended.store_state)
}
