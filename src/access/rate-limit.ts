/**
 * Limits failed sign-ins, wrong keys, and attempts that reveal whose email addresses are known. Unknown names count
 * like known ones. Counts are in memory on SQLite, which has one server, and in the database on MariaDB, shared by all
 * servers.
 */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { networkOf } from './network.ts'
import { type Limiter, type LimiterOptions, openSharedLimiter } from './shared-limiter.ts'

const quarterHour = 15 * 60
const failuresPerPair = 10
const failuresPerAddress = 100
const wrongKeysPerMinute = 100
/** A refused address reveals that another user has it, so a user may only try a few. */
const emailsPerHour = 5
/** A right password costs a hash too; nobody needs to sign in every three seconds. */
const successesPerPair = 300

interface SignInAttempt {
  usernameKey: string
  address: string
}

export interface SignInLimits {
  /**
   * Counts an attempt as failed before its outcome is known. Throws `rate_limited` beyond any limit, including that of
   * successes.
   */
  admit(attempt: SignInAttempt): Promise<void>
  /** Undoes the count of `admit`, forgets the pair's failures, and counts a success. */
  succeed(attempt: SignInAttempt): Promise<void>
  /** Counts a wrong key; throws `rate_limited` beyond the limit. */
  failKey(address: string): Promise<void>
  /** Counts a user's attempt to change their email address, refused or not; throws `rate_limited` beyond the limit. */
  tryEmail(userId: number): Promise<void>
}

export const refuse = (result: RateLimiterRes, message = 'Too many failed attempts, try again later'): AppError =>
  new AppError('rate_limited', message, {
    retryAfter: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
  })

/** Counts points of a limiter's key. Throws `rate_limited` with the message beyond its limit. */
export async function count(limiter: Limiter, key: string, message?: string, points = 1): Promise<void> {
  try {
    await limiter.consume(key, points)
  } catch (error) {
    if (error instanceof RateLimiterRes) throw refuse(error, message)
    throw error
  }
}

/** Joins address and name by a byte that neither can contain. */
const pairKey = ({ usernameKey, address }: SignInAttempt): string => `${networkOf(address)}\0${usernameKey}`

/** Opens a limiter that counts for all servers of the database. */
export const openLimiter = (db: Database, options: LimiterOptions): Limiter =>
  db.dialect === 'mariadb' ? openSharedLimiter(db, options) : new RateLimiterMemory(options)

export function openSignInLimits(db: Database): SignInLimits {
  const pairs = openLimiter(db, { keyPrefix: 'pair', points: failuresPerPair, duration: quarterHour })
  const addresses = openLimiter(db, { keyPrefix: 'address', points: failuresPerAddress, duration: quarterHour })
  // Counted per process: this limit only bounds load, and is not worth a row in the database.
  const successes = new RateLimiterMemory({ keyPrefix: 'success', points: successesPerPair, duration: quarterHour })
  const emails = openLimiter(db, { keyPrefix: 'email', points: emailsPerHour, duration: 60 * 60 })
  const keys = openLimiter(db, { keyPrefix: 'wrong-key', points: wrongKeysPerMinute, duration: 60 })
  return {
    admit: async attempt => {
      const network = networkOf(attempt.address)
      const succeeded = await successes.get(pairKey(attempt))
      if (succeeded !== null && succeeded.consumedPoints >= successesPerPair) {
        throw refuse(succeeded, 'Too many sign-ins, try again later')
      }
      const known = await pairs.get(pairKey(attempt))
      if (known !== null && known.consumedPoints > failuresPerPair) throw refuse(known)
      // Count the address first; otherwise an attacker fills the table with invented usernames, kept for 15 minutes.
      await count(addresses, network)
      await count(pairs, pairKey(attempt)).catch(async error => {
        await addresses.reward(network)
        throw error
      })
    },
    succeed: async attempt => {
      await pairs.delete(pairKey(attempt))
      await addresses.reward(networkOf(attempt.address))
      await successes.penalty(pairKey(attempt))
    },
    failKey: address => count(keys, networkOf(address)),
    tryEmail: userId => count(emails, String(userId), 'Too many changes of the email address, try again later'),
  }
}
