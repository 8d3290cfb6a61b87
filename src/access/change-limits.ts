/**
 * Limits the changes that one user, or one link, may make in a day, because every change takes space for rows and an
 * event.
 */
import { maxChangesPerDay, maxChangesWhenFull } from '../api/limits.ts'
import type { Database } from '../db/database.ts'
import { count, openLimiter } from './rate-limit.ts'
import type { Limiter } from './shared-limiter.ts'

/** Seconds. */
const day = 24 * 60 * 60
/** Changes counted ahead for a user in one step; on MariaDB, where processes share the counts, each step is a write. */
const countedAtOnce = 1000

/** Whose changes count together: a user's id, or the name that `accountOf` gives a caller. */
export type Account = number | string

export interface ChangeLimits {
  /** Counts changes that add to what is stored. Throws `rate_limited` beyond the daily limit. */
  count(account: Account, changes: number): Promise<void>
  /** Counts a change that is allowed although free space is below the reserve. Throws like `count`. */
  countWhenFull(account: Account): Promise<void>
}

const consume = (limiter: Limiter, account: Account, points: number): Promise<void> =>
  count(limiter, String(account), 'Too many changes within a day, try again later', points)

/** Opens the limits: in memory on SQLite, which has one server; in the database on MariaDB. */
export function openChangeLimits(db: Database): ChangeLimits {
  const changes = openLimiter(db, { keyPrefix: 'changes', points: maxChangesPerDay, duration: day })
  const whenFull = openLimiter(db, { keyPrefix: 'changes-full', points: maxChangesWhenFull, duration: day })
  /** Changes counted ahead and not made yet, by account. */
  const ahead = new Map<string, number>()
  const add = (account: string, more: number): void => {
    ahead.set(account, (ahead.get(account) ?? 0) + more)
  }
  return {
    count: async (given, made) => {
      const account = String(given)
      const missing = made - (ahead.get(account) ?? 0)
      if (missing > 0) {
        const points = Math.ceil(missing / countedAtOnce) * countedAtOnce
        await consume(changes, account, points)
        add(account, points)
      }
      add(account, -made)
    },
    countWhenFull: account => consume(whenFull, account, 1),
  }
}

/** If free space is low, counts a change that is not refused for that reason. Throws `rate_limited`. */
export async function countWhenFull(
  { freeSpace, changes }: { freeSpace: { isLow(): Promise<boolean> }; changes: ChangeLimits },
  account: Account,
): Promise<void> {
  if (await freeSpace.isLow()) await changes.countWhenFull(account)
}
