/**
 * How the networks of a link's visitors share its places: who waits is taken by networks in turns, and who holds the most
 * gives way. The requests of users have no network here: they are taken in order of arrival, and none gives way.
 */
import type { Context } from 'koa'
import { second } from '../../base/clock.ts'
import { groupBy } from '../../base/group-by.ts'
import { isClientGone } from '../client-gone.ts'

/** ms that a request waits for the end of others before one gives way to it: most requests take less. */
export const courtesy = 2 * second
/** Bytes per second of a slow line; see uploads/expiry.ts. */
const leastRate = 16 * 1024
/** ms that a request is given before its rate counts. */
const start = 5 * second
/** ms from one look at a request to the next that counts: its rate is that of the last seconds. */
const lookEvery = 3 * second

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
  /** When the request came. */
  readonly since: number
  /** The last two looks at it by who waits; at first when it came. */
  looks: [earlier: Look, last: Look]
}

/** What an operating system keeps for a client that does not read counts as moved, which may be some megabytes. */
const lookAt = ({ req: { socket } }: Context): Look => ({
  at: performance.now(),
  bytes: socket.bytesRead + socket.bytesWritten,
})

export function openPlace(ctx: Context, network: string | null): Place {
  const look = lookAt(ctx)
  return { ctx, network, since: look.at, looks: [look, look] }
}

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

/**
 * The place that gives way to a newcomer: of the network that holds the most, if that is more than the newcomer's would
 * then, and of these the slowest, or the oldest of equals. Where no network holds more, one below 16 KB/s gives way to
 * who has none.
 */
export function findLesser(held: Iterable<Place>, { network }: Place): Place | undefined {
  if (network === null) return undefined
  const shares = groupBy(
    [...held].filter(({ ctx }) => !isClientGone(ctx)),
    place => place.network,
  )
  const own = shares.get(network)?.length ?? 0
  const most = Math.max(0, ...[...shares.values()].map(({ length }) => length))
  const heaviest = [...shares.values()].filter(({ length }) => length === most).flat()
  const [slowest] = heaviest
    .filter(place => !isAtWork(place))
    .map(place => ({ place, rate: rateOf(place) }))
    .sort((one, other) => (one.rate < other.rate ? -1 : Number(one.rate > other.rate)))
  if (slowest === undefined || most > own + 1) return slowest?.place
  return own === 0 && slowest.rate < leastRate ? slowest.place : undefined
}

/** The one of those that wait whose turn it is: the first of the network that holds the fewest places. */
export function findNext(waiting: Iterable<Place>, held: Iterable<Place>): Place | undefined {
  const counts = new Map<string | null, number>()
  for (const { network } of held) counts.set(network, (counts.get(network) ?? 0) + 1)
  const countOf = ({ network }: Place): number => counts.get(network) ?? 0
  return [...waiting].reduce<Place | undefined>(
    (one, other) => (one === undefined || countOf(other) < countOf(one) ? other : one),
    undefined,
  )
}
