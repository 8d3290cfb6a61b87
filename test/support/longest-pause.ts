/** Measures for how long a server that runs in the test's own process answers nobody else. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'

/** ms; a fifth of it on a machine that does nothing else, where the flaws that this looks for took seconds. */
export const shortPause = 500
const tries = 4
const resolution = 5

/**
 * ms of the event loop's longest pause while `act` runs, the client's own share included. Of a machine that was busy with
 * other things a further try tells; the best counts.
 */
export async function findLongestPause(act: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let left = tries; left > 0 && best >= shortPause; left--) {
    const delays = monitorEventLoopDelay({ resolution })
    delays.enable()
    // Until it has run once the monitor counts nothing, and a pause is counted when the next run comes late.
    await setTimeout(3 * resolution)
    await act()
    await setTimeout(3 * resolution)
    delays.disable()
    best = Math.min(best, delays.max / 1e6)
  }
  return best
}
