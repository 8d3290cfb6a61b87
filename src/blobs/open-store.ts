/** Opens the configured store: the only place that knows which kind it is. */
import type { Config } from '../config.ts'
import type { BlobStore } from './blob-store.ts'
import { openLocalStore } from './local.ts'
import { openS3Store } from './s3/s3.ts'

/** Opens the store. A folder is created if it does not exist. Throws `invalid_input` for a bucket that cannot be used. */
export const openStore = ({ storage, maxFileSize }: Pick<Config, 'storage' | 'maxFileSize'>): Promise<BlobStore> =>
  storage.kind === 'folder' ? openLocalStore(storage.folder) : openS3Store({ ...storage, largest: maxFileSize })

/** The store's folder, whether or not it exists yet; null for a store that is not a local folder. */
export const folderOfStore = ({ storage }: Pick<Config, 'storage'>): string | null =>
  storage.kind === 'folder' ? storage.folder : null
