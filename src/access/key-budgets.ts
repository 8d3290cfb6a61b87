/**
 * How many requests a script key may still make in a minute, an hour and a day: counted in this process's memory, and on
 * MariaDB added to what other processes count.
 */
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { KeyKind } from '../api/keys.ts'
import { defaultRateLimits } from '../api/limits.ts'
import { openSemaphore } from '../base/semaphore.ts'
import type { Database } from '../db/database.ts'
import { addAllPoints, type Sum } from '../db/shared-counts.ts'

/** Requests for each window. */
export interface RequestLimits {
  minute: number
  hour: number
  day: number
}

interface LimitColumns {
  kind: KeyKind
  rate_limit_per_minute: number | null
  rate_limit_per_hour: number | null
  rate_limit_per_day: number | null
}

/** The limits that hold for a key, defaults filled in; null for a device key, which has none. */
export function limitsOf(key: LimitColumns): RequestLimits | null {
  if (key.kind === 'device') return null
  return {
    minute: key.rate_limit_per_minute ?? defaultRateLimits.minute,
    hour: key.rate_limit_per_hour ?? defaultRateLimits.hour,
    day: key.rate_limit_per_day ?? defaultRateLimits.day,
  }
}

/** A key whose requests are counted. */
export interface KeyBudget {
  keyId: number
  limits: RequestLimits
}

/** What is left of a key's tightest window: the one with the fewest requests left, of equals the one that ends last. */
interface Budget {
  isSpent: boolean
  window: keyof RequestLimits
  limit: number
  remaining: number
  /** Seconds until the window ends. */
  reset: number
}

export interface KeyBudgets {
  /**
   * Counts one request in all three windows of some keys, or in none where one of them is full: what is refused costs
   * nothing. A window begins with its first request. Gives back the tightest of them all.
   */
  spend(budgets: readonly KeyBudget[]): Promise<Budget>
  /**
   * Adds what was counted since the last call to what other processes counted, and goes on from the sums. Counts of one
   * call are forgotten by the others where the database cannot be reached.
   */
  share(db: Database): Promise<void>
}

/** The windows and their seconds. */
const durations = { minute: 60, hour: 60 * 60, day: 24 * 60 * 60 } as const

const tighter = (one: Budget, other: Budget): Budget =>
  one.remaining < other.remaining || (one.remaining === other.remaining && one.reset > other.reset) ? one : other

/** A request counted that other processes have not been told of. */
interface Unshared {
  keyId: number
  counter: RateLimiterMemory
  points: number
  /** When the window ends here, ms UTC. */
  endsAt: number
}

/** Opens the budgets of one process; a key's counts leave the memory when its windows end. */
export function openKeyBudgets({ isShared }: { isShared: boolean }): KeyBudgets {
  // The library counts and lets windows end; every key has limits of its own, so they are compared here.
  const counters = Object.entries(durations).map(([window, duration]) => ({
    window: window as keyof RequestLimits,
    counter: new RateLimiterMemory({ keyPrefix: window, points: Number.MAX_SAFE_INTEGER, duration }),
  }))
  // Looking and counting are two steps: nobody may come between them.
  const withPermit = openSemaphore({ atOnce: 1 })
  let unshared = new Map<string, Unshared>()

  const countAll = async (budgets: readonly KeyBudget[], points: 0 | 1): Promise<Budget> =>
    (await Promise.all(budgets.map(budget => count(budget, points)))).flat().reduce(tighter)

  const count = ({ keyId, limits }: KeyBudget, points: 0 | 1): Promise<Budget[]> =>
    Promise.all(
      counters.map(async ({ window, counter }) => {
        const { consumedPoints, msBeforeNext } = await counter.consume(keyId, points)
        if (isShared && points === 1) noteUnshared(`${window}:${keyId}`, keyId, counter, Date.now() + msBeforeNext)
        const remaining = Math.max(0, limits[window] - consumedPoints)
        return { isSpent: false, window, limit: limits[window], remaining, reset: Math.ceil(msBeforeNext / 1000) }
      }),
    )

  function noteUnshared(name: string, keyId: number, counter: RateLimiterMemory, endsAt: number): void {
    const points = (unshared.get(name)?.points ?? 0) + 1
    unshared.set(name, { keyId, counter, points, endsAt })
  }

  /** Goes on from what all have counted, and from what came here since they were asked. */
  async function takeOver({ name, points, left }: Sum, { keyId, counter }: Unshared): Promise<void> {
    const sum = points + (unshared.get(name)?.points ?? 0)
    const own = (await counter.get(keyId))?.consumedPoints ?? 0
    if (sum > own && left > 0) await counter.set(keyId, sum, left / 1000)
  }

  return {
    spend: budgets =>
      withPermit(async () => {
        const before = await countAll(budgets, 0)
        return before.remaining === 0 ? { ...before, isSpent: true } : countAll(budgets, 1)
      }),
    share: async db => {
      if (unshared.size === 0) return
      const told = unshared
      unshared = new Map()
      const list = [...told].map(([name, { points, endsAt, counter }]) => ({
        name,
        points,
        left: Math.max(0, endsAt - Date.now()),
        longest: counter.duration * 1000,
      }))
      const sums = await addAllPoints(db, list)
      await withPermit(async () => {
        for (const sum of sums) {
          const own = told.get(sum.name)
          if (own !== undefined) await takeOver(sum, own)
        }
      })
    },
  }
}
