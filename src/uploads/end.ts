/** Ends an upload that becomes no file: its row, what it holds free, and its bytes. */
import type { Deps } from '../deps.ts'
import { deleteUpload, type EndedUpload } from '../files/unfinished-uploads.ts'
import type { Hashes } from './hashes.ts'
import type { Upload } from './rows.ts'

type DropDeps = Pick<Deps, 'store' | 'linkLimits'>

/** Drops the bytes of an upload whose row was deleted. One by a link that had none does not count for the link's day. */
export async function dropEnded({ store, linkLimits }: DropDeps, ended: EndedUpload | undefined): Promise<void> {
  if (ended === undefined) return
  const { link_id, network, state, received, blob_key, store_state } = ended
  if (link_id !== null && network !== null && state === 'open' && received === 0) {
    await linkLimits.giveBackFile(link_id, network)
  }
  if (blob_key !== null) await store.drop(blob_key, store_state)
}

/** Ends an upload that still has the bytes that the caller knows; one that is gone, or has become a file, is no error. */
export async function endUpload(
  { db, hashes, ...deps }: DropDeps & Pick<Deps, 'db'> & { hashes: Hashes },
  { id, blob_key }: Pick<Upload, 'id' | 'blob_key'>,
): Promise<void> {
  hashes.drop(id)
  await dropEnded(deps, await db.touch(() => deleteUpload(db, id, row => row.blob_key === blob_key)))
}
