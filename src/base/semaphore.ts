/** A semaphore: at most so many jobs run at once, and the others wait in the order in which they came. */

interface SemaphoreOptions {
  atOnce: number
  /** How many jobs may wait. One more is refused with the error that `refuse` makes. Without it any number waits. */
  mayWait?: { count: number; refuse: () => Error }
}

interface Semaphore {
  <T>(job: () => Promise<T>): Promise<T>
  /** The number of jobs that wait. */
  waiting(): number
}

/** Returns a function that runs a job as soon as the semaphore admits it, and resolves or rejects as the job does. */
export function openSemaphore({ atOnce, mayWait }: SemaphoreOptions): Semaphore {
  let running = 0
  const waiting: (() => void)[] = []
  const withPermit = async <T>(job: () => Promise<T>): Promise<T> => {
    if (running < atOnce) {
      running += 1
    } else {
      if (mayWait !== undefined && waiting.length >= mayWait.count) throw mayWait.refuse()
      // The job that ends passes its permit on, so that no newcomer takes it before those who wait.
      await new Promise<void>(resolve => waiting.push(resolve))
    }
    try {
      return await job()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
  return Object.assign(withPermit, { waiting: () => waiting.length })
}
