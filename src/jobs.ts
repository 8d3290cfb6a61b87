/** What the server does by itself: sessions whose time is over go hourly, bytes that a crash left daily. */
import { deleteExpiredSessions } from './access/sessions.ts'
import { sweep } from './blobs/sweep.ts'
import type { Deps } from './deps.ts'
import { findNamedKeys } from './files/content.ts'

const hour = 60 * 60 * 1000

interface Job {
  name: string
  /** ms between two runs; the first is at the start. */
  every: number
  run(): Promise<void>
}

const jobsOf = ({ db, store, log }: Deps): Job[] => [
  {
    name: 'sessions',
    every: hour,
    run: async () => {
      await deleteExpiredSessions(db)
    },
  },
  {
    name: 'sweep',
    every: 24 * hour,
    run: async () => {
      const result = await sweep(store, keys => findNamedKeys(db, keys))
      if (result.quarantined + result.purged > 0) log.info(result, 'swept the store')
    },
  },
]

/** Starts every job; the function it gives back stops them and waits for the one that runs. */
export function startJobs(deps: Deps): () => Promise<void> {
  const running = new Set<Promise<void>>()
  const start = (job: Job) => {
    const run: Promise<void> = job
      .run()
      .catch(error => deps.log.error({ err: error, job: job.name }, 'a job failed'))
      .finally(() => running.delete(run))
    running.add(run)
  }
  const timers = jobsOf(deps).map(job => {
    start(job)
    return setInterval(() => start(job), job.every).unref()
  })
  return async () => {
    for (const timer of timers) clearInterval(timer)
    await Promise.all(running)
  }
}
