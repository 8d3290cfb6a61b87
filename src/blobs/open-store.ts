/** Opens the configured store: the only place that knows which kind it is. */
import type { Config } from '../config.ts'
import type { BlobStore } from './blob-store.ts'
import { openLocalStore } from './local.ts'

type StoreConfig = Pick<Config, 'storage'>

/** Opens the store and creates it if it does not exist. */
export const openStore = ({ storage }: StoreConfig): Promise<BlobStore> => openLocalStore(storage)

/** The store's folder, whether or not it exists yet; null for a store that is not a local folder. */
export const folderOfStore = ({ storage }: StoreConfig): string | null => storage
