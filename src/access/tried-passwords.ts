/** What networks tried lately: in the queue of passwords, those with wrong ones come after those with none. */
import { minute, systemClock } from '../base/clock.ts'

/** As long as the limits on failed sign-ins count. */
const wrongCountFor = 15 * minute
/** A network that signed in before may be wrong as often as one name may before strangers come first. */
const credit = 10
/** Networks kept of each kind; about 1 MB. The one that was noted longest ago is forgotten first. */
const mostKept = 10_000

interface TriedPasswords {
  /** Notes a wrong password. */
  noteWrong(network: string): void
  /** Notes that somebody signed in. */
  noteSignIn(network: string): void
  /** The wrong passwords of the last quarter of an hour, less ten if somebody signed in before; fewer go first. */
  rank(network: string): number
}

/** Notes a key as the latest of all. */
function setLatest<T>(kept: Map<string, T>, key: string, value: T): void {
  kept.delete(key)
  kept.set(key, value)
  const [oldest] = kept.keys()
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
}

/** Opens the notes of one process. They are in memory: after a start all networks are alike. */
export function openTriedPasswords(): TriedPasswords {
  const wrong = new Map<string, { count: number; at: number }>()
  const known = new Map<string, true>()
  const countWrong = (network: string): number => {
    const noted = wrong.get(network)
    return noted === undefined || systemClock.monotonic() - noted.at > wrongCountFor ? 0 : noted.count
  }
  return {
    noteWrong: network => setLatest(wrong, network, { count: countWrong(network) + 1, at: systemClock.monotonic() }),
    noteSignIn: network => setLatest(known, network, true),
    rank: network => countWrong(network) - (known.has(network) ? credit : 0),
  }
}
