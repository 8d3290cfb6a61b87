/** A limiter like RateLimiterMemory, for several processes on one database, which count as one. */
import { createHash } from 'node:crypto'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '../db/database.ts'
import { addAllPoints, forgetCount } from '../db/shared-counts.ts'

/** What the limits on attempts need of a limiter. `consume` throws a RateLimiterRes beyond the points. */
export interface Limiter extends Pick<RateLimiterMemory, 'consume' | 'reward' | 'delete'> {
  /** What this process knows of a key, without counting and without the database. */
  get(key: string): Promise<RateLimiterRes | null>
}

export interface LimiterOptions {
  keyPrefix: string
  points: number
  /** Seconds. */
  duration: number
}

/** Keys are hashed: the table tells nobody who signs in from where, and has room for every name. */
export function openSharedLimiter(db: Database, { keyPrefix, points, duration }: LimiterOptions): Limiter {
  const window = duration * 1000
  // Who is beyond the limit stays so until the window ends: those who go on trying cost no write.
  const spent = new RateLimiterMemory({ keyPrefix, points, duration })
  const nameOf = (key: string | number) =>
    `${keyPrefix}:${createHash('sha256').update(String(key)).digest('base64url')}`

  async function add(key: string | number, more: number): Promise<RateLimiterRes> {
    const name = nameOf(key)
    const [sum = { name, points: more, left: window }] = await addAllPoints(db, [
      { name, points: more, left: window, longest: window },
    ])
    const left = Math.max(0, sum.left)
    return new RateLimiterRes(Math.max(0, points - sum.points), left, sum.points, sum.points === more)
  }

  return {
    get: key => spent.get(key),
    consume: async (key, more = 1) => {
      const known = await spent.get(key)
      if (known !== null) throw known
      const result = await add(key, more)
      if (result.consumedPoints <= points) return result
      await spent.set(key, result.consumedPoints, result.msBeforeNext / 1000)
      throw result
    },
    reward: (key, fewer = 1) => add(key, -fewer),
    delete: async key => {
      await spent.delete(key)
      return (await forgetCount(db, nameOf(key))) > 0
    },
  }
}
