/** Removes and replaces bytes in the background of the requests that deleted their rows, or uploaded equal ones. */

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
  /**
   * Queues the replacement of a key's bytes by an upload's equal ones, like `add`; a removal of the key that is added
   * later comes after it. If it fails, the old bytes stay in use.
   */
  renew(key: string, by: string): Promise<void>
  /** Resolves when all that was queued has been done. */
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

async function renewBytes({ store, log }: RemovalDeps, key: string, by: string): Promise<void> {
  await store
    .replace(key, by)
    .catch(error => log.warn({ err: error }, 'an upload could not replace the stored bytes, which stay'))
}

/** Does what is queued in order, one file at a time. */
export function openRemovals(deps: RemovalDeps): Removals {
  let last = Promise.resolve()
  let waiting = 0

  async function queue(keys: number, work: () => Promise<void>): Promise<void> {
    if (keys === 0) return
    waiting += keys
    last = last.then(work).then(() => {
      waiting -= keys
    })
    if (waiting > mostWaiting) await last
  }

  return {
    add: keys => queue(keys.length, () => removeBytes(deps, keys)),
    renew: (key, by) => queue(1, () => renewBytes(deps, key, by)),
    settled: () => last,
  }
}
