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

/** A request that holds a place, or waits for one. */
export interface Place {
  readonly ctx: Context
  /** Null: a user's. */
  readonly network: string | null
  /** When the request came, on the monotonic clock, and what its connection had moved by then. */
  readonly since: number
  readonly moved: number
}

const bytesMoved = ({ req: { socket } }: Context): number => socket.bytesRead + socket.bytesWritten

export const openPlace = (ctx: Context, network: string | null): Place => ({
  ctx,
  network,
  since: performance.now(),
  moved: bytesMoved(ctx),
})

/** Whether the server itself is at work on it: it ends soon, and may have stored something. */
const isAtWork = ({ ctx: { req, res } }: Place): boolean => req.complete && !res.headersSent

/** Bytes per second; none is too low at first. */
function rateOf({ ctx, since, moved }: Place): number {
  const age = performance.now() - since
  if (age < start) return Number.POSITIVE_INFINITY
  return ((bytesMoved(ctx) - moved) / age) * second
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
  const slowest = heaviest
    .filter(place => !isAtWork(place))
    .reduce<Place | undefined>(
      (one, other) => (one === undefined || rateOf(other) < rateOf(one) ? other : one),
      undefined,
    )
  if (slowest === undefined || most > own + 1) return slowest
  return own === 0 && rateOf(slowest) < leastRate ? slowest : undefined
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
