/**
 * Limits what visitors may try at links: unknown addresses, wrong passwords, and files handed in. What a link has for a
 * day belongs to all its visitors, so no site alone uses it up.
 */
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { maxLinkFilesPerDay } from '../api/limits.ts'
import type { Database } from '../db/database.ts'
import { networkOf, siteOf } from './network.ts'
import { count, openLimiter, refuse } from './rate-limit.ts'

const quarterHour = 15 * 60
const day = 24 * 60 * 60
const unknownPerMinute = 60
const wrongPerPair = 10
const wrongPerAddress = 100
/** A day's wrong passwords of strangers at a link: half as they come, the other half three of each site. */
const wrongPerLink = 1000
const wrongAsTheyCome = 500
const wrongPerSite = 3
/** A right password costs a hash and a row too; nobody needs to unlock a link every three seconds. */
const rightPerPair = 300

export interface LinkLimits {
  /** Counts a token that is none; throws `rate_limited` beyond the limit of its address. A good token is never refused. */
  missToken(address: string): Promise<void>
  /**
   * Counts an attempt at a password as wrong before its outcome is known. Throws `rate_limited` beyond any limit. Whoever
   * `isKnown` had the password before, and does not count for the link.
   */
  tryPassword(linkId: number, address: string, isKnown: boolean): Promise<void>
  /** Undoes the count of an attempt that was right, and counts it as such; throws `rate_limited` beyond the limit. */
  succeed(linkId: number, address: string, isKnown: boolean): Promise<void>
  /**
   * Counts a file that comes through a link from a network; throws `rate_limited` beyond the day's limit, and when the
   * network's site has sent as many as are left for all others.
   */
  countFile(linkId: number, network: string): Promise<void>
  /** Undoes that for a file of which nothing was stored. */
  giveBackFile(linkId: number, network: string): Promise<void>
}

const tooManyWrong = 'Too many wrong passwords, try again later'
const tooManyFiles = 'No more files can be sent to this link today'

const siteAt = (linkId: number, network: string): string => `${linkId}\0${siteOf(network)}`

/** The wrong passwords of strangers at a link. */
function openLinkGuesses(db: Database) {
  const links = openLimiter(db, { keyPrefix: 'link-passwords', points: wrongPerLink, duration: day })
  const sites = openLimiter(db, { keyPrefix: 'link-site', points: wrongPerSite, duration: day })
  return {
    add: async (linkId: number, address: string): Promise<void> => {
      const all = await links.penalty(String(linkId))
      if (all.consumedPoints <= wrongPerLink) {
        const own = await sites.penalty(siteAt(linkId, networkOf(address)))
        if (all.consumedPoints <= wrongAsTheyCome || own.consumedPoints <= wrongPerSite) return
        await sites.reward(siteAt(linkId, networkOf(address)))
      }
      await links.reward(String(linkId))
      throw refuse(all, tooManyWrong)
    },
    forgive: async (linkId: number, address: string): Promise<void> => {
      await links.reward(String(linkId))
      await sites.delete(siteAt(linkId, networkOf(address)))
    },
  }
}

/** The files of a day, of links and of the sites of each. */
function openFileCounts(db: Database): Pick<LinkLimits, 'countFile' | 'giveBackFile'> {
  const links = openLimiter(db, { keyPrefix: 'link-files', points: maxLinkFilesPerDay, duration: day })
  const sites = openLimiter(db, { keyPrefix: 'link-site-files', points: maxLinkFilesPerDay, duration: day })
  const giveBackFile: LinkLimits['giveBackFile'] = async (linkId, network) => {
    await links.reward(String(linkId))
    await sites.reward(siteAt(linkId, network))
  }
  return {
    giveBackFile,
    countFile: async (linkId, network) => {
      const all = await links.penalty(String(linkId))
      const left = maxLinkFilesPerDay - all.consumedPoints
      if (left < 0) {
        await links.reward(String(linkId))
        throw refuse(all, tooManyFiles)
      }
      const own = await sites.penalty(siteAt(linkId, network))
      if (own.consumedPoints <= left + 1) return
      await giveBackFile(linkId, network)
      throw refuse(all, `${tooManyFiles} from your address`)
    },
  }
}

export function openLinkLimits(db: Database): LinkLimits {
  const pairs = openLimiter(db, { keyPrefix: 'link-pair', points: wrongPerPair, duration: quarterHour })
  const addresses = openLimiter(db, { keyPrefix: 'link-address', points: wrongPerAddress, duration: quarterHour })
  const guesses = openLinkGuesses(db)
  // Counted per process: these limits only bound load, and are not worth a row in the database.
  const unknown = new RateLimiterMemory({ keyPrefix: 'unknown-link', points: unknownPerMinute, duration: 60 })
  const right = new RateLimiterMemory({ keyPrefix: 'link-right', points: rightPerPair, duration: quarterHour })
  const pairOf = (linkId: number, address: string): string => `${linkId}\0${networkOf(address)}`
  return {
    missToken: address => count(unknown, networkOf(address), 'Too many unknown links, try again later'),
    tryPassword: async (linkId, address, isKnown) => {
      // The address and the pair come first: one visitor is not to use up what all of the link's visitors have.
      await count(addresses, networkOf(address), tooManyWrong)
      await count(pairs, pairOf(linkId, address), tooManyWrong).catch(async error => {
        // What one link refuses is not to keep the address from all others.
        await addresses.reward(networkOf(address))
        throw error
      })
      if (!isKnown) await guesses.add(linkId, address)
    },
    succeed: async (linkId, address, isKnown) => {
      await count(right, pairOf(linkId, address), 'This link was unlocked too often from here, try again later')
      await pairs.delete(pairOf(linkId, address))
      await addresses.reward(networkOf(address))
      if (!isKnown) await guesses.forgive(linkId, address)
    },
    ...openFileCounts(db),
  }
}
