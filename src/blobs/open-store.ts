/** The store that the configuration names: nothing else knows of which kind it is. */
import type { Config } from '../config.ts'
import type { BlobStore } from './blob-store.ts'
import { openLocalStore } from './local.ts'

type StoreConfig = Pick<Config, 'storage'>

/** Opens the store, which is made where it is not there yet. */
export const openStore = ({ storage }: StoreConfig): Promise<BlobStore> => openLocalStore(storage)

/** The folder that the store is in, or will be once it is made; null for a store that is no folder of this machine. */
export const folderOfStore = ({ storage }: StoreConfig): string | null => storage
