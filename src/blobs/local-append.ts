/** Appends to files of the local store, from one request to the next. */
import { constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import type { Appended, AppendOptions } from './blob-store.ts'
import { isGone } from './local-access.ts'
import type { Shelves } from './local-shelves.ts'
import { openPieces } from './pieces.ts'
import { writeDurably } from './write-durably.ts'

const appendFlags = constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Opens the file with exactly `length` bytes; length 0 makes it. */
async function openAt(shelves: Shelves, key: string, length: number): Promise<FileHandle> {
  const path = length === 0 ? await shelves.newPlaceOf(key) : await shelves.placeOf(key)
  const file = await open(path, length === 0 ? appendFlags | constants.O_CREAT : appendFlags, 0o600)
  try {
    const stats = await file.stat()
    if (!stats.isFile() || stats.size < length) throw isGone()
    if (stats.size > length) await file.truncate(length)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** See `BlobStore.append`. A local file needs no state. */
export async function appendToFile(
  shelves: Shelves,
  key: string,
  offset: number,
  source: AsyncIterable<Buffer>,
  { state, onDurable }: AppendOptions,
): Promise<Appended & { broken: unknown }> {
  if (state !== null) throw isGone()
  const file = await openAt(shelves, key, offset)
  const pieces = openPieces(source)
  let length = offset
  try {
    do {
      length += await writeDurably(file, pieces.next(), length)
      if (offset === 0) await shelves.sync(key)
      if (pieces.hasMore()) await onDurable({ length, state })
    } while (pieces.hasMore())
    return { length, state, broken: pieces.broken() }
  } finally {
    await pieces.close()
    await file.close()
  }
}

/** See `BlobStore.seal`. */
export async function sealFile(shelves: Shelves, key: string, { length, state }: Appended): Promise<void> {
  const stats = state === null ? await lstat(await shelves.placeOf(key)) : undefined
  if (!stats?.isFile() || stats.size < length) throw isGone()
  if (stats.size === length) return
  const file = await openAt(shelves, key, length)
  try {
    await file.datasync()
  } finally {
    await file.close()
  }
}
