/** The queue of passwords to hash, fair between accounts and networks. */
import type { Caller } from './network.ts'

interface Waiting {
  caller: Caller
  begin(): void
  leave(): void
}

interface HashQueueOptions {
  atOnce: number
  /**
   * Maximum number of waiting passwords. If more arrive, the one whose turn would come last is refused, which may be
   * another than the newcomer.
   */
  mayWait: number
  /** Of callers with equal turns, those of a network with a lower rank go first. */
  rank(network: string): number
  /** Makes the error for a refused job. */
  refuse: () => Error
}

interface HashQueue {
  <T>(caller: Caller, job: () => Promise<T>): Promise<T>
  /** The number of waiting passwords. */
  waiting(): number
}

/** Returns a function that counts its calls by key, and returns how many came before this one. */
function openCount(): (key: string) => number {
  const counts = new Map<string, number>()
  return key => {
    const before = counts.get(key) ?? 0
    counts.set(key, before + 1)
    return before
  }
}

/**
 * Sorts the queue: the first job of every account comes before the second of any, and likewise by network. Turns are
 * given by rank, so that the first job of an account at which others guess is its owner's.
 */
function inOrder(waiting: readonly Waiting[], rank: (network: string) => number): Waiting[] {
  const [ofAccount, ofNetwork] = [openCount(), openCount()]
  return waiting
    .map(one => ({ one, rank: rank(one.caller.network) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ one }) => ({ one, account: ofAccount(one.caller.account), network: ofNetwork(one.caller.network) }))
    .sort((a, b) => a.account - b.account || a.network - b.network)
    .map(({ one }) => one)
}

/**
 * Returns a function that runs a caller's job. However many jobs of one account or network wait, another caller's first
 * job waits for at most one of them. If the queue is full, the job that is last in order is refused.
 */
export function openHashQueue({ atOnce, mayWait, rank, refuse }: HashQueueOptions): HashQueue {
  let running = 0
  let waiting: Waiting[] = []
  const remove = (one: Waiting | undefined) => {
    waiting = waiting.filter(other => other !== one)
    return one
  }
  const wait = (caller: Caller): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.push({ caller, begin: resolve, leave: () => reject(refuse()) })
      if (waiting.length > mayWait) remove(inOrder(waiting, rank).at(-1))?.leave()
    })
  const queue = async <T>(caller: Caller, job: () => Promise<T>): Promise<T> => {
    if (running < atOnce) running += 1
    else await wait(caller)
    try {
      return await job()
    } finally {
      // A job that ends passes its permit on, so that no newcomer gets it before those that wait.
      const next = remove(inOrder(waiting, rank)[0])
      if (next === undefined) running -= 1
      else next.begin()
    }
  }
  return Object.assign(queue, { waiting: () => waiting.length })
}
