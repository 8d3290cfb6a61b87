/** Counts what a server stores, so that a test can show that a refused call left nothing behind. */
import { readdirSync, readlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { TestServer } from './test-server.ts'

export interface Holdings {
  files: number
  blobs: number
  blobBytes: number
  /** Bytes that count against the quotas of all spaces together. */
  storageUsed: number
  itemCount: number
  /** Keys in the blob folder. */
  keys: string[]
}

export async function readHoldings({ deps: { db, store, removals } }: TestServer): Promise<Holdings> {
  await removals.settled()
  const counts = await db.row<Omit<Holdings, 'keys'>>(
    `SELECT (SELECT COUNT(*) FROM files) AS files, (SELECT COUNT(*) FROM blobs) AS blobs,
      (SELECT COUNT(*) FROM blob_bytes) AS blobBytes,
      (SELECT SUM(storage_used) FROM spaces) AS storageUsed, (SELECT SUM(item_count) FROM spaces) AS itemCount`,
  )
  if (counts === undefined) throw new Error('the database does not count')
  const keys: string[] = []
  for await (const { key } of store.list()) keys.push(key)
  return { ...counts, keys: keys.sort() }
}

/** How many files of the store this process has open, without the folders that a sweep opens. */
export function countOpenBlobs({ dataDir }: TestServer): number {
  const blobs = join(dataDir, 'storage', 'blobs')
  const isBlob = (fd: string) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`)
      return path.startsWith(blobs) && /^[0-9a-f]{64}/.test(basename(path))
    } catch {
      return false
    }
  }
  return readdirSync('/proc/self/fd').filter(isBlob).length
}
