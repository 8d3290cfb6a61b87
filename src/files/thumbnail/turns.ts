/** Whose thumbnail is drawn next. */
import { AppError } from '../../base/errors.ts'
import { openTurns } from '../../base/turns.ts'

/** How many are drawn at once. */
const atOnce = 2
/** How many of one space may wait: some folders full of photos, each looked at for the first time. */
const mayWait = 250

const tooMany = () => new AppError('rate_limited', 'Too many thumbnails are being made, try again', { retryAfter: 2 })

interface TakeTurn {
  <T>(spaceId: number, job: () => Promise<T>): Promise<T>
  /** How many are drawn or wait to be. */
  count(): number
}

/**
 * Gives back a function that runs a job when its turn has come. The images of one space take one turn at a time, and
 * only the first of them stands in the queue of all: whatever they cost, others wait for one of them at most. Throws
 * `rate_limited` where too many of that space wait.
 */
export function openThumbnailTurns(): TakeTurn {
  const takeTurn = openTurns({ atOnce })
  const openSpace = () => ({
    jobs: 0,
    takeTurn: openTurns({ atOnce: 1, mayWait: { count: mayWait, refuse: tooMany } }),
  })
  const spaces = new Map<number, ReturnType<typeof openSpace>>()
  const takeTurnOf = async <T>(spaceId: number, job: () => Promise<T>): Promise<T> => {
    const space = spaces.get(spaceId) ?? openSpace()
    spaces.set(spaceId, space)
    space.jobs += 1
    try {
      return await space.takeTurn(() => takeTurn(job))
    } finally {
      space.jobs -= 1
      if (space.jobs === 0) spaces.delete(spaceId)
    }
  }
  const count = () => [...spaces.values()].reduce((sum, { jobs }) => sum + jobs, 0)
  return Object.assign(takeTurnOf, { count })
}
