/** Limits the memory of incomplete bodies, per user and per process. */
import { AppError } from '../../base/errors.ts'

/** Bytes of one user's bodies: eight of the largest, or many small ones of a page and a script. */
const mostOfUser = 8 * 1024 ** 2
/** Bytes of all bodies. */
const mostOfAll = 32 * 1024 ** 2

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

/** Returns a function that opens the count of one request. */
export function openBodyBudget(): (userId: number) => HeldBytes {
  const users = new Map<number, number>()
  let all = 0

  function count(userId: number, bytes: number): void {
    all += bytes
    const sum = (users.get(userId) ?? 0) + bytes
    if (sum > 0) users.set(userId, sum)
    else users.delete(userId)
  }

  return userId => {
    let own = 0
    let hasEnded = false
    return {
      add: bytes => {
        if (hasEnded) return
        if (bytes > 0 && (users.get(userId) ?? 0) + bytes > mostOfUser) {
          throw new AppError('rate_limited', 'This account sends too much at once, try again', { retryAfter: 1 })
        }
        if (bytes > 0 && all + bytes > mostOfAll) {
          throw new AppError('unavailable', 'The server receives too much at once, try again', { retryAfter: 1 })
        }
        own += bytes
        count(userId, bytes)
      },
      end: () => {
        hasEnded = true
        count(userId, -own)
        own = 0
      },
    }
  }
}
