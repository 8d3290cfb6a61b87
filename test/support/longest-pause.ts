/** Measures how long a server in the test's own process does not answer other requests. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'

/** ms; an idle machine needs a fifth of this, and the flaws that tests look for took seconds. */
export const shortPause = 500
const tries = 8
const resolution = 5

/**
 * The longest pause of the event loop while `act` runs (ms), including the client's own work. On a busy machine it
 * tries again, and the shortest result counts.
 */
export async function findLongestPause(act: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let left = tries; left > 0 && best >= shortPause; left--) {
    const delays = monitorEventLoopDelay({ resolution })
    delays.enable()
    // Let the monitor run once before and after `act`: it records nothing before its first run, and records a pause at
    // the next one.
    await setTimeout(3 * resolution)
    await act()
    await setTimeout(3 * resolution)
    delays.disable()
    best = Math.min(best, delays.max / 1e6)
  }
  return best
}
