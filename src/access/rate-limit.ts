/**
 * Limits on failed sign-ins and on wrong keys, unknown names counted like known ones: in memory on SQLite, which has one
 * server; in the database on MariaDB, whose servers count together.
 */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '../db/database.ts'
import { AppError } from '../errors.ts'
import { networkOf } from './network.ts'
import { type Limiter, type LimiterOptions, openSharedLimiter } from './shared-limiter.ts'

const quarterHour = 15 * 60
const failuresPerPair = 10
const failuresPerAddress = 100
const wrongKeysPerMinute = 100

interface SignInAttempt {
  usernameKey: string
  address: string
}

export interface SignInLimits {
  /** Counts an attempt as failed before its outcome is known; throws `rate_limited` beyond the limits. */
  admit(attempt: SignInAttempt): Promise<void>
  /** Takes that count back and forgets the pair's failures: a success never counts. */
  succeed(attempt: SignInAttempt): Promise<void>
  /** Counts a wrong key; throws `rate_limited` beyond the limit. */
  failKey(address: string): Promise<void>
}

const refuse = (result: RateLimiterRes): AppError =>
  new AppError('rate_limited', 'Too many failed attempts, try again later', {
    retryAfter: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
  })

async function count(limiter: Limiter, key: string): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (error) {
    if (error instanceof RateLimiterRes) throw refuse(error)
    throw error
  }
}

/** Address and name joined by a byte that neither can hold. */
const pairKey = ({ usernameKey, address }: SignInAttempt): string => `${networkOf(address)}\0${usernameKey}`

export function openSignInLimits(db: Database): SignInLimits {
  const openLimiter = (options: LimiterOptions): Limiter =>
    db.dialect === 'mariadb' ? openSharedLimiter(db, options) : new RateLimiterMemory(options)
  const pairs = openLimiter({ keyPrefix: 'pair', points: failuresPerPair, duration: quarterHour })
  const addresses = openLimiter({ keyPrefix: 'address', points: failuresPerAddress, duration: quarterHour })
  const keys = openLimiter({ keyPrefix: 'wrong-key', points: wrongKeysPerMinute, duration: 60 })
  return {
    admit: async attempt => {
      const network = networkOf(attempt.address)
      const known = await pairs.get(pairKey(attempt))
      if (known !== null && known.consumedPoints > failuresPerPair) throw refuse(known)
      // Before the pair, else every name that is made up there would be remembered for a quarter of an hour.
      await count(addresses, network)
      await count(pairs, pairKey(attempt)).catch(async error => {
        await addresses.reward(network)
        throw error
      })
    },
    succeed: async attempt => {
      await pairs.delete(pairKey(attempt))
      await addresses.reward(networkOf(attempt.address))
    },
    failKey: address => count(keys, networkOf(address)),
  }
}
