/**
 * Counts how often links are opened and their files downloaded. The counts wait in memory and are written each second, so
 * that a visit costs no write; a crash may lose the last second. Links with limited downloads count theirs at once
 * (downloads.ts).
 */
import type { Log } from '../base/log.ts'
import type { Database } from '../db/database.ts'

/** ms between two writes. */
const writeEvery = 1000

type Count = 'opened' | 'downloads'

export interface LinkUse {
  note(linkId: number, what: Count): void
  /** Writes what waits. Never throws: counts that cannot be written keep waiting. */
  flush(): Promise<void>
  /** Writes what waits, and stops. */
  close(): Promise<void>
}

interface Waiting {
  opened: number
  downloads: number
  at: number
}

/** Opens the counts of one process. Its timer does not keep the process running. */
export function openLinkUse({ db, log }: { db: Database; log: Log }): LinkUse {
  let waiting = new Map<number, Waiting>()
  let timer: NodeJS.Timeout | undefined

  async function write(counts: ReadonlyMap<number, Waiting>): Promise<void> {
    await db.touch(async () => {
      // Two processes change the rows in the same order, so that they cannot deadlock.
      for (const [id, { opened, downloads, at }] of [...counts].sort(([a], [b]) => a - b)) {
        await db.change(
          'UPDATE links SET opened = opened + $1, downloads = downloads + $2, last_used_at = $3 WHERE id = $4',
          [opened, downloads, at, id],
        )
      }
    })
  }

  function add(linkId: number, opened: number, downloads: number, at: number): void {
    const known = waiting.get(linkId)
    waiting.set(linkId, {
      opened: (known?.opened ?? 0) + opened,
      downloads: (known?.downloads ?? 0) + downloads,
      at: Math.max(known?.at ?? 0, at),
    })
    timer ??= setTimeout(flush, writeEvery).unref()
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const counts = waiting
    waiting = new Map()
    if (counts.size === 0) return
    try {
      await write(counts)
    } catch (error) {
      log.warn({ err: error }, 'the use of links could not be noted yet')
      for (const [id, { opened, downloads, at }] of counts) add(id, opened, downloads, at)
    }
  }

  return {
    note: (linkId, what) => add(linkId, what === 'opened' ? 1 : 0, what === 'downloads' ? 1 : 0, Date.now()),
    flush,
    close: async () => {
      await flush()
      clearTimeout(timer)
    },
  }
}
