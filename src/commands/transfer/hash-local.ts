/** Hashes local files, to compare their content with that of items. */
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { readSizeFor } from '../../blobs/local-access.ts'

/** Returns the SHA-256 of an open local file of this size, in hex, and closes it. Throws if it cannot be read. */
export async function hashLocal(file: FileHandle, size: number, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(file.createReadStream({ highWaterMark: readSizeFor(size) }), hash, { signal })
  return hash.digest('hex')
}
