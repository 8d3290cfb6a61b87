/** Limits the memory of incomplete bodies, per account and per process. */
import type { Context } from 'koa'
import { accountOf, adderId, type Caller } from '../../access/actor.ts'
import { AppError } from '../../base/errors.ts'
import { holdHeap } from '../../base/hold-heap.ts'

/** Bytes of one account's bodies: six groups of small files (`openGroupRoom`) with what the server notes of each file. */
const mostOfAccount = 16 * 1024 ** 2
/** Bytes of all bodies. */
const mostOfAll = 48 * 1024 ** 2

/** A body of which bytes are in memory. */
interface Body {
  account: string
  /** The user to whom the bodies count when there are too many: by a link, who answers for it. */
  userId: number
  bytes: number
  cut(): void
}

/** The bytes that one request holds in memory. */
interface HeldBytes {
  /**
   * Counts received bytes, or with a negative number gives bytes back. Throws `rate_limited` when they exceed the
   * account's limit, and `unavailable` when they exceed that of the process and nobody holds more. After the end it
   * counts nothing: what still arrives of a refused body is not kept.
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
 * Returns a function that opens the count of one request. If all bodies together are too large, the oldest one of the user
 * who holds the most is cut off, so that who stops in the middle of bodies keeps out nobody who sends less.
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

  /** Throws `unavailable` if nobody holds more than the body's user would. */
  function makeRoom(body: Body, bytes: number): void {
    while (all + bytes > mostOfAll) {
      const sums = sumBy(bodies, ({ userId }) => userId)
      const [heaviest, most] = [...sums].reduce((one, other) => (other[1] > one[1] ? other : one))
      const own = (sums.get(body.userId) ?? 0) + bytes
      const oldest = [...bodies].find(({ userId }) => userId === heaviest)
      if (heaviest === body.userId || most <= own || oldest === undefined) {
        throw new AppError('unavailable', 'The server receives too much at once, try again', { retryAfter: 1 })
      }
      count(oldest, -oldest.bytes)
      oldest.cut()
    }
  }

  return (ctx, caller) => {
    let hasEnded = false
    const body: Body = {
      account: accountOf(caller),
      userId: adderId(caller),
      bytes: 0,
      cut: () => {
        hasEnded = true
        ctx.req.socket.destroy()
      },
    }
    return {
      add: bytes => {
        if (hasEnded) return
        if (bytes > 0 && (accounts.get(body.account) ?? 0) + bytes > mostOfAccount) {
          throw new AppError('rate_limited', 'This account sends too much at once, try again', { retryAfter: 1 })
        }
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
