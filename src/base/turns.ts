/**
 * Turns: a limited number of jobs run at once, and those that wait are taken by their keys in turns. However many jobs a key
 * has, the first job of another key waits for one of them at most. Several keys can share a turn, which they take in turns.
 */

/** Keys that are equal up to this share a turn. */
export const withinTurn = '/'
const turnOf = (key: string): string => key.split(withinTurn, 1)[0] ?? key

/** How many jobs may run at once. */
interface Limits {
  /** Of one turn. */
  own: number
  /** Of all together, when a job of this turn begins. */
  all: number
}

interface Turns {
  /**
   * Runs a job in its key's turn, and resolves or rejects like the job. Jobs of one key begin in order of arrival. One that
   * needs a thing begins when nobody holds it, and holds it until its end; those that come after it do not wait for that.
   */
  <T>(key: string, job: () => Promise<T>, thing?: string): Promise<T>
  /** Whether a running job holds a thing. */
  isHeld(thing: string): boolean
  /** Says that a running job holds one more thing, which others may hold, too; returns what ends that before the job. */
  hold(thing: string): () => void
  /** The number of jobs that wait. */
  waiting(): number
}

interface Waiting {
  thing: string | undefined
  begin: () => void
}

/** Adds to one of several counts, of which none is kept at 0. */
function add(counts: Map<string, number>, name: string, count: number): void {
  const sum = (counts.get(name) ?? 0) + count
  if (sum > 0) counts.set(name, sum)
  else counts.delete(name)
}

/** Opens turns with the limits of each. */
export function openTurns(limitsOf: (turn: string) => Limits): Turns {
  let running = 0
  const runningOf = new Map<string, number>()
  const holders = new Map<string, number>()
  let count = 0
  /** The jobs that wait, by turn and key; what is next comes first. */
  const lines = new Map<string, Map<string, Waiting[]>>()

  const isHeld = (thing: string): boolean => holders.has(thing)
  const isFree = (thing: string | undefined): boolean => thing === undefined || !isHeld(thing)

  function mayBegin(turn: string): boolean {
    const { own, all } = limitsOf(turn)
    return running < all && (runningOf.get(turn) ?? 0) < own
  }

  function begin(turn: string, thing: string | undefined): void {
    running += 1
    add(runningOf, turn, 1)
    if (thing !== undefined) add(holders, thing, 1)
  }

  function wait(key: string, thing: string | undefined): Promise<void> {
    const turn = turnOf(key)
    const keys = lines.get(turn) ?? new Map<string, Waiting[]>()
    lines.set(turn, keys)
    const line = keys.get(key) ?? []
    keys.set(key, line)
    count += 1
    return new Promise(resolve => line.push({ thing, begin: resolve }))
  }

  /** Takes the first job that can begin out of the lines of a turn; its key is the last from then on. */
  function takeFrom(keys: Map<string, Waiting[]>): Waiting | undefined {
    for (const [key, line] of keys) {
      const at = line.findIndex(({ thing }) => isFree(thing))
      if (at === -1) continue
      const [next] = line.splice(at, 1)
      keys.delete(key)
      if (line.length > 0) keys.set(key, line)
      return next
    }
  }

  /** Begins the job whose turn it is; returns whether there was one. */
  function beginNext(): boolean {
    for (const [turn, keys] of lines) {
      const next = mayBegin(turn) ? takeFrom(keys) : undefined
      if (next === undefined) continue
      lines.delete(turn)
      if (keys.size > 0) lines.set(turn, keys)
      count -= 1
      begin(turn, next.thing)
      next.begin()
      return true
    }
    return false
  }

  function end(turn: string, thing: string | undefined): void {
    running -= 1
    add(runningOf, turn, -1)
    if (thing !== undefined) add(holders, thing, -1)
    // More than one may have waited for what this job held.
    while (beginNext());
  }

  const inTurn = async <T>(key: string, job: () => Promise<T>, thing?: string): Promise<T> => {
    // A job that ends begins the next one, so that no newcomer begins before those that wait.
    const turn = turnOf(key)
    if (mayBegin(turn) && isFree(thing)) begin(turn, thing)
    else await wait(key, thing)
    try {
      return await job()
    } finally {
      end(turn, thing)
    }
  }
  const hold = (thing: string) => {
    add(holders, thing, 1)
    return () => add(holders, thing, -1)
  }
  return Object.assign(inTurn, { isHeld, hold, waiting: () => count })
}
