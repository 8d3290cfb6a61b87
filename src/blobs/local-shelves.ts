/** The shelves of the local store: sub-folders named after the first two digits of their blobs' keys. */
import type { Dirent } from 'node:fs'
import { chmod, lstat, mkdir, opendir, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { systemCode } from '../base/errors.ts'
import { syncFolder } from '../base/sync-folder.ts'
import { hexForm } from './blob-store.ts'

const shelfForm = /^[0-9a-f]{2}$/
const shelfOf = (key: string): string => key.slice(0, 2)

export interface Shelves {
  /** The folder that holds the shelves. */
  readonly blobs: string
  /** The path of a blob. Throws ENOENT when the key is malformed. */
  pathOf(key: string): string
  /** Returns the same path. Rejects with ELOOP when a link stands in its shelf's place. */
  placeOf(key: string): Promise<string>
  /** Returns the path for a new blob and creates its shelf if needed, durably. Rejects as placeOf does. */
  newPlaceOf(key: string): Promise<string>
  /** Makes what was created or renamed on a key's shelf survive a power cut. */
  sync(key: string): Promise<void>
  /** Lists what lies on the existing shelves, including those that another process has just created. */
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
  // A link in a shelf's place leads out of the store, so it is skipped.
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
    // When the operator has opened the blobs folder to a group, new shelves are open to it as well.
    await chmod(path, (await stat(blobs)).mode & 0o777)
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
  }
  await syncFolder(blobs)
}

/** Returns a function that creates a key's shelf once; when it resolves, the shelf survives a power cut. */
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

/** Opens the shelves. Each is created with its first blob, so that listing does not visit 256 empty folders. */
export async function openShelves(blobs: string): Promise<Shelves> {
  const keep = await openKeeping(blobs)

  const pathOf = (key: string): string => {
    // A damaged row may hold a malformed key. ENOENT makes its reader report missing bytes and go on.
    if (!hexForm.test(key)) throw Object.assign(new Error('not the key of a blob'), { code: 'ENOENT' })
    return join(blobs, shelfOf(key), key)
  }

  // O_NOFOLLOW checks only the last part of a path, so the shelf itself needs a check of its own.
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
