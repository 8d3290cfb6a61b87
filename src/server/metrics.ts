/** What the server holds and what waits in it: users, items, bytes, free space, and the queues. */
import type { Deps } from '../deps.ts'
import { addProcessMetrics } from './process-metrics.ts'

interface Held {
  users: number
  items: number
  bytes: number
}

/** By the spaces' own counters: to count the files themselves would read all of them. */
const countHeld = ({ db }: Deps): Promise<Held | undefined> =>
  db.row<Held>(
    `SELECT COUNT(*) AS users, COALESCE(SUM(item_count), 0) AS items, COALESCE(SUM(storage_used), 0) AS bytes
     FROM spaces WHERE kind = 'personal'`,
  )

function addHeld(deps: Deps): void {
  const { metrics } = deps
  const isUp = metrics.gauge('filestore_database_up', 'Whether the database answers', [], 'min')
  const users = metrics.gauge('filestore_users', 'Users', [], 'max')
  const items = metrics.gauge('filestore_items', 'Files and folders, live and trashed', [], 'max')
  const bytes = metrics.gauge(
    'filestore_stored_bytes',
    'Bytes of files as they are charged, each copy in full',
    [],
    'max',
  )
  metrics.beforeText(async () => {
    const held = await countHeld(deps).catch(() => undefined)
    isUp.set(held === undefined ? 0 : 1)
    if (held === undefined) return
    users.set(held.users)
    items.set(held.items)
    bytes.set(held.bytes)
  })
}

function addRoom({ metrics, room }: Deps): void {
  const free = metrics.gauge('filestore_disk_free_bytes', 'Free space', ['disk'], 'min')
  const floor = metrics.gauge(
    'filestore_disk_floor_bytes',
    'Free space at which uploads stop; 0 for never',
    ['disk'],
    'max',
  )
  metrics.beforeText(async () => {
    for (const disk of await room.look()) {
      if (disk.free !== null) free.set(disk.free, disk.name)
      floor.set(disk.floor, disk.name)
    }
  })
}

/** Adds what a journal tells of itself. */
export function addJournalMetrics({ journal, metrics }: Pick<Deps, 'journal' | 'metrics'>): void {
  const events = metrics.gauge('filestore_audit_events_waiting', 'Events of the audit log that wait to be written')
  const lost = metrics.counter('filestore_audit_events_lost_total', 'Events that were lost, for too many waited')
  metrics.beforeText(() => {
    events.set(journal.waiting())
    lost.set(journal.lost())
  })
}

/** Adds what is looked at when somebody asks. */
export function addServerMetrics(deps: Deps): void {
  const { db, metrics, passwords } = deps
  const hashes = metrics.gauge('filestore_password_hashes_waiting', 'Passwords that wait to be hashed or compared')
  const writes = metrics.gauge('filestore_database_writes_waiting', 'Writes that wait for their turn')
  metrics.beforeText(() => {
    hashes.set(passwords.waiting())
    writes.set(db.waiting())
  })
  addJournalMetrics(deps)
  addHeld(deps)
  addRoom(deps)
  addProcessMetrics(metrics)
}
