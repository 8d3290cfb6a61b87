/** Metrics of the server's contents and queues: users, items, bytes, free space, waiting work. */
import { Counter, Gauge } from 'prom-client'
import type { Metrics } from '../base/metrics.ts'
import type { Deps } from '../deps.ts'
import { addProcessMetrics } from './process-metrics.ts'

interface Held {
  users: number
  items: number
  bytes: number
}

/** Sums the spaces' own counters: counting the files would read all of them. */
const countHeld = ({ db }: Deps): Promise<Held | undefined> =>
  db.row<Held>(
    `SELECT COUNT(*) AS users, COALESCE(SUM(item_count), 0) AS items, COALESCE(SUM(storage_used), 0) AS bytes
     FROM spaces WHERE kind = 'personal'`,
  )

function addHeld(deps: Deps): void {
  const registers = [deps.metrics]
  let underWay: Promise<Held | undefined> | undefined
  /** One query for all metrics that are collected together. */
  const look = () => {
    underWay ??= countHeld(deps).finally(() => {
      underWay = undefined
    })
    return underWay
  }
  new Gauge({
    name: 'filestore_database_up',
    help: 'Whether the database answers',
    aggregator: 'min',
    registers,
    async collect() {
      const isUp = await look().then(
        () => 1,
        () => 0,
      )
      this.set(isUp)
    },
  })
  const addGauge = (name: string, help: string, key: keyof Held) =>
    new Gauge({
      name,
      help,
      aggregator: 'max',
      registers,
      async collect() {
        const held = await look()
        if (held !== undefined) this.set(held[key])
      },
    })
  addGauge('filestore_users', 'Users', 'users')
  addGauge('filestore_items', 'Files and folders, live and trashed', 'items')
  addGauge('filestore_stored_bytes', 'Bytes of files as they are charged, each copy in full', 'bytes')
}

function addFreeSpace({ metrics, freeSpace }: Deps): void {
  const labelNames = ['disk'] as const
  const registers = [metrics]
  new Gauge({
    name: 'filestore_disk_free_bytes',
    help: 'Free space',
    labelNames,
    aggregator: 'min',
    registers,
    async collect() {
      for (const { name, free } of await freeSpace.look()) if (free !== null) this.set({ disk: name }, free)
    },
  })
  new Gauge({
    name: 'filestore_disk_floor_bytes',
    help: 'Free space at which uploads stop; 0 for never',
    labelNames,
    aggregator: 'max',
    registers,
    async collect() {
      for (const { name, floor } of await freeSpace.look()) this.set({ disk: name }, floor)
    },
  })
}

/** Adds the length of a queue. */
function addWaiting(metrics: Metrics, name: string, help: string, queue: { waiting(): number }): void {
  new Gauge({
    name,
    help,
    registers: [metrics],
    collect() {
      this.set(queue.waiting())
    },
  })
}

/** Adds the metrics of a journal. */
export function addJournalMetrics({ journal, metrics }: Pick<Deps, 'journal' | 'metrics'>): void {
  addWaiting(metrics, 'filestore_audit_events_waiting', 'Events of the audit log that wait to be written', journal)
  new Counter({
    name: 'filestore_audit_events_lost_total',
    help: 'Events that were lost, for too many waited',
    registers: [metrics],
    collect() {
      this.reset()
      this.inc(journal.lost())
    },
  })
}

/** Adds metrics that are computed when they are collected. */
export function addServerMetrics(deps: Deps): void {
  const { db, metrics, passwords } = deps
  addWaiting(metrics, 'filestore_password_hashes_waiting', 'Passwords that wait to be hashed or compared', passwords)
  addWaiting(metrics, 'filestore_database_writes_waiting', 'Writes that wait for their turn', db)
  addJournalMetrics(deps)
  addHeld(deps)
  addFreeSpace(deps)
  addProcessMetrics(metrics)
}
