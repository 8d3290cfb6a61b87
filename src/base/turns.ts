/**
 * Turns: a limited number of jobs run at once, and those that wait are taken by their keys in turns. However many jobs a key
 * has, the first job of another key waits for one of them at most.
 */

interface Turns {
  /** Runs a job in its key's turn, and resolves or rejects like the job. Jobs of one key begin in order of arrival. */
  <T>(key: string, job: () => Promise<T>): Promise<T>
  /** The number of jobs that wait. */
  waiting(): number
}

/** Opens turns in which `atOnce` jobs run at once. */
export function openTurns(atOnce: number): Turns {
  let running = 0
  let count = 0
  /** The jobs that wait, by key; the key whose turn is next comes first. */
  const lines = new Map<string, (() => void)[]>()

  function wait(key: string): Promise<void> {
    const line = lines.get(key) ?? []
    lines.set(key, line)
    count += 1
    return new Promise(resolve => line.push(resolve))
  }

  function takeNext(): (() => void) | undefined {
    const [first] = lines
    if (first === undefined) return undefined
    const [key, line] = first
    lines.delete(key)
    const next = line.shift()
    if (line.length > 0) lines.set(key, line)
    count -= 1
    return next
  }

  const inTurn = async <T>(key: string, job: () => Promise<T>): Promise<T> => {
    if (running < atOnce) running += 1
    // A job that ends passes its permit on, so that no newcomer gets it before those that wait.
    else await wait(key)
    try {
      return await job()
    } finally {
      const next = takeNext()
      if (next === undefined) running -= 1
      else next()
    }
  }
  return Object.assign(inTurn, { waiting: () => count })
}
