/** The quarantine of the local store: a folder beside the blobs, where no read finds what lies there. */
import { link, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCode } from '../base/errors.ts'
import type { QuarantinedKey } from './blob-store.ts'

/** The time goes into the name: a rename keeps the file's own. What is damaged has a name without one in front. */
const nameOf = ({ key, at }: QuarantinedKey): string => `${at}-${key}`
const damagedNameOf = ({ key, at }: QuarantinedKey): string => `damaged-${nameOf({ key, at })}`
const nameForm = /^(\d+)-([0-9a-f]{64})$/

/** `pathOf` says where the bytes of a key lie. */
export function openLocalQuarantine(folder: string, pathOf: (key: string) => string) {
  const pathAside = (aside: QuarantinedKey): string => join(folder, nameOf(aside))

  async function* list(): AsyncGenerator<QuarantinedKey> {
    for (const name of await readdir(folder)) {
      const [, at, key] = nameForm.exec(name) ?? []
      if (key !== undefined) yield { key, at: Number(at) }
    }
  }

  return {
    pathAside,
    list,
    add: (aside: QuarantinedKey) => rename(pathOf(aside.key), pathAside(aside)).catch(ignoreMissing),
    addDamaged: (aside: QuarantinedKey) =>
      rename(pathOf(aside.key), join(folder, damagedNameOf(aside))).catch(ignoreMissing),
    putBack: async (aside: QuarantinedKey): Promise<void> => {
      // A link, since a rename would take the place of what is there.
      await link(pathAside(aside), pathOf(aside.key))
      await rm(pathAside(aside), { force: true })
    },
    purge: async (before: number): Promise<number> => {
      const old = (await readdir(folder)).filter(name => Number.parseInt(name, 10) < before)
      for (const name of old) await rm(join(folder, name), { force: true })
      return old.length
    },
  }
}

function ignoreMissing(error: unknown): void {
  if (systemCode(error) !== 'ENOENT') throw error
}
