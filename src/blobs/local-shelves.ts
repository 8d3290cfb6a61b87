/** The shelves of the local store: sub-folders by the first two letters of the keys of their blobs. */
import type { Dirent } from 'node:fs'
import { chmod, lstat, mkdir, opendir, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { systemCode } from '../base/errors.ts'
import { hexForm } from './blob-store.ts'
import { syncFolder } from './sync-folder.ts'

const shelfForm = /^[0-9a-f]{2}$/
const shelfOf = (key: string): string => key.slice(0, 2)

export interface Shelves {
  /** The folder of all of them. */
  readonly blobs: string
  /** The path of a blob. Throws ENOENT for what is no key. */
  pathOf(key: string): string
  /** Gives back the same path. Rejects with ELOOP where a link stands in its shelf's place. */
  placeOf(key: string): Promise<string>
  /** Gives back where a new blob goes, on a shelf that is made if need be, and survives a power cut. Rejects as placeOf. */
  newPlaceOf(key: string): Promise<string>
  /** Makes what was made or renamed on the shelf of a key survive a power cut. */
  sync(key: string): Promise<void>
  /** Lists what lies on the shelves that are there, also on those that another process has just made. */
  entries(): AsyncIterable<ShelfEntry>
}

interface ShelfEntry {
  shelf: string
  entry: Dirent
}

export const isShelf = (entry: Dirent): boolean => entry.isDirectory() && shelfForm.test(entry.name)

export const isBlob = ({ shelf, entry }: ShelfEntry): boolean =>
  entry.isFile() && hexForm.test(entry.name) && entry.name.startsWith(shelf)

const isLink = () => Object.assign(new Error('a link stands in the place of a folder of blobs'), { code: 'ELOOP' })

async function listShelves(blobs: string): Promise<string[]> {
  // A link in a shelf's place leads elsewhere, and elsewhere there are no blobs.
  return (await readdir(blobs, { withFileTypes: true })).filter(isShelf).map(({ name }) => name)
}

async function* listEntries(blobs: string): AsyncGenerator<ShelfEntry> {
  for (const shelf of await listShelves(blobs)) {
    for await (const entry of await opendir(join(blobs, shelf))) yield { shelf, entry }
  }
}

async function makeShelf(blobs: string, shelf: string): Promise<void> {
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

/** Gives back a function that makes the shelf of a key once; when it resolves, the shelf survives a power cut. */
async function openKeeping(blobs: string): Promise<(key: string) => Promise<void>> {
  const kept = new Map<string, Promise<void>>()
  for (const shelf of await listShelves(blobs)) kept.set(shelf, Promise.resolve())
  await syncFolder(blobs)
  return key => {
    const shelf = shelfOf(key)
    const known = kept.get(shelf)
    if (known !== undefined) return known
    const made = makeShelf(blobs, shelf)
    kept.set(shelf, made)
    made.catch(() => kept.delete(shelf))
    return made
  }
}

/** Opens the shelves. Each is made when the first blob comes onto it: at rest nobody looks into 256 empty folders. */
export async function openShelves(blobs: string): Promise<Shelves> {
  const keep = await openKeeping(blobs)

  const pathOf = (key: string): string => {
    // There is nothing under it: of a damaged row's key, whoever reads says what is missing, and goes on.
    if (!hexForm.test(key)) throw Object.assign(new Error('not the key of a blob'), { code: 'ENOENT' })
    return join(blobs, shelfOf(key), key)
  }

  // O_NOFOLLOW looks at the end of a path alone.
  const placeOf = async (key: string): Promise<string> => {
    const path = pathOf(key)
    if (!(await lstat(dirname(path))).isDirectory()) throw isLink()
    return path
  }

  const newPlaceOf = async (key: string): Promise<string> => {
    await keep(key)
    return placeOf(key)
  }

  const sync = (key: string): Promise<void> => syncFolder(join(blobs, shelfOf(key)))
  return { blobs, pathOf, placeOf, newPlaceOf, sync, entries: () => listEntries(blobs) }
}
