/** Removes bytes in the background of the requests that deleted their rows, or uploaded equal ones. */

import { second } from '../base/clock.ts'
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
   * read the key before the commit may open it. Does not wait.
   */
  addLater(keys: readonly string[]): void
  /** Removes at once what was to be removed later; resolves when all has been done. */
  settled(): Promise<void>
  /**
   * Removes on a local disk at once what was to be removed later, and resolves when all is done. Leaves to the sweeper
   * what a backup holds, and what was to be removed later in a remote store, which may take long.
   */
  close(): Promise<void>
}

const mostWaiting = 1_000

/** Keys that wait for the end of a backup; what is beyond is left to the sweeper. */
const mostHeld = 100_000

interface RemovalDeps {
  store: BlobStore
  log: Log
  leases: Leases
}

/**
 * Removes bytes, and returns those that a running backup may need, which must be removed after it. Those that cannot be
 * removed now are left to the sweeper.
 */
async function removeBytes({ store, log, leases }: RemovalDeps, keys: readonly string[]): Promise<readonly string[]> {
  try {
    const isHeld = await leases.isHeld(backupPrefix)
    // In case the server ends before the backup: the sweeper leaves young bytes alone.
    for (const key of keys) await (isHeld ? store.rejuvenate(key) : store.remove(key))
    return isHeld ? keys : []
  } catch (error) {
    log.warn({ err: error }, 'unnamed bytes stay in the store')
    return []
  }
}

/** Does what is queued in order, one file at a time. Looks every `pause` ms whether a backup that held bytes has ended. */
export function openRemovals(deps: RemovalDeps, pause = 10 * second): Removals {
  let last = Promise.resolve()
  let waiting = 0

  let held: string[] = []
  let look: NodeJS.Timeout | undefined

  /** Tries again later, all together: the backup holds them all until its end. */
  function hold(keys: readonly string[]): void {
    if (keys.length === 0 || held.length + keys.length > mostHeld) return
    held.push(...keys)
    look ??= setTimeout(() => {
      const again = held
      held = []
      look = undefined
      void add(again)
    }, pause).unref()
  }

  async function queue(keys: number, work: () => Promise<void>): Promise<void> {
    if (keys === 0) return
    waiting += keys
    last = last.then(work).then(() => {
      waiting -= keys
    })
    if (waiting > mostWaiting) await last
  }

  const add = (keys: readonly string[]) => queue(keys.length, async () => hold(await removeBytes(deps, keys)))
  /** What is added later, and the timers for it. */
  const later = new Map<readonly string[], NodeJS.Timeout>()

  function addNow(keys: readonly string[]): void {
    clearTimeout(later.get(keys))
    later.delete(keys)
    void add(keys)
  }

  async function settled(): Promise<void> {
    for (const keys of [...later.keys()]) addNow(keys)
    await last
  }

  return {
    add,
    addLater: keys => {
      if (keys.length > 0) later.set(keys, setTimeout(() => addNow(keys), deps.store.timeToOpen).unref())
    },
    settled,
    close: async () => {
      if (deps.store.local !== null) await settled()
      for (const timer of later.values()) clearTimeout(timer)
      clearTimeout(look)
      await last
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
