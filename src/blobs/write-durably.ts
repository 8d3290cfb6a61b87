/** Writes a stream to a file, of which all is on the disk at the end. */
import type { FileHandle } from 'node:fs/promises'

/** Bytes gathered for one write; the next gathers while it runs. */
const writeSize = 1024 ** 2
/** Bytes of one source that are not on the disk yet, at most: gathered, and being written. */
export const gatheredAtMost = 2 * writeSize
/** Bytes after which the disk is told to begin: else it does nothing while they come in, and all of its work at the end. */
const syncEvery = 32 * 1024 ** 2

/**
 * Writes all of `source`; durable when it resolves. A megabyte at a time while the next is gathered, so that the source
 * and the disk work at once.
 */
export async function writeDurably(file: FileHandle, source: AsyncIterable<Buffer>): Promise<void> {
  let gathered: Buffer[] = []
  let size = 0
  let unsynced = 0
  let writing: Promise<void> = Promise.resolve()
  let syncing: Promise<void> = Promise.resolve()
  const flush = async () => {
    const batch = gathered
    gathered = []
    unsynced += size
    size = 0
    await writing
    if (unsynced >= syncEvery) {
      // What the disk could not keep it tells once: no later sync would know of it.
      await syncing
      unsynced = 0
      syncing = heard(file.datasync())
    }
    writing = heard(writeBatch(file, batch))
  }
  try {
    for await (const chunk of source) {
      gathered.push(chunk)
      size += chunk.length
      if (size >= writeSize) await flush()
    }
    await flush()
  } finally {
    await Promise.all([writing, syncing])
  }
  await file.datasync()
}

/** The same promise: who awaits it later hears of a failure, and meanwhile it does not count as unhandled. */
function heard<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

async function writeBatch(file: FileHandle, batch: Buffer[]): Promise<void> {
  if (batch.length === 0) return
  const total = batch.reduce((sum, chunk) => sum + chunk.length, 0)
  const { bytesWritten } = await file.writev(batch)
  // A disk that fills up takes less than it was given before it fails.
  if (bytesWritten < total) await file.writeFile(Buffer.concat(batch).subarray(bytesWritten))
}
