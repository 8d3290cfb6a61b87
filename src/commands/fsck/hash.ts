/** Hashes bytes at no more than a given rate. */
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { openPace } from '../../base/pace.ts'
import type { Check } from './finding.ts'

/** The SHA-256 of bytes, in hex. */
export type HashBytes = (source: Readable | readonly Buffer[]) => Promise<string>

/** Stops in the middle of a file when the check is aborted. */
export function openHashing({ deps: { clock }, options: { rate }, signal, counts, listener }: Check): HashBytes {
  const pace = openPace(rate, clock, signal)
  return async source => {
    const hash = createHash('sha256')
    for await (const chunk of source as AsyncIterable<Buffer>) {
      signal.throwIfAborted()
      hash.update(chunk)
      counts.hashed_bytes += chunk.length
      listener.onHashed(chunk.length)
      await pace(chunk.length)
    }
    return hash.digest('hex')
  }
}
