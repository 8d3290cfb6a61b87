/**
 * Counts the bytes of uploads in progress, by target space. They are charged to the space only once stored; without
 * this count, uploads that never end could fill the disk. Each process counts its own uploads.
 */
import type { Allowance } from '../blobs/receive.ts'
import type { Database } from '../db/database.ts'
import { findQuota, type Quota, quotaExceeded } from './space.ts'

interface Upload {
  /** Bytes. */
  received: number
  /** The most bytes that replacing a file can free; null until needed. */
  returned: number | null
  /** Resolves when storing has succeeded or failed; null before storing begins. */
  storing: Promise<void> | null
}

interface Space {
  uploads: Set<Upload>
  /** Bytes left in the quota when it was last read, minus those of uploads stored since. */
  free: number
  /** The most bytes that all uploads in progress may have together, whatever they replace. */
  most: number
  /** Bytes of all uploads that have been stored. */
  stored: number
}

/** Bytes by which an upload exceeds what it replaces. */
const excessOf = ({ received, returned }: Upload, more = 0): number => Math.max(0, received + more - (returned ?? 0))

/** Whether an upload may add this many bytes. `doubtful` bytes may be counted twice and are subtracted. */
function fits({ uploads, free, most }: Space, upload: Upload, bytes: number, doubtful = 0): boolean {
  let [received, excess] = [bytes, 0]
  for (const other of uploads) {
    received += other.received
    excess += excessOf(other, other === upload ? bytes : 0)
  }
  // An upload no larger than the file it replaces always fits, even if the quota was lowered.
  return received - doubtful <= most && (excessOf(upload, bytes) === 0 || excess - doubtful <= free)
}

/** Reads the quota. `since` is the bytes of uploads stored during the read, which the quota may already include. */
async function look(db: Database, spaceId: number, space: Space): Promise<{ quota: Quota; since: number }> {
  const { stored } = space
  const quota = await findQuota(db, spaceId)
  const since = space.stored - stored
  space.free = quota.storage_quota - quota.storage_used - quota.storage_reserved - since
  space.most = Math.max(quota.storage_quota, quota.storage_used)
  return { quota, since }
}

/** An upload whose bytes are counted from its first byte until it has been stored or discarded. */
interface CountedUpload extends Pick<Allowance, 'take' | 'store' | 'end'> {
  /** Must be called before any byte is taken. Throws `not_found` if the space is gone. */
  readQuota(): Promise<Quota>
  /** Throws `quota_exceeded` if this many bytes would not fit; does not count them. */
  require(bytes: number): Promise<void>
}

/** Opens the count of a process. `findReturned` returns the most bytes that replacing a file can free. */
export function openUnderWay(db: Database) {
  const spaces = new Map<number, Space>()
  return (spaceId: number, findReturned: () => Promise<number>): CountedUpload => {
    const space = spaces.get(spaceId) ?? { uploads: new Set(), free: 0, most: 0, stored: 0 }
    const upload: Upload = { received: 0, returned: null, storing: null }
    space.uploads.add(upload)
    spaces.set(spaceId, space)

    function end(): void {
      if (!space.uploads.delete(upload)) return
      if (upload.storing !== null) {
        space.free -= upload.received
        space.stored += upload.received
      }
      if (space.uploads.size === 0) spaces.delete(spaceId)
    }

    /** Checks that `bytes` fit and counts `received` in the same turn of the event loop. Throws `quota_exceeded`. */
    async function admit(bytes: number, received: number): Promise<void> {
      while (!fits(space, upload, bytes)) {
        upload.returned ??= await findReturned()
        const { since } = await look(db, spaceId, space)
        if (fits(space, upload, bytes)) break
        // Uploads being stored may be charged already. If it fits without counting them, wait for one of them to
        // finish.
        const storing = [...space.uploads].filter(other => other.storing !== null)
        const doubtful = storing.reduce((sum, other) => sum + other.received, since)
        if (!fits(space, upload, bytes, doubtful)) {
          // End the upload now, not when its bytes are removed, so that the next upload can use the room.
          end()
          throw quotaExceeded()
        }
        if (storing.length > 0) await Promise.race(storing.map(other => other.storing))
      }
      upload.received += received
    }

    return {
      readQuota: async () => (await look(db, spaceId, space)).quota,
      require: bytes => admit(bytes, 0),
      take: bytes => admit(bytes, bytes),
      store: async work => {
        let settle: () => void = () => undefined
        upload.storing = new Promise(resolve => {
          settle = resolve
        })
        try {
          return await work()
        } finally {
          end()
          settle()
        }
      },
      end,
    }
  }
}
