/** Events of the journal on their way to the table: they wait in memory, and are written some at a time. */
import { type Clock, day } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { openSemaphore } from '../base/semaphore.ts'
import type { Database } from './database.ts'
import { eventRow } from './models/events.ts'
import { systemActor, type WriteActor } from './write.ts'

/** Events that wait to be written, as while the database is away; beyond them only their number is told. */
const maxWaiting = 10_000
/** Events that are written in a day while there is less free space than is to stay free: some megabytes; others wait. */
const writtenWhenLow = 10_000
/** Events of one transaction: what else is to be written waits behind it. */
const writtenAtOnce = 1000

export interface Note {
  actor: WriteActor
  /** Noun and verb: `file.download`. */
  action: string
  /** The row of the noun that the action begins with. */
  itemId: number | null
  detail?: Record<string, string | number>
  /** What tells it from others that are told alike, such as the items of a ZIP file; it is not written. */
  about?: string
}

export interface QueueDeps {
  db: Database
  clock: Clock
  log: Log
  /** Whether there is less free space than is to stay free; by default there never is. */
  isLow?: () => Promise<boolean>
}

type Row = ReturnType<typeof eventRow>

interface EventQueue {
  /** `more` tells how often it came again. */
  add(note: Note, more?: number): void
  /** How many wait to be written. */
  waiting(): number
  /** How many there was no room for, since it was opened. */
  lost(): number
  /**
   * Writes what waits, or while there is little space what may be written then; at the end all of it. Never throws: what
   * cannot be written goes on waiting.
   */
  flush(isEnd?: boolean): Promise<void>
}

/** Opens a queue of at most 10,000 events. */
export function openEventQueue({ db, clock, log, isLow = async () => false }: QueueDeps): EventQueue {
  let waiting: Row[] = []
  let lost = 0
  /** How many of the lost the log itself tells of. */
  let told = 0
  let isFailing = false
  const withPermit = openSemaphore({ atOnce: 1 })

  const toRow = ({ actor, action, itemId }: Note, detail: Record<string, unknown> | null): Row =>
    eventRow(actor, { actor: null, action, itemId, spaceId: null, detail }, clock.now())

  /** What may be written until a time (ms, monotonic), while there is little space. */
  let reserve = { left: 0, until: Number.NEGATIVE_INFINITY }
  function openReserve() {
    const now = clock.monotonic()
    if (now >= reserve.until) reserve = { left: writtenWhenLow, until: now + day }
    return reserve
  }

  /** Writes the first of what waits; gives back how many they were. */
  async function writeSome(most = writtenAtOnce): Promise<number> {
    const rows = waiting.slice(0, Math.min(most, writtenAtOnce))
    if (rows.length > 0) await db.touch(() => db.insertAll(db.events, rows))
    waiting = waiting.slice(rows.length)
    return rows.length
  }

  /** The same, or while there is little space as many as may be written then. What fails takes nothing of the reserve. */
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
