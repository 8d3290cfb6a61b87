/** Ends an upload that becomes no file: its row, what it holds free, and its bytes. */
import type { Deps } from '../deps.ts'
import { type DropDeps, deleteUpload, dropEnded } from '../files/unfinished-uploads.ts'
import type { Hashes } from './hashes.ts'
import type { Upload } from './rows.ts'

/** Ends an upload that still has the bytes that the caller knows; one that is gone, or has become a file, is no error. */
export async function endUpload(
  { db, hashes, ...deps }: DropDeps & Pick<Deps, 'db'> & { hashes: Hashes },
  { id, blob_key }: Pick<Upload, 'id' | 'blob_key'>,
): Promise<void> {
  hashes.drop(id)
  await dropEnded(deps, await db.touch(() => deleteUpload(db, id, row => row.blob_key === blob_key)))
}
