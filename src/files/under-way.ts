/**
 * Counts the bytes of uploads under way, by the space that they come into. Nobody is charged for them before they are
 * stored, so uploads that never end would fill the disk. Other processes count their own.
 */
import type { Allowance } from '../blobs/receive.ts'
import type { Database } from '../db/database.ts'
import { findQuota, type Quota, quotaExceeded } from './space.ts'

interface Upload {
  /** Bytes. */
  received: number
  /** Bytes that a replaced file gives back, at most; null until somebody has to know. */
  returned: number | null
  /** Resolves when it has been stored, or has failed to be; null before. */
  storing: Promise<void> | null
}

interface Space {
  uploads: Set<Upload>
  /** Bytes that the quota had left at the last look, less those of uploads stored since. */
  free: number
  /** Bytes that uploads may bring together, whatever they replace. */
  most: number
  /** Bytes of all uploads that have been stored. */
  stored: number
}

/** Bytes by which an upload exceeds what it replaces. */
const excessOf = ({ received, returned }: Upload, more = 0): number => Math.max(0, received + more - (returned ?? 0))

/** Whether an upload may bring so many bytes more, where `doubtful` ones of the others count twice. */
function fits({ uploads, free, most }: Space, upload: Upload, bytes: number, doubtful = 0): boolean {
  let [received, excess] = [bytes, 0]
  for (const other of uploads) {
    received += other.received
    excess += excessOf(other, other === upload ? bytes : 0)
  }
  // What replaces as much as it brings fits also where the quota was lowered.
  return received - doubtful <= most && (excessOf(upload, bytes) === 0 || excess - doubtful <= free)
}

/** Reads the quota; gives back with it the bytes of uploads that were stored meanwhile: what was read may know of them. */
async function look(db: Database, spaceId: number, space: Space): Promise<{ quota: Quota; since: number }> {
  const { stored } = space
  const quota = await findQuota(db, spaceId)
  const since = space.stored - stored
  space.free = quota.storage_quota - quota.storage_used - since
  space.most = Math.max(quota.storage_quota, quota.storage_used)
  return { quota, since }
}

/** An upload whose bytes count from its first to when it is stored, or they are gone. */
interface CountedUpload extends Pick<Allowance, 'take' | 'store' | 'end'> {
  /** Has to be called before any byte is taken. Throws `unauthenticated` for a space that is gone. */
  readQuota(): Promise<Quota>
  /** Throws `quota_exceeded` where so many bytes could not come; none of them are counted. */
  require(bytes: number): Promise<void>
}

/** Opens the count of a process. `findReturned` tells how many bytes a replaced file gives back, at most. */
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

    /** Counts `received` of so many bytes that have to fit, in the same turn in which they are found to. */
    async function admit(bytes: number, received: number): Promise<void> {
      while (!fits(space, upload, bytes)) {
        upload.returned ??= await findReturned()
        const { since } = await look(db, spaceId, space)
        if (fits(space, upload, bytes)) break
        // Those that are being stored may be charged already; as long as that is all that is too much, it is waited for.
        const storing = [...space.uploads].filter(other => other.storing !== null)
        const doubtful = storing.reduce((sum, other) => sum + other.received, since)
        if (!fits(space, upload, bytes, doubtful)) {
          // At once, and not when they are removed: the next that asks may have their room.
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
