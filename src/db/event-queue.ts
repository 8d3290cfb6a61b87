/** A queue of journal events: they wait in memory and are written to the events table in batches. */
import type { EventAction } from '../api/event-actions.ts'
import { type Clock, day } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { openSemaphore } from '../base/semaphore.ts'
import type { Database } from './database.ts'
import { eventRow } from './models/events.ts'
import { systemActor, type WriteActor } from './write-actor.ts'

/** Maximum number of waiting events, for example while the database is down. Beyond it only the number is logged. */
const maxWaiting = 10_000
/** Events written per day (some megabytes) while free space is below the reserve; the others wait. */
const writtenWhenLow = 10_000
/** Events written in one transaction; other writes wait until it ends. */
const writtenAtOnce = 1000

export interface Note {
  actor: WriteActor
  action: EventAction
  /** The row of the noun that the action begins with. */
  itemId: number | null
  detail?: Record<string, string | number>
  /** Tells apart notes that look the same in the log, such as the items of a ZIP file. It is not written. */
  about?: string
}

export interface QueueDeps {
  db: Database
  clock: Clock
  log: Log
  /** Whether free space is below the reserve; by default it never is. */
  isLow?: () => Promise<boolean>
}

type Row = ReturnType<typeof eventRow>

interface EventQueue {
  /** `more` is the number of repetitions. */
  add(note: Note, more?: number): void
  /** The number of events that wait to be written. */
  waiting(): number
  /** The number of events dropped since the queue was opened, because it was full. */
  lost(): number
  /**
   * Writes the waiting events; while space is low, only as many as the daily limit allows. With `isEnd` it writes all
   * of them. Never throws: events that cannot be written stay in the queue.
   */
  flush(isEnd?: boolean): Promise<void>
}

/** Opens a queue of at most 10,000 events. */
export function openEventQueue({ db, clock, log, isLow = async () => false }: QueueDeps): EventQueue {
  let waiting: Row[] = []
  let lost = 0
  /** How many of the lost events the audit log already reports. */
  let told = 0
  let isFailing = false
  const withPermit = openSemaphore({ atOnce: 1 })

  const toRow = ({ actor, action, itemId }: Note, detail: Record<string, unknown> | null): Row =>
    eventRow(actor, { actor: null, action, itemId, spaceId: null, detail }, clock.now())

  /** How many events may still be written while space is low, until a time (ms, monotonic). */
  let reserve = { left: 0, until: Number.NEGATIVE_INFINITY }
  function openReserve() {
    const now = clock.monotonic()
    if (now >= reserve.until) reserve = { left: writtenWhenLow, until: now + day }
    return reserve
  }

  /** Writes the first waiting events and returns their number. */
  async function writeSome(most = writtenAtOnce): Promise<number> {
    const rows = waiting.slice(0, Math.min(most, writtenAtOnce))
    if (rows.length > 0) await db.touch(() => db.insertAll(db.events, rows))
    waiting = waiting.slice(rows.length)
    return rows.length
  }

  /** Like `writeSome`, but keeps to the daily limit while space is low. A failed write does not count against it. */
  async function writeAllowed(isEnd: boolean): Promise<number> {
    if (isEnd || !(await isLow())) return writeSome()
    const { left } = openReserve()
    const count = await writeSome(left)
    reserve.left -= count
    return count
  }

  async function flush(isEnd: boolean): Promise<void> {
    try {
      while (waiting.length > 0) if ((await writeAllowed(isEnd)) === 0) return
      if (lost > told) {
        waiting.push(toRow({ actor: systemActor, action: 'audit.lose', itemId: null }, { events: lost - told }))
        told = lost
        await writeSome(1)
      }
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn({ err: error, waiting: waiting.length }, 'events of the audit log wait to be written')
      isFailing = true
    }
  }
  return {
    add: (note, more) => {
      const detail = more === undefined ? note.detail : { ...note.detail, more }
      if (waiting.length < maxWaiting) waiting.push(toRow(note, detail ?? null))
      else lost += 1
    },
    waiting: () => waiting.length,
    lost: () => lost,
    flush: (isEnd = false) => withPermit(() => flush(isEnd)),
  }
}
