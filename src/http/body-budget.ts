/** Bounds the bytes of bodies that wait in memory until they are whole: those of one user, and those of a process. */
import { AppError } from '../base/errors.ts'

/** Bytes of one user's bodies at once: eight of the largest, or a page's and a script's many small ones. */
const mostOfUser = 8 * 1024 ** 2
/** Bytes of all bodies at once. */
const mostOfAll = 96 * 1024 ** 2

/** What one request has in memory. */
interface HeldBytes {
  /** Counts bytes that have come. Throws `rate_limited` or `unavailable` if they are too many beside the others. */
  add(bytes: number): void
  /** Counts them no more; may be called again. */
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
    return {
      add: bytes => {
        if ((users.get(userId) ?? 0) + bytes > mostOfUser) {
          throw new AppError('rate_limited', 'This account sends too much at once, try again', { retryAfter: 1 })
        }
        if (all + bytes > mostOfAll) {
          throw new AppError('unavailable', 'The server receives too much at once, try again', { retryAfter: 1 })
        }
        own += bytes
        count(userId, bytes)
      },
      end: () => {
        count(userId, -own)
        own = 0
      },
    }
  }
}
