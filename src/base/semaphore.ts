/** A semaphore: a limited number of jobs run at once, and the others wait in order of arrival. */

interface SemaphoreOptions {
  atOnce: number
  /** How many jobs may wait; further ones fail with the error that `refuse` makes. By default any number may wait. */
  mayWait?: { count: number; refuse: () => Error }
}

type Semaphore = <T>(job: () => Promise<T>) => Promise<T>

/** Returns a function that runs a job as soon as a permit is free, and resolves or rejects like the job. */
export function openSemaphore({ atOnce, mayWait }: SemaphoreOptions): Semaphore {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(job: () => Promise<T>): Promise<T> => {
    if (running < atOnce) {
      running += 1
    } else {
      if (mayWait !== undefined && waiting.length >= mayWait.count) throw mayWait.refuse()
      // A job that ends passes its permit on, so that no newcomer gets it before those that wait.
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
}
