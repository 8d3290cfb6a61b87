/** Limits the memory of incomplete bodies, per account and per process. */
import type { Context } from 'koa'
import { accountOf, adderId, type Caller } from '../../access/actor.ts'
import { networkOf } from '../../access/network.ts'
import { AppError } from '../../base/errors.ts'
import { holdHeap } from '../../base/hold-heap.ts'
import { cutOff } from '../cut-off.ts'

/** Bytes of one account's bodies: six groups of small files (`openGroupRoom`) with what the server notes of each file. */
const mostOfAccount = 16 * 1024 ** 2
/** Bytes of all bodies. */
const mostOfAll = 48 * 1024 ** 2

/** A body of which bytes are in memory. */
interface Body {
  account: string
  /** The user to whom the bodies count when there are too many: by a link, who answers for it. */
  userId: number
  isByLink: boolean
  network: string
  bytes: number
  /** Whether all of it has arrived: then it takes its memory for a moment only, and its call may already write. */
  isComplete(): boolean
  cut(reason: AppError): void
}

/** The bytes that one request holds in memory. */
interface HeldBytes {
  /**
   * Counts received bytes, or with a negative number gives bytes back. Throws `rate_limited` when they exceed the
   * account's limit, and `unavailable` when they exceed that of the process, and nobody who holds more gives way. After
   * the end it counts nothing: what still arrives of a refused body is not kept.
   */
  add(bytes: number): void
  /** Stops counting them; further calls do nothing. */
  end(): void
}

/** Bytes by the key of each body. */
function sumBy<Key>(bodies: Iterable<Body>, keyOf: (body: Body) => Key): Map<Key, number> {
  const sums = new Map<Key, number>()
  for (const body of bodies) sums.set(keyOf(body), (sums.get(keyOf(body)) ?? 0) + body.bytes)
  return sums
}

/**
 * The incomplete bodies of whoever holds the most among some bodies, the oldest first; `isHeavier` if that is more than
 * a body's own would be with so many bytes more.
 */
function weigh<Key>(among: readonly Body[], keyOf: (body: Body) => Key, body: Body, bytes: number) {
  const sums = [...sumBy(among, keyOf)]
  const own = sums.find(([key]) => key === keyOf(body))?.[1] ?? 0
  const [first, most] = sums.reduce((one, other) => (other[1] > one[1] ? other : one), [keyOf(body), own] as [
    Key,
    number,
  ])
  const heaviest = among.filter(each => keyOf(each) === first && each !== body && !each.isComplete())
  return { heaviest, isHeavier: first !== keyOf(body) && most > own + bytes }
}

const accountIsFull = () =>
  new AppError('rate_limited', 'This account sends too much at once, try again', { retryAfter: 1 })
const serverIsFull = () =>
  new AppError('unavailable', 'The server receives too much at once, try again', { retryAfter: 1 })

/**
 * Returns a function that opens the count of one request. If all bodies together are too large, the oldest incomplete one
 * of the user who holds the most is cut off, those by links first, so that who stops in the middle of bodies keeps out
 * nobody who sends less, and visitors do not keep out who answers for their link.
 */
export function openBodyBudget(): (ctx: Context, caller: Caller) => HeldBytes {
  /** Those that hold bytes, the oldest first. */
  const bodies = new Set<Body>()
  const accounts = new Map<string, number>()
  let all = 0

  function count(body: Body, bytes: number): void {
    all += bytes
    body.bytes += bytes
    if (body.bytes > 0) bodies.add(body)
    else bodies.delete(body)
    const sum = (accounts.get(body.account) ?? 0) + bytes
    if (sum > 0) accounts.set(body.account, sum)
    else accounts.delete(body.account)
  }

  /** The body of all that gives way to another one; undefined if none does. */
  function findLesser(body: Body, bytes: number): Body | undefined {
    const { heaviest, isHeavier } = weigh([...bodies], ({ userId }) => userId, body, bytes)
    const byLink = heaviest.find(({ isByLink }) => isByLink)
    if (heaviest[0]?.userId === body.userId) return body.isByLink ? undefined : byLink
    return isHeavier ? (byLink ?? heaviest[0]) : undefined
  }

  /** The same among the bodies of one link, which its visitors share. A user's own requests are not cut for each other. */
  function findLesserOfLink(body: Body, bytes: number): Body | undefined {
    if (!body.isByLink) return undefined
    const own = [...bodies].filter(({ account }) => account === body.account)
    const { heaviest, isHeavier } = weigh(own, ({ network }) => network, body, bytes)
    return isHeavier ? heaviest[0] : undefined
  }

  function cut(lesser: Body | undefined, refusal: () => AppError): void {
    if (lesser === undefined) throw refusal()
    count(lesser, -lesser.bytes)
    // Not `rate_limited`, which says that nothing of it was stored.
    lesser.cut(serverIsFull())
  }

  /** Throws `rate_limited` or `unavailable` if no body gives way. */
  function makeRoom(body: Body, bytes: number): void {
    while ((accounts.get(body.account) ?? 0) + bytes > mostOfAccount) {
      cut(findLesserOfLink(body, bytes), accountIsFull)
    }
    while (all + bytes > mostOfAll) cut(findLesser(body, bytes), serverIsFull)
  }

  return (ctx, caller) => {
    let hasEnded = false
    const body: Body = {
      account: accountOf(caller),
      userId: adderId(caller),
      isByLink: caller.link !== null,
      network: networkOf(caller.address),
      bytes: 0,
      isComplete: () => ctx.req.complete,
      cut: reason => {
        hasEnded = true
        cutOff(ctx.req, ctx.res, reason)
      },
    }
    return {
      add: bytes => {
        if (hasEnded) return
        if (bytes > 0) makeRoom(body, bytes)
        count(body, bytes)
        if (bytes > 0) holdHeap(all)
      },
      end: () => {
        hasEnded = true
        count(body, -body.bytes)
      },
    }
  }
}
