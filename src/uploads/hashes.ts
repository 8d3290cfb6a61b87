/** Keeps the hash of an upload's bytes from one request to the next, so that nothing is read again at its end. */
import { minute, second } from '../base/clock.ts'
import type { StreamHash } from '../blobs/hash.ts'

/** Hashes that are kept at once. */
const most = 64
/** ms; a thread is soon needed for another upload. */
const keptFor = { here: 10 * minute, beside: 30 * second }

/** A hash of the first `size` bytes. */
export interface SizedHash {
  hash: StreamHash
  size: number
}

interface Kept extends SizedHash {
  epoch: number
  timer: NodeJS.Timeout
}

export interface Hashes {
  /** Takes the hash of the first `size` bytes; undefined if it was not kept, or another process has written since. */
  take(id: string, size: number, epoch: number): StreamHash | undefined
  keep(id: string, hash: SizedHash, epoch: number): void
  /** Frees the hash of an upload that ends. */
  drop(id: string): void
}

export function openHashes(): Hashes {
  const kept = new Map<string, Kept>()

  function remove(id: string): Kept | undefined {
    const found = kept.get(id)
    clearTimeout(found?.timer)
    kept.delete(id)
    return found
  }

  const drop = (id: string): void => remove(id)?.hash.close()

  return {
    take: (id, size, epoch) => {
      const found = remove(id)
      // One process may have asked for the upload meanwhile. If it had taken it, the epoch would have grown twice.
      if (found === undefined || (found.size === size && epoch - found.epoch <= 1)) return found?.hash
      found.hash.close()
      return undefined
    },
    keep: (id, { hash, size }, epoch) => {
      drop(id)
      const [oldest] = kept.keys()
      if (oldest !== undefined && kept.size >= most) drop(oldest)
      const timer = setTimeout(() => drop(id), keptFor[hash.isBeside ? 'beside' : 'here']).unref()
      kept.set(id, { hash, size, epoch, timer })
    },
    drop,
  }
}
