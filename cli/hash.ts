/** Hashes local content with SHA-256, to compare it with the server's. */
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Returns the hash of a stream's bytes, in hex. Throws if the signal aborts, and the stream's own errors. */
export async function hashOf(content: Readable, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(content, hash, { signal })
  return hash.digest('hex')
}
