/** What the local store can do because its bytes are files: adopt files, and let local programs read them. */
import { constants } from 'node:fs'
import { copyFile, link, lstat, open, readdir, rm } from 'node:fs/promises'
import { relative } from 'node:path'
import { systemCode } from '../base/errors.ts'
import type { LocalFiles } from './blob-store.ts'
import { readSpace } from './disk-space.ts'
import { ignoreForeign, ignoreMissing, readFlags } from './local-access.ts'
import { isBlob, isShelf, type Shelves } from './local-shelves.ts'

/** The group's bit to read. */
const groupReads = 0o040

export const openLocalFiles = (folder: string, shelves: Shelves): LocalFiles => ({
  folder,
  adopt: (key, path, mode) => adopt(shelves, key, path, mode),
  fileOf: shelves.pathOf,
  share: async (key, size) => {
    const path = await shareFile(shelves, key, size)
    return path === null ? null : relative(folder, path)
  },
  listStrangers: () => listStrangers(shelves),
  space: () => readSpace(shelves.blobs),
})

async function adopt(shelves: Shelves, key: string, path: string, mode: 'reflink' | 'link'): Promise<void> {
  const target = await shelves.newPlaceOf(key)
  if (mode === 'link') await link(path, target)
  else await copyFile(path, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE)
  try {
    const file = await open(target, readFlags)
    try {
      if (!(await file.stat()).isFile()) throw new Error(`${path} is not a regular file`)
      await file.datasync()
    } finally {
      await file.close()
    }
    await shelves.sync(key)
  } catch (error) {
    await rm(target, { force: true })
    throw error
  }
}

async function shareFile(shelves: Shelves, key: string, size: number): Promise<string | null> {
  const path = await shelves.placeOf(key).catch(ignoreForeign)
  const stats = path === undefined ? undefined : await lstat(path).catch(ignoreMissing)
  // A file with a second hard link is not the store's alone, so its mode and group are not ours to change.
  if (path === undefined || !stats?.isFile() || stats.size !== size || stats.nlink > 1) return null
  return (stats.mode & groupReads) !== 0 || (await letGroupRead(path)) ? path : null
}

/** When a file's group may read it, lets the group read the file that is about to replace it as well. */
export async function shareAlike(path: string, other: string): Promise<void> {
  const stats = await lstat(path).catch(ignoreMissing)
  if (stats?.isFile() && (stats.mode & groupReads) !== 0) await letGroupRead(other)
}

/** Returns false for another user's file, which can only be one that was linked in. */
async function letGroupRead(path: string): Promise<boolean> {
  const file = await open(path, readFlags)
  try {
    await file.chmod(((await file.stat()).mode & 0o777) | groupReads)
    return true
  } catch (error) {
    if (systemCode(error) === 'EPERM') return false
    throw error
  } finally {
    await file.close()
  }
}

async function* listStrangers({ blobs, entries }: Shelves): AsyncGenerator<string> {
  for (const entry of await readdir(blobs, { withFileTypes: true })) if (!isShelf(entry)) yield entry.name
  for await (const found of entries()) if (!isBlob(found)) yield `${found.shelf}/${found.entry.name}`
}
