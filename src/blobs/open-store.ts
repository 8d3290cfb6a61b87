/** Opens the configured store: the only place that knows which kind it is. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../base/errors.ts'
import type { Config } from '../config.ts'
import type { StorageConfig } from '../config-values.ts'
import type { BlobStore } from './blob-store.ts'
import { joinStores } from './joined.ts'
import { openLocalStore } from './local.ts'
import { redirectHost } from './s3/address.ts'

type Stores = Pick<Config, 'storage' | 'storageFrom' | 'maxFileSize' | 'dataDir'>
type Limits = Pick<Stores, 'maxFileSize' | 'dataDir'>

async function openPlace(place: StorageConfig, { maxFileSize, dataDir }: Limits): Promise<BlobStore> {
  if (place.kind === 'folder') return openLocalStore(place.folder)
  // Its HTTP client takes 7 MB of memory, which a server with a folder need not have.
  const { openS3Store } = await import('./s3/s3.ts')
  return openS3Store({ ...place, largest: maxFileSize, temporary: join(dataDir, 'parts') })
}

/** The store that bytes move from must be there: an empty one in its place would have none of them. */
function openOld(place: StorageConfig, limits: Limits): Promise<BlobStore> {
  if (place.kind === 'folder' && !existsSync(place.folder)) {
    throw new AppError('invalid_input', `--storage-from: there is no folder at ${place.folder}`)
  }
  return openPlace(place, limits)
}

/**
 * Opens the store, joined with the one that its bytes move from, if there is one. A folder is created if it does not
 * exist. Throws `invalid_input` for a bucket that cannot be used or an old folder that is not there, and `in_use` if the two belong to different databases.
 */
export async function openStore({ storage, storageFrom, ...limits }: Stores): Promise<BlobStore> {
  const store = await openPlace(storage, limits)
  return storageFrom === null ? store : joinStores(store, await openOld(storageFrom, limits))
}

/**
 * Opens the new and the old store apart, to move bytes. Throws like `openStore`, and `invalid_input` if there is no old
 * one.
 */
export async function openBothStores({ storage, storageFrom, ...limits }: Stores) {
  if (storageFrom === null) {
    throw new AppError('invalid_input', 'Give --storage-from, too: the store that the bytes are in now')
  }
  return { to: await openPlace(storage, limits), from: await openOld(storageFrom, limits) }
}

/** The host to which the store sends large downloads; null if they all come from this server. */
export const hostOfDownloads = ({ storage }: Pick<Config, 'storage'>): string | null =>
  storage.kind === 's3' ? redirectHost(storage.address) : null

/** The store's folder, whether or not it exists yet; null for a store that is not a local folder. */
export const folderOfStore = ({ storage }: Pick<Config, 'storage'>): string | null =>
  storage.kind === 'folder' ? storage.folder : null
