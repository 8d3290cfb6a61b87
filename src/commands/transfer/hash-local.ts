/** Hashes local files, to compare their content with that of items. */
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

/** Bytes per read, as in the store. */
export const readSize = 1024 ** 2

/** Returns the SHA-256 of an open local file, in hex, and closes it. Throws if it cannot be read. */
export async function hashLocal(file: FileHandle, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(file.createReadStream({ highWaterMark: readSize }), hash, { signal })
  return hash.digest('hex')
}
