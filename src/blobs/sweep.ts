/**
 * Cleans up after crashes: bytes that no row has named for a day go to quarantine, and are deleted a week later, unless a
 * file may have lost them.
 */
import { day } from '../base/clock.ts'
import type { BlobStore, IsNamed, Missed } from './blob-store.ts'
import { purgeQuarantine, putAside } from './quarantine.ts'

/** An upload writes its bytes before its row; this leaves it a day between the two. */
export const graceTime = day
export const quarantineTime = 7 * day
const batchSize = 500

/** What a sweep asks the rows. */
export interface SweepRows {
  isNamed: IsNamed
  missed: Missed
}

interface SweepResult {
  quarantined: number
  purged: number
  /** Those that stay in quarantine although their time is over. */
  missed: number
}

/**
 * Sweeps the whole store once, or until the signal aborts. `now` (ms) must come from a clock known to be right. Several
 * processes may sweep at the same time.
 */
export async function sweep(
  store: BlobStore,
  { isNamed, missed }: SweepRows,
  now = Date.now(),
  signal?: AbortSignal,
): Promise<SweepResult> {
  let quarantined = 0
  let batch: string[] = []
  const settle = async () => {
    const named = await isNamed(batch)
    for (const key of batch.filter(candidate => !named.has(candidate))) {
      await putAside(store, key, now)
      quarantined += 1
    }
    batch = []
  }
  for await (const { key, modifiedAt } of store.list()) {
    if (signal?.aborted) return { quarantined, purged: 0, missed: 0 }
    if (now - modifiedAt > graceTime) batch.push(key)
    if (batch.length >= batchSize) await settle()
  }
  if (batch.length > 0) await settle()
  await store.removeUnfinished(now - graceTime, isNamed)
  return { quarantined, ...(await purgeQuarantine(store, now - quarantineTime, missed, signal)) }
}
