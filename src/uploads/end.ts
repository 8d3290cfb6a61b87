/** Ends an upload that becomes no file: its row, what it holds free, and its bytes. */
import { AppError } from '../base/errors.ts'
import type { Deps } from '../deps.ts'
import { type DropDeps, deleteUpload, dropEnded } from '../files/unfinished-uploads.ts'
import type { Hashes } from './hashes.ts'
import { noUpload, turnOfUpload, type Upload } from './rows.ts'

type EndDeps = DropDeps & Pick<Deps, 'db'> & { hashes: Hashes }

/** Ends an upload that still has the bytes that the caller knows; one that is gone, or has become a file, is no error. */
export async function endUpload(
  { db, hashes, ...deps }: EndDeps,
  upload: Pick<Upload, 'id' | 'blob_key' | 'user_id' | 'space_id'>,
): Promise<void> {
  const { id, blob_key } = upload
  hashes.drop(id)
  const ended = await db.touch(() => deleteUpload(db, id, row => row.blob_key === blob_key), turnOfUpload(upload))
  await dropEnded(deps, ended)
}

/**
 * Ends an upload whose bytes the store does not find. Throws `not_found`; but `unavailable` if the store cannot be used at
 * all, and the upload stays.
 */
export async function endLost(deps: EndDeps, upload: Upload): Promise<never> {
  try {
    await deps.store.check()
  } catch (cause) {
    throw new AppError('unavailable', 'The storage cannot be reached', { cause, retryAfter: 5 })
  }
  await endUpload(deps, upload)
  throw noUpload()
}
