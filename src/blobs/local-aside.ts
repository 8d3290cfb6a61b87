/** The local store's quarantine: a folder next to the blobs. Bytes move in and out by rename or hard link. */
import { link, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AsidePlace } from './blob-store.ts'
import { ignoreForeign, readFlags, readSize } from './local-access.ts'
import type { Shelves } from './local-shelves.ts'

export function openLocalAside(folder: string, shelves: Shelves): AsidePlace {
  return {
    take: async (key, name) => {
      await shelves
        .placeOf(key)
        .then(path => rename(path, join(folder, name)))
        .catch(ignoreForeign)
    },
    giveBack: async (name, key) => {
      const path = await shelves.newPlaceOf(key)
      // Link and do not rename: a rename would overwrite an existing blob.
      await link(join(folder, name), path)
      // Sync first: a power cut could otherwise keep the removal and lose the link.
      await shelves.sync(key)
      await rm(join(folder, name), { force: true })
    },
    read: async name => (await open(join(folder, name), readFlags)).createReadStream({ highWaterMark: readSize }),
    async *list() {
      yield* await readdir(folder)
    },
    remove: name => rm(join(folder, name), { force: true }),
  }
}
