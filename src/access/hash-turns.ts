/** Whose password is hashed next: a place in the queue goes to those of whose account and network the fewest wait. */
import type { Caller } from './network.ts'

interface Waiting {
  caller: Caller
  begin(): void
  leave(): void
}

interface HashTurnOptions {
  atOnce: number
  /** How many may wait; of more, those leave of whose account the most wait. */
  mayWait: number
  /** What those are told who leave. */
  refuse: () => Error
}

interface TakeHashTurn {
  <T>(caller: Caller, job: () => Promise<T>): Promise<T>
  /** How many wait for their turn. */
  waiting(): number
}

/** Counts, of each, how many came before it: gives back how many there were. */
function openCount(): (key: string) => number {
  const counts = new Map<string, number>()
  return key => {
    const before = counts.get(key) ?? 0
    counts.set(key, before + 1)
    return before
  }
}

/** Those who wait in the order of their turns: each account's first before any account's second, and so with networks. */
function inOrder(waiting: readonly Waiting[]): Waiting[] {
  const [ofAccount, ofNetwork] = [openCount(), openCount()]
  return waiting
    .map(one => ({ one, account: ofAccount(one.caller.account), network: ofNetwork(one.caller.network) }))
    .sort((a, b) => a.account - b.account || a.network - b.network)
    .map(({ one }) => one)
}

/**
 * Gives back a function that runs a job when its turn has come. However many of one account or network wait, another's
 * first waits for one of them at most, and finds a place: the last of those with the most leaves for it.
 */
export function openHashTurns({ atOnce, mayWait, refuse }: HashTurnOptions): TakeHashTurn {
  let running = 0
  let waiting: Waiting[] = []
  const remove = (one: Waiting | undefined) => {
    waiting = waiting.filter(other => other !== one)
    return one
  }
  const wait = (caller: Caller): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.push({ caller, begin: resolve, leave: () => reject(refuse()) })
      if (waiting.length > mayWait) remove(inOrder(waiting).at(-1))?.leave()
    })
  const takeTurn = async <T>(caller: Caller, job: () => Promise<T>): Promise<T> => {
    if (running < atOnce) running += 1
    else await wait(caller)
    try {
      return await job()
    } finally {
      // Whoever ends hands the turn over, so that nobody slips in between.
      const next = remove(inOrder(waiting)[0])
      if (next === undefined) running -= 1
      else next.begin()
    }
  }
  return Object.assign(takeTurn, { waiting: () => waiting.length })
}
