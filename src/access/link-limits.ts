/** Limits what visitors may try at links: unknown addresses, wrong passwords, and files handed in. */
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { maxLinkFilesPerDay } from '../api/limits.ts'
import type { Database } from '../db/database.ts'
import { networkOf } from './network.ts'
import { count, openLimiter } from './rate-limit.ts'

const quarterHour = 15 * 60
const day = 24 * 60 * 60
const unknownPerMinute = 60
const wrongPerPair = 10
const wrongPerAddress = 100
const wrongPerLink = 1000
/** A right password costs a hash and a row too; nobody needs to unlock a link every three seconds. */
const rightPerPair = 300

export interface LinkLimits {
  /** Counts a token that is none; throws `rate_limited` beyond the limit of its address. A good token is never refused. */
  missToken(address: string): Promise<void>
  /** Counts an attempt at a password as wrong before its outcome is known. Throws `rate_limited` beyond any limit. */
  tryPassword(linkId: number, address: string): Promise<void>
  /** Undoes the count of an attempt that was right, and counts it as such; throws `rate_limited` beyond the limit. */
  succeed(linkId: number, address: string): Promise<void>
  /** Counts a file that comes through a link; throws `rate_limited` beyond the day's limit. */
  countFile(linkId: number): Promise<void>
}

const tooManyWrong = 'Too many wrong passwords, try again later'

export function openLinkLimits(db: Database): LinkLimits {
  const unknown = openLimiter(db, { keyPrefix: 'unknown-link', points: unknownPerMinute, duration: 60 })
  const pairs = openLimiter(db, { keyPrefix: 'link-pair', points: wrongPerPair, duration: quarterHour })
  const addresses = openLimiter(db, { keyPrefix: 'link-address', points: wrongPerAddress, duration: quarterHour })
  const links = openLimiter(db, { keyPrefix: 'link-passwords', points: wrongPerLink, duration: day })
  // Counted per process: this limit only bounds load, and is not worth a row in the database.
  const right = new RateLimiterMemory({ keyPrefix: 'link-right', points: rightPerPair, duration: quarterHour })
  const files = openLimiter(db, { keyPrefix: 'link-files', points: maxLinkFilesPerDay, duration: day })
  const pairOf = (linkId: number, address: string): string => `${linkId}\0${networkOf(address)}`
  return {
    missToken: address => count(unknown, networkOf(address), 'Too many unknown links, try again later'),
    tryPassword: async (linkId, address) => {
      // The address and the pair come first: one visitor is not to use up what all of the link's visitors have.
      await count(addresses, networkOf(address), tooManyWrong)
      await count(pairs, pairOf(linkId, address), tooManyWrong).catch(async error => {
        // What one link refuses is not to keep the address from all others.
        await addresses.reward(networkOf(address))
        throw error
      })
      await count(links, String(linkId), tooManyWrong)
    },
    succeed: async (linkId, address) => {
      await count(right, pairOf(linkId, address), 'This link was unlocked too often from here, try again later')
      await pairs.delete(pairOf(linkId, address))
      await addresses.reward(networkOf(address))
      await links.reward(String(linkId))
    },
    countFile: linkId => count(files, String(linkId), 'No more files can be sent to this link today'),
  }
}
