/** Removes bytes in the background of the requests that deleted their rows, or uploaded equal ones. */

import { second } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { findLastNeeded } from '../db/backup-leases.ts'
import type { Leases } from '../db/leases.ts'

/** Bytes that no row names any more. */
export interface UnnamedBytes {
  key: string
  /**
   * ms; since when a content's row named them: a backup that had read its rows before does not need them. Null if no
   * content's row ever did, as for thumbnails and unfinished uploads, which are in no backup.
   */
  namedAt: number | null
}

export interface Removals {
  /**
   * Queues bytes for removal; call it after the commit that deleted their rows. Returns before the bytes are gone;
   * otherwise the response time would reveal whether another user has the same content. Waits only if more than 1,000
   * of them are queued, so that deleting a large tree needs no more memory. Never throws.
   */
  add(unnamed: readonly UnnamedBytes[]): Promise<void>
  /**
   * Queues bytes of contents that have others by now for removal after the store's `timeToOpen`: until then whoever
   * read the key before the commit may open it. Does not wait.
   */
  addLater(unnamed: readonly UnnamedBytes[]): void
  /** Removes at once what was to be removed later; resolves when all has been done. */
  settled(): Promise<void>
  /**
   * Removes on a local disk at once what was to be removed later, and resolves when all is done. Leaves to the sweeper
   * what a backup holds, and what was to be removed later in a remote store, which may take long.
   */
  close(): Promise<void>
}

const mostWaiting = 1_000

/** Bytes that wait for the end of a backup; what is beyond is left to the sweeper. */
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
async function removeBytes(
  { store, log, leases }: RemovalDeps,
  unnamed: readonly UnnamedBytes[],
  isFirst: boolean,
): Promise<readonly UnnamedBytes[]> {
  try {
    const lastNeeded = await findLastNeeded(leases)
    const isNeeded = ({ namedAt }: UnnamedBytes) => namedAt !== null && !(namedAt > lastNeeded)
    for (const bytes of unnamed) {
      if (!isNeeded(bytes)) await store.remove(bytes.key)
      // In case the server ends before the backup: the sweeper leaves young bytes alone. Once is enough, because an
      // object store copies them for it.
      else if (isFirst) await store.rejuvenate(bytes.key)
    }
    return unnamed.filter(isNeeded)
  } catch (error) {
    log.warn({ err: error }, 'unnamed bytes stay in the store')
    return []
  }
}

/** Does what is queued in order, one file at a time. Looks every `pause` ms whether a backup that held bytes has ended. */
export function openRemovals(deps: RemovalDeps, pause = 10 * second): Removals {
  let last = Promise.resolve()
  let waiting = 0

  let held: UnnamedBytes[] = []
  let look: NodeJS.Timeout | undefined

  /** Tries again later, all together. */
  function hold(unnamed: readonly UnnamedBytes[]): void {
    if (unnamed.length === 0 || held.length + unnamed.length > mostHeld) return
    held.push(...unnamed)
    look ??= setTimeout(() => {
      const again = held
      held = []
      look = undefined
      void queue(again, false)
    }, pause).unref()
  }

  async function queue(unnamed: readonly UnnamedBytes[], isFirst: boolean): Promise<void> {
    if (unnamed.length === 0) return
    waiting += unnamed.length
    last = last.then(async () => {
      hold(await removeBytes(deps, unnamed, isFirst))
      waiting -= unnamed.length
    })
    if (waiting > mostWaiting) await last
  }

  const add = (unnamed: readonly UnnamedBytes[]) => queue(unnamed, true)
  /** What is added later, and the timers for it. */
  const later = new Map<readonly UnnamedBytes[], NodeJS.Timeout>()

  function addNow(unnamed: readonly UnnamedBytes[]): void {
    clearTimeout(later.get(unnamed))
    later.delete(unnamed)
    void add(unnamed)
  }

  async function settled(): Promise<void> {
    for (const unnamed of [...later.keys()]) addNow(unnamed)
    await last
  }

  return {
    add,
    addLater: unnamed => {
      if (unnamed.length > 0) later.set(unnamed, setTimeout(() => addNow(unnamed), deps.store.timeToOpen).unref())
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
  { outdated, unnamed }: { outdated: readonly UnnamedBytes[]; unnamed: readonly UnnamedBytes[] },
): Promise<void> {
  await removals.add(unnamed)
  removals.addLater(outdated)
}
