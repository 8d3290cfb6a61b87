/** Takes what a crash left: bytes that no row has named for a day go to quarantine, and a week later for good. */
import { day } from '../base/clock.ts'
import type { BlobStore } from './blob-store.ts'
import { purgeQuarantine, putAside } from './quarantine.ts'

/** An upload writes its bytes before its row; none takes a day between the two. */
export const graceTime = day
const quarantineTime = 7 * day
const batchSize = 500

interface SweepResult {
  quarantined: number
  purged: number
}

/** Says which of some keys have a row. */
type IsNamed = (keys: string[]) => Promise<Set<string>>

/**
 * Sweeps the whole store once, or as far as it has come when the signal ends it; `now` in ms, of a clock that can be
 * right. Several processes may do so at a time.
 */
export async function sweep(
  store: BlobStore,
  isNamed: IsNamed,
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
    if (signal?.aborted) return { quarantined, purged: 0 }
    if (now - modifiedAt > graceTime) batch.push(key)
    if (batch.length >= batchSize) await settle()
  }
  if (batch.length > 0) await settle()
  return { quarantined, purged: await purgeQuarantine(store, now - quarantineTime) }
}
