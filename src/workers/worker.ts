/** A worker: a server like any other, except that its primary keeps the shared counts and journal. */
import cluster from 'node:cluster'
import { once } from 'node:events'
import { systemClock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'
import { closeDeps, openDeps } from '../server/open-deps.ts'
import { type RunningServer, startServer } from '../server/server.ts'
import type { PrimaryCalls, WorkerCalls } from './calls.ts'
import { openChannel, type Remote } from './channel.ts'

/** Replaces counts, journal and metrics by the primary's. */
const withPrimary = (deps: Deps, primary: Remote<PrimaryCalls>): Deps => ({
  ...deps,
  budgets: {
    spend: budgets => primary.ask('spend', budgets),
    // The primary does this.
    share: async () => undefined,
  },
  devicePermits: {
    begin: keyId => primary.ask('beginDevice', keyId),
    end: keyId => primary.tell('endDevice', keyId),
  },
  journal: {
    note: note => primary.tell('note', note),
    refuse: note => primary.tell('refuse', note),
    flush: () => primary.ask('flush'),
    waiting: () => 0,
    lost: () => 0,
    // Messages arrive in order, so everything noted before has arrived when this resolves.
    close: () => primary.ask('flush'),
  },
  figures: () => primary.ask('figures'),
})

/** A terminal sends these to every process; only the primary acts on them. */
const stopSignals = ['SIGINT', 'SIGTERM'] as const

/**
 * Runs this process as a worker until its primary ends it; `withConfig` reads the configuration and reports errors. If
 * the start fails, the primary is told why. If the primary dies, node:cluster ends this process at once.
 */
export async function runWorker(withConfig: (work: (config: Config) => Promise<void>) => Promise<void>): Promise<void> {
  const { worker } = cluster
  if (worker === undefined) throw new Error('a worker is started by its primary')
  for (const signal of stopSignals) process.on(signal, () => undefined)
  const [stop, end] = [new AbortController(), new AbortController()]
  let server: RunningServer | undefined
  const calls: WorkerCalls = {
    figures: async () => server?.deps.metrics.getMetricsAsJSON() ?? [],
    startJobs: () => server?.startJobs('once'),
    stop: () => stop.abort(),
    end: () => end.abort(),
  }
  const primary = openChannel<PrimaryCalls>(worker, calls)
  try {
    await withConfig(async config => {
      const { demoAccounts, port, nodeId } = await primary.ask('begin')
      const deps = await openDeps({ ...config, port }, systemClock, nodeId)
      try {
        server = await startServer(withPrimary(deps, primary), { demoAccounts, kinds: ['each'] })
        await primary.ask('ready', { url: server.url, holder: deps.leases.holder })
        if (!stop.signal.aborted) await once(stop.signal, 'abort')
        await primary.ask('stopped', await server.close(end.signal))
      } finally {
        await closeDeps(deps)
      }
    })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    await primary.ask('fail', error instanceof AppError ? error.code : null, message)
  } finally {
    worker.disconnect()
  }
}
