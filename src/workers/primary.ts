/** The primary of a server with several workers: it answers no requests, and keeps the state that all of them share. */
import { setTimeout } from 'node:timers/promises'
import { AggregatorRegistry } from 'prom-client'
import { openDevicePermits } from '../access/device-permits.ts'
import type { DemoAccount } from '../api/page.ts'
import { second } from '../base/clock.ts'
import type { Deps } from '../deps.ts'
import { startJobs } from '../server/jobs.ts'
import { addJournalMetrics } from '../server/metrics.ts'
import { addProcessMetrics } from '../server/process-metrics.ts'
import type { RunningServer } from '../server/server.ts'
import type { Figures } from './calls.ts'
import { type Crew, type Member, openCrew } from './crew.ts'

/** ms to wait for a worker's metrics; if it is too busy, its last ones are used. */
const figuresWait = 2 * second

/** The metrics of an ended process that must be kept: its counters, so that no sum ever decreases. */
const lasting = (figures: Figures = []): Figures => figures.filter(({ type }) => String(type) !== 'gauge')

/** Collects the metrics of all processes for /metrics. */
function openFigures({ metrics }: Deps) {
  const last = new Map<Member, Figures>()
  let gone: Figures = []
  const ask = async (member: Member): Promise<void> => {
    const answer = await Promise.race([
      member.remote.ask('figures').catch(() => undefined),
      setTimeout(figuresWait, undefined, { ref: false }),
    ])
    if (answer !== undefined && member.ready !== null) last.set(member, answer)
  }
  return {
    text: async (members: readonly Member[]): Promise<string> => {
      const [own] = await Promise.all([metrics.getMetricsAsJSON(), ...members.map(ask)])
      return AggregatorRegistry.aggregate([...last.values(), gone, own]).metrics()
    },
    forget: (member: Member): void => {
      gone = AggregatorRegistry.aggregate([gone, lasting(last.get(member))]).getMetricsAsArray()
      last.delete(member)
    },
  }
}

/** Counts device keys' requests by worker, so that the counts of a dead worker disappear. */
function openPermitsOfAll() {
  const held = new Map<Member, ReturnType<typeof openDevicePermits>>()
  const others = (member: Member) => (keyId: number) =>
    [...held].reduce((sum, [other, permits]) => sum + (other === member ? 0 : permits.underWay(keyId)), 0)
  return {
    of: (member: Member) => {
      const permits = held.get(member) ?? openDevicePermits(others(member))
      held.set(member, permits)
      return permits
    },
    forget: (member: Member) => held.delete(member),
  }
}

/** A server of several processes; `failure` rejects also when all of them are lost. */
export type RunningCrew = Omit<RunningServer, 'startJobs'>

/** Starts the configured number of workers; resolves when all of them answer requests. */
export async function startWorkers(deps: Deps, demoAccounts: readonly DemoAccount[]): Promise<RunningCrew> {
  const { config, budgets, journal, leases, log, metrics, nodeId } = deps
  addJournalMetrics(deps)
  addProcessMetrics(metrics)
  const figures = openFigures(deps)
  const permits = openPermitsOfAll()
  let withJobs: Member | undefined
  /** A free port is chosen once, and kept even if all workers die. */
  let { port } = config

  const giveJobs = (): void => {
    withJobs ??= giveTo(crew.ready()[0])
  }
  const giveTo = (member: Member | undefined): Member | undefined => {
    member?.remote.tell('startJobs')
    return member
  }
  const crew: Crew = openCrew({
    log,
    answers: member => ({
      begin: () => ({ demoAccounts, port, nodeId }),
      figures: () => figures.text(crew.ready()),
      spend: budgets.spend,
      beginDevice: keyId => permits.of(member).begin(keyId),
      endDevice: keyId => permits.of(member).end(keyId),
      note: journal.note,
      refuse: journal.refuse,
      flush: journal.flush,
    }),
    onReady: giveJobs,
    drainTime: config.drainSeconds * second,
    onGone: async (member, { url, holder }) => {
      figures.forget(member)
      permits.forget(member)
      if (crew.ready().length === 0) port = Number(new URL(url).port)
      // Others can continue its jobs at once, instead of waiting for its leases to expire.
      await leases.abandonOf(holder).catch(error => log.warn({ err: error }, 'leases stay until they expire'))
      if (withJobs !== member) return
      withJobs = undefined
      giveJobs()
    },
  })
  await crew.start(config.workers)
  const url = crew.ready()[0]?.ready?.url ?? ''
  const jobs = startJobs(deps, { kinds: ['lead'], address: url })
  return {
    url,
    deps,
    failure: Promise.race([crew.failure, jobs.failure]),
    close: async (end = new AbortController().signal) => {
      const cut = await crew.stop(end)
      await jobs.stop()
      await journal.close()
      return cut
    },
  }
}
