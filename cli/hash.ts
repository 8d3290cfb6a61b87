/** SHA-256 of what lies on this machine, to compare with the server's. */
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** The hash of a stream's bytes, in hex. Throws when the signal ends it, and what the stream fails with. */
export async function hashOf(content: Readable, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(content, hash, { signal })
  return hash.digest('hex')
}
