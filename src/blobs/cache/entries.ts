/**
 * The cache's folder: an entry for each object and file that was read, in 256 folders. Its modification time says when it
 * was read last.
 */
import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { minute } from '../../base/clock.ts'
import { readSpace } from '../disk-space.ts'
import { floorOf, isFull } from '../free-space.ts'
import { createFlags, ignoreMissing, readFlags } from '../local-access.ts'
import { type CachedObject, fileSizeOf } from './frames.ts'
import { trimCache } from './trim.ts'

export interface CachePlace {
  folder: string
  /** The most bytes of all its files. */
  size: number
  /** Processes that write to the folder. */
  workers: number
  /** As in `Config`. */
  minFreeSpace: number | null
}

/** An object that is being written. */
export interface Draft {
  file: FileHandle
  /** Puts the object in its place. */
  keep(): Promise<void>
  /** Closes the file, and removes what was not kept. */
  end(): Promise<void>
}

export interface CacheEntries {
  /** Opens an object's file, whose bytes are not checked yet; null if there is none of that size. */
  open(object: CachedObject): Promise<FileHandle | null>
  /** Begins to write an object; null if there is no room for it now, or it is being written already. */
  begin(object: CachedObject): Promise<Draft | null>
  /** Removes an object's entries. */
  remove(key: string): Promise<void>
}

/** ms; a file that is read again within this time keeps its modification time. */
const touchesEvery = minute
/** The processes together trim the folder each time that they have written this part of its size. */
const trimShare = 8

const isGood = async (file: FileHandle, size: number): Promise<boolean> => {
  const stats = await file.stat()
  if (!stats.isFile() || stats.size !== fileSizeOf(size)) return false
  const now = new Date()
  if (now.getTime() - stats.mtimeMs > touchesEvery) await file.utimes(now, now)
  return true
}

/** Opens the folder, which is created with the first object. */
export function openEntries({ folder, size: most, workers, minFreeSpace }: CachePlace): CacheEntries {
  const folderOf = (key: string): string => join(folder, key.slice(0, 2))
  const pathOf = ({ key, file }: CachedObject): string => join(folderOf(key), `${key}.${file}`)
  const writing = new Set<string>()
  const step = most / trimShare / workers
  /** Bytes since the folder was trimmed; before the first time nobody knows what it holds. */
  let written = 2 * step
  let isTrimming = false

  /** While the folder is trimmed, once more as much may be written. */
  async function trim(): Promise<void> {
    if (isTrimming || written < step) return
    isTrimming = true
    const before = written
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await trimCache(folder, most - 2 * step * workers, Date.now())
      written -= before
    } catch {
      // Nothing is written until a later try succeeds.
    } finally {
      isTrimming = false
    }
  }

  async function hasRoom(size: number): Promise<boolean> {
    void trim()
    if (written + size > 2 * step) return false
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const { free, total } = await readSpace(folder)
    return !isFull({ free, floor: floorOf(minFreeSpace, total) }, size)
  }

  async function begin(object: CachedObject): Promise<Draft | null> {
    const path = pathOf(object)
    const { size } = object
    if (writing.has(path) || !(await hasRoom(size))) return null
    const draft = `${path}.${randomUUID()}`
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const file = await open(draft, createFlags, 0o600)
    writing.add(path)
    written += size
    return {
      file,
      keep: () => rename(draft, path),
      end: async () => {
        writing.delete(path)
        await file.close()
        await rm(draft, { force: true })
      },
    }
  }

  return {
    open: async object => {
      const file = await open(pathOf(object), readFlags).catch(() => null)
      if (file === null || (await isGood(file, object.size).catch(() => false))) return file
      await file.close()
      return null
    },
    begin: object => begin(object).catch(() => null),
    remove: async key => {
      const names = await readdir(folderOf(key)).catch(ignoreMissing)
      for (const name of names ?? []) {
        if (name.startsWith(key)) await rm(join(folderOf(key), name), { force: true })
      }
    },
  }
}
