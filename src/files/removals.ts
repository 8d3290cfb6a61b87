/** Removes bytes that no row names any more, beside the requests whose writes have taken those rows away. */

import type { Log } from '../base/log.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { backupPrefix, type Leases } from '../db/leases.ts'

export interface Removals {
  /**
   * Takes keys after the commit that took their rows. Returns before their bytes are gone, because the time of an answer
   * would tell whether somebody else has the same content; waits only where more than 1,000 keys are left to remove, so
   * that deleting a large tree needs no more memory. Never throws.
   */
  add(keys: readonly string[]): Promise<void>
  /** Resolves when all that was added is done. */
  settled(): Promise<void>
}

const mostWaiting = 1_000

interface RemovalDeps {
  store: BlobStore
  log: Log
  leases: Leases
}

/** What cannot be removed now, or is held by a backup, is left to the sweeper. */
async function removeBytes({ store, log, leases }: RemovalDeps, keys: readonly string[]): Promise<void> {
  try {
    const isHeld = await leases.isHeld(backupPrefix)
    for (const key of keys) await (isHeld ? store.rejuvenate(key) : store.remove(key))
  } catch (error) {
    log.warn({ err: error }, 'unnamed bytes stay in the store')
  }
}

/** Removes what is added in its order, one file at a time. */
export function openRemovals(deps: RemovalDeps): Removals {
  let last = Promise.resolve()
  let waiting = 0

  async function removeNext(before: Promise<void>, keys: readonly string[]): Promise<void> {
    await before
    await removeBytes(deps, keys)
    waiting -= keys.length
  }

  return {
    async add(keys) {
      if (keys.length === 0) return
      waiting += keys.length
      last = removeNext(last, keys)
      if (waiting > mostWaiting) await last
    },
    settled: () => last,
  }
}
