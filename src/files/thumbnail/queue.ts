/** The queue of thumbnails to draw, fair between spaces. */
import { AppError } from '../../base/errors.ts'
import { openSemaphore } from '../../base/semaphore.ts'

/** Thumbnails drawn in parallel. */
const atOnce = 2
/** The most waiting thumbnails per space: a few folders of photos opened for the first time. */
const mayWait = 250

const tooMany = () => new AppError('rate_limited', 'Too many thumbnails are being made, try again', { retryAfter: 2 })

interface ThumbnailQueue {
  <T>(spaceId: number, job: () => Promise<T>): Promise<T>
  /** The number of running and waiting thumbnails. */
  count(): number
}

/**
 * Returns a function that runs a job of a space. Each space draws one thumbnail at a time, so that others wait for at
 * most one of its images. Throws `rate_limited` when too many jobs of the space wait.
 */
export function openThumbnailQueue(): ThumbnailQueue {
  const withPermit = openSemaphore({ atOnce })
  const openSpace = () => ({
    jobs: 0,
    withSpacePermit: openSemaphore({ atOnce: 1, mayWait: { count: mayWait, refuse: tooMany } }),
  })
  const spaces = new Map<number, ReturnType<typeof openSpace>>()
  const queue = async <T>(spaceId: number, job: () => Promise<T>): Promise<T> => {
    const space = spaces.get(spaceId) ?? openSpace()
    spaces.set(spaceId, space)
    space.jobs += 1
    try {
      return await space.withSpacePermit(() => withPermit(job))
    } finally {
      space.jobs -= 1
      if (space.jobs === 0) spaces.delete(spaceId)
    }
  }
  const count = () => [...spaces.values()].reduce((sum, { jobs }) => sum + jobs, 0)
  return Object.assign(queue, { count })
}
