/** The server's background jobs: checking its clock, and deleting what has expired or was left behind. */
import { Counter, Gauge } from 'prom-client'
import { deleteExpiredSessions } from '../access/sessions.ts'
import { day, hour, minute, second } from '../base/clock.ts'
import { sweep } from '../blobs/sweep.ts'
import { beatTime } from '../db/nodes.ts'
import { deleteEndedCounts } from '../db/shared-counts.ts'
import { withLease } from '../db/with-lease.ts'
import type { Deps } from '../deps.ts'
import { deleteOldEvents } from '../events/retention.ts'
import { finishAbandonedTransfers } from '../files/abandoned-transfers.ts'
import { purgeOldTrash } from '../files/delete/retention.ts'
import { deleteAbandonedTrees } from '../files/delete/tree.ts'
import { findForeignSign, markStore } from '../files/store-identity.ts'
import { openSweepRows } from '../files/sweep-rows.ts'
import { deleteEndedVisits } from '../links/visits.ts'
import { endWithRights } from '../uploads/ended-rights.ts'
import { endExpired, finishInterrupted } from '../uploads/expiry.ts'
import { openClockGuard } from './clock-guard.ts'
import { type HeartbeatOptions, openHeartbeat } from './heartbeat.ts'

/**
 * Where a job runs when the server has several processes: `once` in one of them, `each` in every one that answers
 * requests, `lead` in the one that leads the others.
 */
const jobKinds = ['once', 'each', 'lead'] as const
export type JobKind = (typeof jobKinds)[number]

interface Job {
  name: string
  kind: JobKind
  /** ms between two runs. The first is at the start; none starts before the previous one has ended. */
  every: number
  /** Ends early when the signal aborts because the server stops. */
  run(signal: AbortSignal): Promise<unknown>
  /** Runs after the last run, when the server stops. */
  end?(): Promise<unknown>
}

async function sweepStore(deps: Deps, signal: AbortSignal): Promise<void> {
  const { store, log, clock } = deps
  const sign = await findForeignSign(deps, signal)
  if (signal.aborted) return
  if (sign !== null) {
    log.error({ storage: store.name }, `the store is not swept, for ${sign}: is it the right one?`)
    return
  }
  await markStore(deps)
  const { missed, ...result } = await sweep(store, openSweepRows(deps), clock.now(), signal)
  if (result.quarantined + result.purged > 0) log.info(result, 'swept the store')
  if (missed > 0) log.error({ missed }, 'bytes stay in quarantine, for a file may have lost them: run filestore fsck')
}

/** The job by which the other servers on the database know of this one. */
function nodeJob(deps: Deps, options: HeartbeatOptions): Job {
  const { beat, leave } = openHeartbeat(deps, options)
  return { name: 'node', kind: 'lead', every: beatTime, run: beat, end: leave }
}

function jobsOf(deps: Deps, node: Omit<HeartbeatOptions, 'id'>): Job[] {
  const guardClock = openClockGuard(deps)
  /** Jobs that delete by age do nothing while the clock is implausible; at the start they wait for the first check. */
  const unlessHeld = (run: Job['run']) => async (signal: AbortSignal) => {
    if ((await guardClock()) === 0) await run(signal)
  }
  /** Only on MariaDB can other servers work on the same rows. */
  const shared: Job[] = [
    ...(deps.nodeId === null ? [] : [nodeJob(deps, { ...node, id: deps.nodeId })]),
    { name: 'key counts', kind: 'lead', every: second, run: () => deps.budgets.share(deps.db) },
    { name: 'ended counts', kind: 'once', every: hour, run: () => deleteEndedCounts(deps.db, day) },
  ]
  /** Two sweeps at once would list the store twice, and each take the mark of the other for a newer database's. */
  const sweepAlone = (signal: AbortSignal) => sweepStore(deps, signal)
  const once: Omit<Job, 'kind'>[] = [
    { name: 'clock', every: minute, run: guardClock },
    { name: 'abandoned trees', every: minute, run: signal => deleteAbandonedTrees(deps, signal) },
    { name: 'abandoned transfers', every: minute, run: signal => finishAbandonedTransfers(deps, signal) },
    { name: 'purge', every: hour, run: unlessHeld(signal => purgeOldTrash(deps, signal)) },
    { name: 'audit', every: hour, run: unlessHeld(signal => deleteOldEvents(deps, signal)) },
    { name: 'uploads', every: hour, run: unlessHeld(signal => endExpired(deps, signal)) },
    { name: 'uploads without rights', every: 10 * minute, run: unlessHeld(signal => endWithRights(deps, signal)) },
    { name: 'interrupted uploads', every: hour, run: signal => finishInterrupted(deps, signal) },
    { name: 'sessions', every: hour, run: () => deleteExpiredSessions(deps.db) },
    { name: 'link visits', every: hour, run: signal => deleteEndedVisits(deps.db, signal) },
    { name: 'sweep', every: day, run: unlessHeld(signal => withLease(deps.leases, 'sweep', signal, sweepAlone)) },
  ]
  return [
    ...(deps.db.dialect === 'mariadb' ? shared : []),
    { name: 'free space', kind: 'each', every: minute, run: deps.freeSpace.look },
    ...once.map(job => ({ ...job, kind: 'once' as const })),
  ]
}

