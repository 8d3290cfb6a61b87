/** Removes bytes that no row refers to any more, in the background of the requests that deleted the rows. */

import type { Log } from '../base/log.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { backupPrefix, type Leases } from '../db/leases.ts'

export interface Removals {
  /**
   * Queues keys for removal; call it after the commit that deleted their rows. Returns before the bytes are gone;
   * otherwise the response time would reveal whether another user has the same content. Waits only if more than 1,000
   * keys are queued, so that deleting a large tree needs no more memory. Never throws.
   */
  add(keys: readonly string[]): Promise<void>
  /** Resolves when all added keys have been processed. */
  settled(): Promise<void>
}

const mostWaiting = 1_000

interface RemovalDeps {
  store: BlobStore
  log: Log
  leases: Leases
}

/** Removes bytes. Those that cannot be removed now, or that a running backup may need, are left to the sweeper. */
async function removeBytes({ store, log, leases }: RemovalDeps, keys: readonly string[]): Promise<void> {
  try {
    const isHeld = await leases.isHeld(backupPrefix)
    for (const key of keys) await (isHeld ? store.rejuvenate(key) : store.remove(key))
  } catch (error) {
    log.warn({ err: error }, 'unnamed bytes stay in the store')
  }
}

/** Removes added keys in order, one file at a time. */
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
