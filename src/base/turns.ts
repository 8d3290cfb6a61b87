/** Lets so many jobs run at once; the others wait, in their order. */

interface TurnOptions {
  atOnce: number
  /** How many may wait; beyond them `refuse` says why not. Without it any number waits. */
  mayWait?: { count: number; refuse: () => Error }
}

interface TakeTurn {
  <T>(job: () => Promise<T>): Promise<T>
  /** How many wait for their turn. */
  waiting(): number
}

/** Gives back a function that runs a job when its turn has come. */
export function openTurns({ atOnce, mayWait }: TurnOptions): TakeTurn {
  let running = 0
  const waiting: (() => void)[] = []
  const takeTurn = async <T>(job: () => Promise<T>): Promise<T> => {
    if (running < atOnce) {
      running += 1
    } else {
      if (mayWait !== undefined && waiting.length >= mayWait.count) throw mayWait.refuse()
      // Whoever ends hands the turn over, so that nobody slips in between.
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
  return Object.assign(takeTurn, { waiting: () => waiting.length })
}
