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

/** Opens turns in which `atOnce` jobs run at once, of which at most `ofKey(key)` are of one key. */
export function openTurns(atOnce: number, ofKey: (key: string) => number = () => atOnce): Turns {
  let running = 0
  const runningOf = new Map<string, number>()
  let count = 0
  /** The jobs that wait, by key; the key whose turn is next comes first. */
  const lines = new Map<string, (() => void)[]>()

  const mayBegin = (key: string): boolean => running < atOnce && (runningOf.get(key) ?? 0) < ofKey(key)

  function begin(key: string): void {
    running += 1
    runningOf.set(key, (runningOf.get(key) ?? 0) + 1)
  }

  function wait(key: string): Promise<void> {
    const line = lines.get(key) ?? []
    lines.set(key, line)
    count += 1
    return new Promise(resolve => line.push(resolve))
  }

  /** Begins the job whose turn it is, if there is one. */
  function beginNext(): void {
    for (const [key, line] of lines) {
      if (!mayBegin(key)) continue
      const resolve = line.shift()
      lines.delete(key)
      if (line.length > 0) lines.set(key, line)
      count -= 1
      begin(key)
      resolve?.()
      return
    }
  }

  function end(key: string): void {
    running -= 1
    const left = (runningOf.get(key) ?? 0) - 1
    if (left > 0) runningOf.set(key, left)
    else runningOf.delete(key)
    beginNext()
  }

  const inTurn = async <T>(key: string, job: () => Promise<T>): Promise<T> => {
    // A job that ends begins the next one, so that no newcomer begins before those that wait.
    if (mayBegin(key)) begin(key)
    else await wait(key)
    try {
      return await job()
    } finally {
      end(key)
    }
  }
  return Object.assign(inTurn, { waiting: () => count })
}
