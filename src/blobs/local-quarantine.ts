/** The quarantine of the local store: a folder beside the blobs, where no read finds what lies there. */
import { link, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobStore, QuarantinedKey } from './blob-store.ts'
import { ignoreMissing, readFlags, readSize } from './local-access.ts'
import type { Shelves } from './local-shelves.ts'

type Quarantine = Pick<
  BlobStore,
  'quarantine' | 'keepDamaged' | 'listQuarantine' | 'readQuarantined' | 'putBack' | 'purgeQuarantine'
>

/** The time goes into the name: a rename keeps the file's own. What is damaged has a name without one in front. */
const nameOf = ({ key, at }: QuarantinedKey): string => `${at}-${key}`
const damagedNameOf = (aside: QuarantinedKey): string => `damaged-${nameOf(aside)}`
const nameForm = /^(\d+)-([0-9a-f]{64})$/

export function openLocalQuarantine(folder: string, shelves: Shelves): Quarantine {
  const pathAside = (aside: QuarantinedKey): string => join(folder, nameOf(aside))
  const take = async (key: string, name: string): Promise<void> => {
    const path = shelves.pathOf(key)
    await rename(path, join(folder, name)).catch(ignoreMissing)
  }
  return {
    quarantine: (key, now) => take(key, nameOf({ key, at: now })),
    keepDamaged: (key, now) => take(key, damagedNameOf({ key, at: now })),
    listQuarantine: () => list(folder),
    readQuarantined: async aside =>
      (await open(pathAside(aside), readFlags)).createReadStream({ highWaterMark: readSize }),
    putBack: async aside => {
      const path = shelves.pathOf(aside.key)
      await shelves.keep(aside.key)
      // A link, since a rename would take the place of what is there.
      await link(pathAside(aside), path)
      await rm(pathAside(aside), { force: true })
      await shelves.sync(aside.key)
    },
    purgeQuarantine: before => purge(folder, before),
  }
}

async function* list(folder: string): AsyncGenerator<QuarantinedKey> {
  for (const name of await readdir(folder)) {
    const [, at, key] = nameForm.exec(name) ?? []
    if (key !== undefined) yield { key, at: Number(at) }
  }
}

async function purge(folder: string, before: number): Promise<number> {
  const old = (await readdir(folder)).filter(name => Number.parseInt(name, 10) < before)
  for (const name of old) await rm(join(folder, name), { force: true })
  return old.length
}
