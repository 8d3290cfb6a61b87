/** Hashes local files, to compare their content with that of items. */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

/** Bytes per read, as in the store. */
export const readSize = 1024 ** 2

/**
 * Returns the SHA-256 of a local file, in hex. Throws if it cannot be read, and if a link has replaced it since it was
 * found.
 */
export async function hashLocal(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  await pipeline(file.createReadStream({ highWaterMark: readSize }), hash, { signal })
  return hash.digest('hex')
}
