/** A folder as a blob store. A write: O_EXCL at the random key, write, fdatasync, fsync of the folder. */
import { once } from 'node:events'
import { constants } from 'node:fs'
import { access, type FileHandle, lstat, lutimes, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { makeFolder } from '../base/make-folder.ts'
import { type BlobStore, type ByteRange, type ReadOptions, type StoredKey, timeToOpen } from './blob-store.ts'
import { createFlags, ignoreForeign, ignoreMissing, isGone, readFlags, readSize, readSizeFor } from './local-access.ts'
import { appendToFile, sealFile } from './local-append.ts'
import { openLocalAside } from './local-aside.ts'
import { openLocalFiles, shareAlike } from './local-files.ts'
import { readMark, saveMark } from './local-mark.ts'
import { isBlob, openShelves, type Shelves } from './local-shelves.ts'
import { readReused } from './reused-chunks.ts'
import { writeDurably } from './write-durably.ts'

/** Opens a folder as a store and creates it if needed. Each shelf is created with its first blob. */
export async function openLocalStore(folder: string): Promise<BlobStore> {
  const [blobs, quarantine] = [join(folder, 'blobs'), join(folder, 'quarantine')]
  await makeFolder(quarantine)
  await makeFolder(blobs)
  const shelves = await openShelves(blobs)
  return {
    name: folder,
    timeToOpen,
    put: (key, source) => put(shelves, key, source),
    append: (key, offset, source, options) => appendToFile(shelves, key, offset, source, options),
    seal: (key, appended) => sealFile(shelves, key, appended),
    drop: key => remove(shelves, key),
    read: (key, range, options) => read(shelves, key, range, options),
    size: key => sizeOf(shelves, key),
    redirect: async () => null,
    rejuvenate: key => rejuvenate(shelves, key),
    replace: (key, by) => replace(shelves, key, by),
    remove: key => remove(shelves, key),
    list: () => list(shelves),
    removeUnfinished: async () => undefined,
    check: () => access(blobs, constants.R_OK | constants.W_OK),
    readMark: () => readMark(folder),
    saveMark: mark => saveMark(folder, mark),
    aside: openLocalAside(quarantine, shelves),
    local: openLocalFiles(folder, shelves),
  }
}

async function put(shelves: Shelves, key: string, source: AsyncIterable<Buffer>): Promise<void> {
  const path = await shelves.newPlaceOf(key)
  const file = await open(path, createFlags, 0o600)
  try {
    await writeDurably(file, source)
    await file.close()
    await shelves.sync(key)
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(path, { force: true })
    throw error
  }
}

/**
 * Opens a blob's file and checks for a link in the shelf's place. Both run at once, because each waits for a thread.
 */
async function openBlob({ pathOf, placeOf }: Shelves, key: string): Promise<FileHandle> {
  const [file, place] = await Promise.allSettled([open(pathOf(key), readFlags), placeOf(key)])
  if (file.status === 'fulfilled' && place.status === 'fulfilled') return file.value
  if (file.status === 'fulfilled') await file.value.close()
  throw place.status === 'rejected' ? place.reason : (file as PromiseRejectedResult).reason
}

async function read(shelves: Shelves, key: string, range?: ByteRange, options: ReadOptions = {}): Promise<Readable> {
  const { reuse, whole } = options
  const file = await openBlob(shelves, key)
  let size: number
  try {
    const stats = await file.stat()
    size = stats.size
    const isOther = whole !== undefined && whole.size !== size
    if (!stats.isFile() || size <= (range?.end ?? -1) || isOther) throw isGone()
  } catch (error) {
    await file.close()
    throw error
  }
  const stream = reuse
    ? readReused(file, range ?? { start: 0, end: size - 1 }, readSize)
    : file.createReadStream({ highWaterMark: readSizeFor(size), ...range })
  // Wait for the first bytes: a read error surfaces now, while the request can still be answered with an error.
  await once(stream, 'readable')
  return stream
}

async function sizeOf({ placeOf }: Shelves, key: string): Promise<number | null> {
  const stats = await placeOf(key)
    .then(path => lstat(path))
    .catch(ignoreForeign)
  return stats?.isFile() ? stats.size : null
}

async function rejuvenate({ placeOf }: Shelves, key: string): Promise<void> {
  const now = new Date()
  await placeOf(key)
    .then(path => lutimes(path, now, now))
    .catch(ignoreForeign)
}

async function replace(shelves: Shelves, key: string, by: string): Promise<void> {
  const [from, to] = [await shelves.placeOf(by), await shelves.newPlaceOf(key)]
  await shareAlike(to, from)
  await rename(from, to)
  await shelves.sync(key)
}

async function remove({ placeOf }: Shelves, key: string): Promise<void> {
  await placeOf(key)
    .then(path => rm(path, { force: true }))
    .catch(ignoreForeign)
}

async function* list({ entries, pathOf }: Shelves): AsyncGenerator<StoredKey> {
  for await (const found of entries()) {
    if (!isBlob(found)) continue
    const key = found.entry.name
    const stats = await lstat(pathOf(key)).catch(ignoreMissing)
    if (stats !== undefined) yield { key, modifiedAt: stats.mtimeMs, size: stats.size }
  }
}
