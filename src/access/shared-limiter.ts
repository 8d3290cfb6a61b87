/** A limiter like RateLimiterMemory, but with counts shared by several processes on one database. */
import { createHash } from 'node:crypto'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '../db/database.ts'
import { addAllPoints, forgetCount } from '../db/shared-counts.ts'

/**
 * The part of a limiter that the limits on attempts use. `consume` throws a RateLimiterRes beyond the limit; `penalty`
 * counts alike and never throws, for counts that can be given back.
 */
export interface Limiter extends Pick<RateLimiterMemory, 'consume' | 'penalty' | 'reward' | 'delete'> {
  /** Returns what this process knows of a key. It neither counts nor queries the database. */
  get(key: string): Promise<RateLimiterRes | null>
}

export interface LimiterOptions {
  keyPrefix: string
  points: number
  /** Seconds. */
  duration: number
}

/** Keys are hashed, so the table does not reveal who signs in from where, and names of any length fit. */
export function openSharedLimiter(db: Database, { keyPrefix, points, duration }: LimiterOptions): Limiter {
  const window = duration * 1000
  // Remembers keys beyond the limit until their window ends, so that further attempts cost no write.
  const spent = new RateLimiterMemory({ keyPrefix, points, duration })
  // A crowd at one limit waits for itself: not others at theirs, nor what the server writes.
  const turn = `counts ${keyPrefix}`
  const nameOf = (key: string | number) =>
    `${keyPrefix}:${createHash('sha256').update(String(key)).digest('base64url')}`

  async function add(key: string | number, more: number): Promise<RateLimiterRes> {
    const name = nameOf(key)
    const added = { name, points: more, left: window, longest: window }
    const [sum = added] = await addAllPoints(db, [added], turn)
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
    penalty: (key, more = 1) => add(key, more),
    reward: (key, fewer = 1) => add(key, -fewer),
    delete: async key => {
      await spent.delete(key)
      return (await forgetCount(db, nameOf(key), turn)) > 0
    },
  }
}
