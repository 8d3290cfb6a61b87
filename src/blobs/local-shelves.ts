/** The shelves of the local store: sub-folders by the first two letters of the keys of their blobs. */
import { chmod, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCode } from '../base/errors.ts'
import { syncFolder } from './sync-folder.ts'

const shelfForm = /^[0-9a-f]{2}$/

export const isShelf = (name: string): boolean => shelfForm.test(name)
export const shelfOf = (key: string): string => key.slice(0, 2)

interface Shelves {
  /** Those that are there, also what another process has just made. */
  list(): Promise<string[]>
  /** Makes one if need be; from then on it survives a power cut. */
  keep(shelf: string): Promise<void>
}

/** Each shelf is made when the first blob comes onto it: at rest nobody looks into 256 empty folders. */
export async function openShelves(blobs: string): Promise<Shelves> {
  async function list(): Promise<string[]> {
    const entries = await readdir(blobs, { withFileTypes: true })
    // A link in a shelf's place leads elsewhere, and elsewhere there are no blobs.
    return entries.filter(entry => entry.isDirectory() && isShelf(entry.name)).map(({ name }) => name)
  }

  async function make(shelf: string): Promise<void> {
    const path = join(blobs, shelf)
    try {
      await mkdir(path, { mode: 0o700 })
      // Whoever lets a group come through to the blobs means the shelves to come, too.
      await chmod(path, (await stat(blobs)).mode & 0o777)
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error
    }
    await syncFolder(blobs)
  }

  const kept = new Map<string, Promise<void>>()
  for (const shelf of await list()) kept.set(shelf, Promise.resolve())
  await syncFolder(blobs)

  return {
    list,
    keep: shelf => {
      const known = kept.get(shelf)
      if (known !== undefined) return known
      const made = make(shelf)
      kept.set(shelf, made)
      made.catch(() => kept.delete(shelf))
      return made
    },
  }
}
