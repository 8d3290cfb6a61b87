/**
 * Turns: a limited number of jobs run at once, and those that wait are taken by their keys in turns. However many jobs a key
 * has, the first job of another key waits for one of them at most.
 */

/** How many jobs may run at once. */
interface Limits {
  /** Of one key. */
  own: number
  /** Of all keys together, when a job of this key begins. */
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

/** Opens turns with the limits of each key. */
export function openTurns(limitsOf: (key: string) => Limits): Turns {
  let running = 0
  const runningOf = new Map<string, number>()
  const holders = new Map<string, number>()
  let count = 0
  /** The jobs that wait, by key; the key whose turn is next comes first. */
  const lines = new Map<string, Waiting[]>()

  const isHeld = (thing: string): boolean => holders.has(thing)
  const isFree = (thing: string | undefined): boolean => thing === undefined || !isHeld(thing)

  function mayBegin(key: string): boolean {
    const { own, all } = limitsOf(key)
    return running < all && (runningOf.get(key) ?? 0) < own
  }

  function begin(key: string, thing: string | undefined): void {
    running += 1
    add(runningOf, key, 1)
    if (thing !== undefined) add(holders, thing, 1)
  }

  function wait(key: string, thing: string | undefined): Promise<void> {
    const line = lines.get(key) ?? []
    lines.set(key, line)
    count += 1
    return new Promise(resolve => line.push({ thing, begin: resolve }))
  }

  /** Begins the job whose turn it is; returns whether there was one. */
  function beginNext(): boolean {
    for (const [key, line] of lines) {
      if (!mayBegin(key)) continue
      const at = line.findIndex(({ thing }) => isFree(thing))
      const [next] = at === -1 ? [] : line.splice(at, 1)
      if (next === undefined) continue
      lines.delete(key)
      if (line.length > 0) lines.set(key, line)
      count -= 1
      begin(key, next.thing)
      next.begin()
      return true
    }
    return false
  }

  function end(key: string, thing: string | undefined): void {
    running -= 1
    add(runningOf, key, -1)
    if (thing !== undefined) add(holders, thing, -1)
    // More than one may have waited for what this job held.
    while (beginNext());
  }

  const inTurn = async <T>(key: string, job: () => Promise<T>, thing?: string): Promise<T> => {
    // A job that ends begins the next one, so that no newcomer begins before those that wait.
    if (mayBegin(key) && isFree(thing)) begin(key, thing)
    else await wait(key, thing)
    try {
      return await job()
    } finally {
      end(key, thing)
    }
  }
  const hold = (thing: string) => {
    add(holders, thing, 1)
    return () => add(holders, thing, -1)
  }
  return Object.assign(inTurn, { isHeld, hold, waiting: () => count })
}
