/** How many requests a script key may still make in a minute, an hour and a day: counted in this process's memory. */
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { KeyKind } from '../api/keys.ts'
import { defaultRateLimits } from '../api/limits.ts'
import { openTurns } from '../turns.ts'

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
   * Counts one request of a key in all three windows, or in none where one of them is full: what is refused costs
   * nothing. A window begins with its first request. Several processes that share their counts are another
   * implementation of this.
   */
  spend(keyId: number, limits: RequestLimits): Promise<Budget>
}

/** The windows and their seconds. */
const durations = { minute: 60, hour: 60 * 60, day: 24 * 60 * 60 } as const

const tighter = (one: Budget, other: Budget): Budget =>
  one.remaining < other.remaining || (one.remaining === other.remaining && one.reset > other.reset) ? one : other

/** Opens the budgets of one process; a key's counts leave the memory when its windows end. */
export function openKeyBudgets(): KeyBudgets {
  // The library counts and lets windows end; every key has limits of its own, so they are compared here.
  const counters = Object.entries(durations).map(([window, duration]) => ({
    window: window as keyof RequestLimits,
    counter: new RateLimiterMemory({ keyPrefix: window, points: Number.MAX_SAFE_INTEGER, duration }),
  }))
  // Looking and counting are two steps: nobody may come between them.
  const takeTurn = openTurns({ atOnce: 1 })

  const count = (keyId: number, limits: RequestLimits, points: 0 | 1): Promise<Budget[]> =>
    Promise.all(
      counters.map(async ({ window, counter }) => {
        const { consumedPoints, msBeforeNext } = await counter.consume(keyId, points)
        const remaining = Math.max(0, limits[window] - consumedPoints)
        return { isSpent: false, window, limit: limits[window], remaining, reset: Math.ceil(msBeforeNext / 1000) }
      }),
    )

  return {
    spend: (keyId, limits) =>
      takeTurn(async () => {
        const before = (await count(keyId, limits, 0)).reduce(tighter)
        if (before.remaining === 0) return { ...before, isSpent: true }
        return (await count(keyId, limits, 1)).reduce(tighter)
      }),
  }
}
