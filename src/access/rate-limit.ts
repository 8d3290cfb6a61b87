/** Limits on failed sign-ins and on wrong keys, in memory, unknown names counted like known ones. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '../errors.ts'

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

async function count(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (error) {
    if (error instanceof RateLimiterRes) throw refuse(error)
    throw error
  }
}

/** Address and name joined by a byte that neither can hold. */
const pairKey = ({ usernameKey, address }: SignInAttempt): string => `${address}\0${usernameKey}`

export function openSignInLimits(): SignInLimits {
  const pairs = new RateLimiterMemory({ keyPrefix: 'pair', points: failuresPerPair, duration: quarterHour })
  const addresses = new RateLimiterMemory({ keyPrefix: 'address', points: failuresPerAddress, duration: quarterHour })
  const keys = new RateLimiterMemory({ keyPrefix: 'key', points: wrongKeysPerMinute, duration: 60 })
  return {
    admit: async attempt => {
      await count(pairs, pairKey(attempt))
      await count(addresses, attempt.address)
    },
    succeed: async attempt => {
      await pairs.delete(pairKey(attempt))
      await addresses.reward(attempt.address)
    },
    failKey: address => count(keys, address),
  }
}
