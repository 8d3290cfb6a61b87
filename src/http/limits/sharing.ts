/**
 * How a link's visitors share its places: who waits is taken by sites and networks in turns, and who holds the most gives
 * way. The requests of users have no network here: they are taken in order of arrival, and none gives way.
 */
import type { Context } from 'koa'
import { siteOf } from '../../access/network.ts'
import { second } from '../../base/clock.ts'
import { groupBy } from '../../base/group-by.ts'
import { isClientGone } from '../client-gone.ts'

/** ms that a request waits for the end of others before one gives way to it: most requests take less. */
export const courtesy = 2 * second
/** Bytes per second of a slow line; see uploads/expiry.ts. */
const leastRate = 16 * 1024
/** ms that a request is given before its rate counts. */
const start = 5 * second
/**
 * ms from one look at a request to the next that counts, so its rate is that of the last half to whole minute. A system
 * buffers megabytes, and takes 1.5 MB more when they are read: for a reader at 50 KB/s that is once in half a minute.
 */
const lookEvery = 30 * second

/** What a request's connection had moved at a time on the monotonic clock, in ms. */
interface Look {
  readonly at: number
  readonly bytes: number
}

/** A request that holds a place, or waits for one. */
export interface Place {
  readonly ctx: Context
  /** Null: a user's. */
  readonly network: string | null
  readonly site: string | null
  /** When the request came, or got its place. */
  since: number
  /** The last two looks at it by who waits; at first those from `since`. */
  looks: [earlier: Look, last: Look]
}

/** What an operating system keeps for a client that does not read counts as moved, which may be some megabytes. */
const lookAt = ({ req: { socket } }: Context): Look => ({
  at: performance.now(),
  bytes: socket.bytesRead + socket.bytesWritten,
})

export function openPlace(ctx: Context, network: string | null): Place {
  const look = lookAt(ctx)
  return { ctx, network, site: network === null ? null : siteOf(network), since: look.at, looks: [look, look] }
}

/** Counts from now on, for a request that has waited and gets its place. */
export const beginPlace = (place: Place): Place => Object.assign(place, openPlace(place.ctx, place.network))

/** Whether the server itself is at work on it: it ends soon, and may have stored something. */
const isAtWork = ({ ctx: { req, res } }: Place): boolean => req.complete && !res.headersSent

/**
 * Bytes per second since the earlier look; none is too low at first. An average since the request came would stay high
 * for minutes after an unread answer has filled the buffers of its connection.
 */
function rateOf(place: Place): number {
  const now = lookAt(place.ctx)
  const [, last] = place.looks
  if (now.at - last.at >= lookEvery) place.looks = [last, now]
  if (now.at - place.since < start) return Number.POSITIVE_INFINITY
  const [earlier] = place.looks
  return ((now.bytes - earlier.bytes) / (now.at - earlier.at)) * second
}

const siteOfPlace = ({ site }: Place): string | null => site
const networkOfPlace = ({ network }: Place): string | null => network

/** The slowest of some places, or the oldest of equals; undefined where the server is at work on all of them. */
const findSlowest = (places: readonly Place[]) =>
  places
    .filter(place => !isAtWork(place))
    .map(place => ({ place, rate: rateOf(place) }))
    .reduce<{ place: Place; rate: number } | undefined>(
      (one, other) => (one === undefined || other.rate < one.rate ? other : one),
      undefined,
    )

/** How many places a newcomer's own site or network holds, and the places of those that hold the most. */
function weigh(held: readonly Place[], newcomer: Place, ownerOf: (place: Place) => string | null) {
  const shares = groupBy(held, ownerOf)
  const most = Math.max(0, ...[...shares.values()].map(({ length }) => length))
  const own = shares.get(ownerOf(newcomer))?.length ?? 0
  return { own, isMore: most > own + 1, heaviest: [...shares.values()].filter(({ length }) => length === most).flat() }
}

/**
 * The place that gives way to a newcomer: of the site that holds the most, if that is more than the newcomer's would
 * then; or else of such a network; and of these the slowest. Where no network holds more, one below 16 KB/s gives way to
 * who has none.
 */
export function findLesser(held: Iterable<Place>, newcomer: Place): Place | undefined {
  if (newcomer.network === null) return undefined
  const present = [...held].filter(({ ctx }) => !isClientGone(ctx))
  const sites = weigh(present, newcomer, siteOfPlace)
  if (sites.isMore) return findSlowest(sites.heaviest)?.place
  const { own, isMore, heaviest } = weigh(present, newcomer, networkOfPlace)
  const slowest = findSlowest(heaviest)
  if (slowest === undefined || isMore) return slowest?.place
  return own === 0 && slowest.rate < leastRate ? slowest.place : undefined
}

const countBy = (places: readonly Place[], ownerOf: (place: Place) => string | null): Map<string | null, number> => {
  const counts = new Map<string | null, number>()
  for (const place of places) counts.set(ownerOf(place), (counts.get(ownerOf(place)) ?? 0) + 1)
  return counts
}

/** The one of those that wait whose turn it is: the first of the site, and in it of the network, with the fewest places. */
export function findNext(waiting: Iterable<Place>, held: Iterable<Place>): Place | undefined {
  const all = [...held]
  const [sites, networks] = [countBy(all, siteOfPlace), countBy(all, networkOfPlace)]
  let next: { place: Place; ofSite: number; ofNetwork: number } | undefined
  for (const place of waiting) {
    const [ofSite, ofNetwork] = [sites.get(place.site) ?? 0, networks.get(place.network) ?? 0]
    if (ofSite === 0 && ofNetwork === 0) return place
    const isFewer = next === undefined || ofSite < next.ofSite || (ofSite === next.ofSite && ofNetwork < next.ofNetwork)
    if (isFewer) next = { place, ofSite, ofNetwork }
  }
  return next?.place
}
