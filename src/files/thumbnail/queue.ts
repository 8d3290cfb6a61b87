/** The queue of thumbnails to draw, fair between accounts. */
import { AppError } from '../../base/errors.ts'
import { openSemaphore } from '../../base/semaphore.ts'

/** Thumbnails drawn in parallel. */
const atOnce = 2
/** The most waiting thumbnails per line: a few folders of photos opened for the first time. */
const mayWait = 250

const tooMany = () => new AppError('rate_limited', 'Too many thumbnails are being made, try again', { retryAfter: 2 })

/** For whom a thumbnail is drawn: a user, or the visitors of a link that this user has made. */
interface Requester {
  account: number
  link: number | null
}

interface ThumbnailQueue {
  <T>(requester: Requester, job: () => Promise<T>): Promise<T>
  /** The number of running and waiting thumbnails. */
  count(): number
}

/**
 * Returns a function that runs a job in its turn. An account draws one thumbnail at a time, together with the visitors of
 * all its links, so that others wait for at most one of its images; its own and its visitors' take turns, and so do its
 * links. All visitors draw one at a time, so that a user waits for one of theirs, whosever links they use. Throws
 * `rate_limited` when too many jobs of the user, or of the link, wait.
 */
export function openThumbnailQueue(): ThumbnailQueue {
  const withPermit = openSemaphore({ atOnce })
  const lines = new Map<string, { jobs: number; withLinePermit: ReturnType<typeof openSemaphore> }>()

  /** Runs a job in a line, which exists as long as it has jobs. */
  async function inLine<T>(name: string, most: number | null, job: () => Promise<T>): Promise<T> {
    const limit = most === null ? {} : { mayWait: { count: most, refuse: tooMany } }
    const line = lines.get(name) ?? { jobs: 0, withLinePermit: openSemaphore({ atOnce: 1, ...limit }) }
    lines.set(name, line)
    line.jobs += 1
    try {
      return await line.withLinePermit(job)
    } finally {
      line.jobs -= 1
      if (line.jobs === 0) lines.delete(name)
    }
  }

  let jobs = 0
  const queue = async <T>({ account, link }: Requester, job: () => Promise<T>): Promise<T> => {
    const ofAccount = () => inLine(`account ${account}`, null, () => withPermit(job))
    const ofLinks = () => inLine(`links of ${account}`, null, () => inLine('visitors', null, ofAccount))
    jobs += 1
    try {
      return await (link === null
        ? inLine(`user ${account}`, mayWait, ofAccount)
        : inLine(`link ${link}`, mayWait, ofLinks))
    } finally {
      jobs -= 1
    }
  }
  return Object.assign(queue, { count: () => jobs })
}
