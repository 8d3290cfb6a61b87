/**
 * Limits a script key's requests per minute, hour and day. Each process counts in memory; on MariaDB processes share
 * their counts.
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

/** Returns the limits of a key, with defaults filled in; null for a device key, which has none. */
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

/** A key's tightest window: the one with the fewest requests left; if several are equal, the one that ends last. */
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
   * Counts one request in all three windows of each key, or in none if one window is full, so a refused request costs
   * nothing. A window begins with its first request. Returns the tightest window of all.
   */
  spend(budgets: readonly KeyBudget[]): Promise<Budget>
  /**
   * Adds the requests counted since the last call to the other processes' counts, and continues from the sums. If the
   * database cannot be reached, the other processes never learn of that call's counts.
   */
  share(db: Database): Promise<void>
}

/** The windows, in seconds. */
const durations = { minute: 60, hour: 60 * 60, day: 24 * 60 * 60 } as const

const tighter = (one: Budget, other: Budget): Budget =>
  one.remaining < other.remaining || (one.remaining === other.remaining && one.reset > other.reset) ? one : other

/** Requests that other processes do not know of yet. */
interface Unshared {
  keyId: number
  counter: RateLimiterMemory
  points: number
  /** When the window ends here, ms UTC. */
  endsAt: number
}

/** Opens the budgets of one process; a key's counts are dropped when its windows end. */
export function openKeyBudgets({ isShared }: { isShared: boolean }): KeyBudgets {
  // The library counts and ends windows. The limits are compared here, because each key has its own.
  const counters = Object.entries(durations).map(([window, duration]) => ({
    window: window as keyof RequestLimits,
    counter: new RateLimiterMemory({ keyPrefix: window, points: Number.MAX_SAFE_INTEGER, duration }),
  }))
  // Checking and counting are two steps, so no other request may run between them.
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

  /** Continues from the sum of all processes, plus the requests counted here since they were asked. */
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
