/** Runs the background jobs of a server once. */
import { expect } from 'vitest'
import { type Clock, systemClock } from '../../src/base/clock.ts'
import type { Deps } from '../../src/deps.ts'
import { startJobs } from '../../src/server/jobs.ts'
import { withOwnFigures } from './own-figures.ts'

/** Waits until a job has finished once. */
export const untilJobRan = ({ metrics }: Pick<Deps, 'metrics'>, job: string): Promise<void> =>
  expect.poll(() => metrics.metrics()).toContain(`filestore_job_last_run_timestamp_seconds{job="${job}"}`)

/** Starts all jobs with a clock that is `ahead` ms ahead, waits until one job has finished, and stops them. */
export async function runJob(deps: Deps, job: string, ahead = 0): Promise<void> {
  const own = withOwnFigures(deps)
  const clock: Clock = { ...systemClock, now: () => Date.now() + ahead }
  const { stop } = startJobs({ ...own, clock })
  await untilJobRan(own, job)
  await stop()
}
