/** Slows reading down to a number of bytes in a second, so that others keep their share of the disk or the line. */
import { setTimeout } from 'node:timers/promises'
import type { Clock } from './clock.ts'

/**
 * Returns a function that resolves once the next bytes may be read; rejects when the signal aborts. `rate` is in bytes
 * per second; null sets no limit.
 */
export function openPace(rate: number | null, clock: Clock, signal: AbortSignal): (bytes: number) => Promise<void> {
  /** The earliest time at which the next bytes may be read. Idle time does not allow a burst later. */
  let due = 0
  return async bytes => {
    if (rate === null) return
    const now = clock.monotonic()
    due = Math.max(due, now) + (bytes / rate) * 1000
    await setTimeout(due - now, undefined, { signal })
  }
}
