/** Limits the memory of incomplete bodies, per user and per process. */
import { AppError } from '../../base/errors.ts'
import { holdHeap } from '../../base/hold-heap.ts'

/** Bytes of one user's bodies: six groups of small files (`openGroupRoom`) with what the server notes of each file. */
const mostOfUser = 16 * 1024 ** 2
/** Bytes of all bodies. */
const mostOfAll = 48 * 1024 ** 2

/** The bytes that one request holds in memory. */
interface HeldBytes {
  /**
   * Counts received bytes, or with a negative number gives bytes back. Throws `rate_limited` or `unavailable` when they
   * exceed the user's or process's limit. After the end it counts nothing: what still arrives of a refused body is not
   * kept.
   */
  add(bytes: number): void
  /** Stops counting them; further calls do nothing. */
  end(): void
}

/** Returns a function that opens the count of one request of an account (see `accountOf`). */
export function openBodyBudget(): (account: string) => HeldBytes {
  const accounts = new Map<string, number>()
  let all = 0

  function count(account: string, bytes: number): void {
    all += bytes
    const sum = (accounts.get(account) ?? 0) + bytes
    if (sum > 0) accounts.set(account, sum)
    else accounts.delete(account)
  }

  return account => {
    let own = 0
    let hasEnded = false
    return {
      add: bytes => {
        if (hasEnded) return
        if (bytes > 0 && (accounts.get(account) ?? 0) + bytes > mostOfUser) {
          throw new AppError('rate_limited', 'This account sends too much at once, try again', { retryAfter: 1 })
        }
        if (bytes > 0 && all + bytes > mostOfAll) {
          throw new AppError('unavailable', 'The server receives too much at once, try again', { retryAfter: 1 })
        }
        own += bytes
        count(account, bytes)
        if (bytes > 0) holdHeap(all)
      },
      end: () => {
        hasEnded = true
        count(account, -own)
        own = 0
      },
    }
  }
}
