/** Removes bytes in the background of the requests that deleted their rows, or uploaded equal ones. */

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
   * Queues keys of contents that have other bytes by now for removal after the store's `timeToOpen`: until then whoever
   * read the key before the commit may open it. Does not wait. If the server ends before, the sweeper removes them.
   */
  addLater(keys: readonly string[]): void
  /** Removes at once what was to be removed later; resolves when all has been done. */
  settled(): Promise<void>
  /** Leaves what was to be removed later to the sweeper; resolves when all else has been done. */
  close(): Promise<void>
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

  const add = (keys: readonly string[]) => queue(keys.length, () => removeBytes(deps, keys))
  /** What is added later, and the timers for it. */
  const later = new Map<readonly string[], NodeJS.Timeout>()

  function addNow(keys: readonly string[]): void {
    clearTimeout(later.get(keys))
    later.delete(keys)
    void add(keys)
  }

  return {
    add,
    addLater: keys => {
      if (keys.length > 0) later.set(keys, setTimeout(() => addNow(keys), deps.store.timeToOpen).unref())
    },
    settled: () => {
      for (const keys of [...later.keys()]) addNow(keys)
      return last
    },
    close: () => {
      for (const timer of later.values()) clearTimeout(timer)
      return last
    },
  }
}

/** Removes the bytes that a committed upload has made superfluous, or has replaced. */
export async function settleBytes(
  removals: Removals,
  { outdated, unnamed }: { outdated: readonly string[]; unnamed: readonly string[] },
): Promise<void> {
  await removals.add(unnamed)
  removals.addLater(outdated)
}
