/** The queue of thumbnails to draw, fair between spaces, and links. */
import { AppError } from '../../base/errors.ts'
import { openSemaphore } from '../../base/semaphore.ts'

/** Thumbnails drawn in parallel. */
const atOnce = 2
/** The most waiting thumbnails per line: a few folders of photos opened for the first time. */
const mayWait = 250

const tooMany = () => new AppError('rate_limited', 'Too many thumbnails are being made, try again', { retryAfter: 2 })

interface ThumbnailQueue {
  <T>(line: string, job: () => Promise<T>): Promise<T>
  /** The number of running and waiting thumbnails. */
  count(): number
}

/**
 * Returns a function that runs a job in a line: that of a space, or of a link, whose visitors are not to delay the owner.
 * Each line draws one thumbnail at a time, so that others wait for at most one of its images. Throws `rate_limited` when
 * too many jobs of the line wait.
 */
export function openThumbnailQueue(): ThumbnailQueue {
  const withPermit = openSemaphore({ atOnce })
  const openLine = () => ({
    jobs: 0,
    withLinePermit: openSemaphore({ atOnce: 1, mayWait: { count: mayWait, refuse: tooMany } }),
  })
  const lines = new Map<string, ReturnType<typeof openLine>>()
  const queue = async <T>(name: string, job: () => Promise<T>): Promise<T> => {
    const line = lines.get(name) ?? openLine()
    lines.set(name, line)
    line.jobs += 1
    try {
      return await line.withLinePermit(() => withPermit(job))
    } finally {
      line.jobs -= 1
      if (line.jobs === 0) lines.delete(name)
    }
  }
  const count = () => [...lines.values()].reduce((sum, { jobs }) => sum + jobs, 0)
  return Object.assign(queue, { count })
}