/** On SQLite this is the only server, so leases of other processes are left over from earlier runs. */
const forgetOthers = async ({ db, leases, log }: Deps): Promise<void> => {
  if (db.dialect === 'sqlite') {
    await leases.abandonAll().catch(error => log.error({ err: error }, 'the leases of earlier runs stay'))
  }
}

/** Returns a function that runs a job and counts its results. */
function addJobMetrics({ metrics, clock }: Pick<Deps, 'metrics' | 'clock'>) {
  const labelNames = ['job'] as const
  const registers = [metrics]
  const ended = new Gauge({
    name: 'filestore_job_last_run_timestamp_seconds',
    help: 'When a job ended last',
    labelNames,
    registers,
    aggregator: 'max',
  })
  const seconds = new Gauge({
    name: 'filestore_job_last_run_duration_seconds',
    help: 'How long it took',
    labelNames,
    registers,
    aggregator: 'max',
  })
  const failed = new Counter({
    name: 'filestore_job_failures_total',
    help: 'Runs of a job that failed',
    labelNames,
    registers,
  })
  return async ({ name: job, run }: Job, signal: AbortSignal): Promise<void> => {
    const began = clock.monotonic()
    failed.inc({ job }, 0)
    try {
      await run(signal)
    } catch (error) {
      failed.inc({ job })
      throw error
    } finally {
      ended.set({ job }, clock.now() / 1000)
      seconds.set({ job }, (clock.monotonic() - began) / 1000)
    }
  }
}

interface Jobs {
  /** Starts the jobs of another kind. */
  start(kind: JobKind): void
  /** Rejects when the server must end, because a newer filestore changes the tables. */
  failure: Promise<never>
  /** Aborts all jobs, waits for those that run, and ends them. */
  stop(): Promise<void>
}

interface JobsOptions {
  /** All by default. */
  kinds?: readonly JobKind[]
  /** Where the server listens; other nodes are told. */
  address?: string
}

/** Starts the jobs of these kinds. */
export function startJobs(deps: Deps, { kinds = jobKinds, address = '' }: JobsOptions = {}): Jobs {
  let onOutdated: (reason: Error) => void = () => undefined
  const failure = new Promise<never>((_resolve, reject) => {
    onOutdated = reject
  })
  // Whoever awaits it still gets the error; this only avoids an unhandled rejection.
  failure.catch(() => undefined)
  const jobs = jobsOf(deps, { address, onOutdated })
  const stopping = new AbortController()
  const running = new Map<Job, Promise<unknown>>()
  const runCounted = addJobMetrics(deps)
  const isReady = forgetOthers(deps)
  const timers: NodeJS.Timeout[] = []
  const started: Job[] = []
  const begin = (job: Job) => {
    if (running.has(job)) return
    const run = isReady
      .then(() => runCounted(job, stopping.signal))
      .catch(error => deps.log.error({ err: error, job: job.name }, 'a job failed'))
      .finally(() => running.delete(job))
    running.set(job, run)
  }
  const start = (kind: JobKind) => {
    if (stopping.signal.aborted) return
    for (const job of jobs.filter(job => job.kind === kind)) {
      started.push(job)
      begin(job)
      timers.push(setInterval(() => begin(job), job.every).unref())
    }
  }
  for (const kind of kinds) start(kind)
  return {
    start,
    failure,
    stop: async () => {
      stopping.abort()
      for (const timer of timers) clearInterval(timer)
      await Promise.all(running.values())
      const ends = started.map(({ name, end }) =>
        end?.().catch(error => deps.log.warn({ err: error, job: name }, 'a job did not end well')),
      )
      await Promise.all(ends)
    },
  }
}
