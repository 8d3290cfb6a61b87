/** Measures how long a server in the test's own process keeps its event loop from other requests. */
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

/** ms; an idle machine needs a fifth of this, and the flaws that tests look for took seconds. */
export const shortPause = 500
/** ms */
const resolution = 5

/**
 * The processor's time (ms) that the main thread has used, as Linux counts it (proc(5), schedstat). On a busy machine a
 * thread waits for a processor, which is no pause of its own.
 */
function readThreadTime(): number {
  const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')
  return Number(nanoseconds) / 1e6
}

/**
 * The longest time (ms) that the event loop works while `act` runs, before a timer gets its turn; it includes the
 * client's own work, and not what other processes take of the machine.
 */
export async function findLongestPause(act: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = readThreadTime()
  const look = () => {
    const now = readThreadTime()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(look, resolution)
  try {
    await act()
    // A pause at the end shows at the next turn.
    await setTimeout(resolution)
    look()
  } finally {
    clearInterval(timer)
  }
  return longest
}
