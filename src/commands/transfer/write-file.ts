/** Writes one file of an export, unless the disk has the same bytes already. */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { lstat, open, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../base/errors.ts'
import { readFlags } from '../../blobs/local-access.ts'
import type { Deps } from '../../deps.ts'
import { findLive } from '../../files/find-in-space.ts'
import type { DetailsRow } from '../../files/item-row.ts'
import { openContent, unreadable } from '../../files/read.ts'
import { newDraft } from './drafts.ts'
import { hashLocal } from './hash-local.ts'

interface FileWriter {
  deps: Deps
  spaceId: number
  signal: AbortSignal
}

const timeOf = (row: DetailsRow): number => row.modified_at ?? row.updated_at

/**
 * Whether the disk has the file with the row's size, time and content. It reads the bytes, because users set the times
 * of their files, so other content may have the same size and time.
 */
export async function isThere(path: string, row: DetailsRow, signal: AbortSignal): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined)
  // A file system may store times less precisely than they were given.
  const isSameTime = Math.abs((stats?.mtimeMs ?? 0) - timeOf(row)) < 2
  if (stats?.isFile() !== true || stats.size !== row.size || !isSameTime) return false
  // A file that cannot be read may still be replaced.
  const sha256 = await open(path, readFlags)
    .then(file => hashLocal(file, stats.size, signal))
    .catch(() => signal.throwIfAborted())
  return sha256 === row.sha256
}

/** Opens the content of a file. If it was replaced after its row was read, opens the current content instead. */
async function openNow({ deps, spaceId }: FileWriter, row: DetailsRow) {
  try {
    return { row, content: await openContent(deps, row) }
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'unavailable')) throw error
    const now = await findLive(deps.db, spaceId, row.id)
    return { row: now, content: await openContent(deps, now) }
  }
}

/** Writes a content to a new file. Throws `internal` if it is not the one that was stored. */
async function writeChecked(
  content: Readable,
  path: string,
  { sha256, signal }: { sha256: string | null; signal: AbortSignal },
): Promise<void> {
  const hash = createHash('sha256')
  async function* hashed(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
  await pipeline(content, hashed, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal })
  if (hash.digest('hex') !== sha256) throw unreadable(new Error('its bytes have changed in the store'))
}

/** Writes a file so that it is at its path completely or not at all. Returns its size in bytes. */
export async function writeWhole(writer: FileWriter, row: DetailsRow, path: string): Promise<number> {
  const draft = newDraft(dirname(path))
  const { row: now, content } = await openNow(writer, row)
  try {
    if (Buffer.isBuffer(content)) await writeFile(draft, content, { flag: 'wx', mode: 0o600 })
    else await writeChecked(content, draft, { sha256: now.sha256, signal: writer.signal })
    const time = new Date(timeOf(now))
    await utimes(draft, time, time)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  return now.size
}
