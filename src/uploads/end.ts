/** Ends an upload that becomes no file: its row, what it holds free, and its bytes. */
import type { Deps } from '../deps.ts'
import type { Hashes } from './hashes.ts'
import { deleteUpload, type Upload } from './rows.ts'

/** Ends an upload; one that is gone is no error. */
export async function endUpload(
  { db, store, hashes }: Pick<Deps, 'db' | 'store'> & { hashes: Hashes },
  { id, blob_key, store_state }: Pick<Upload, 'id' | 'blob_key' | 'store_state'>,
): Promise<void> {
  hashes.drop(id)
  await db.touch(() => deleteUpload(db, id))
  if (blob_key !== null) await store.drop(blob_key, store_state)
}
