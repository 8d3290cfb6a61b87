/** Events of the journal on their way to the table: they wait in memory, and are written some at a time. */
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { openTurns } from '../turns.ts'
import type { Database } from './database.ts'
import { eventRow } from './models/events.ts'
import { systemActor, type WriteActor } from './write.ts'

/** Events that wait to be written, as while the database is away; beyond them only their number is told. */
const maxWaiting = 10_000
/** Events of one transaction: what else is to be written waits behind it. */
const writtenAtOnce = 1000

export interface Note {
  actor: WriteActor
  /** Noun and verb: `file.download`. */
  action: string
  /** The row of the noun that the action begins with. */
  itemId: number | null
  detail?: Record<string, string>
}

export interface QueueDeps {
  db: Database
  clock: Clock
  log: Log
}

type Row = ReturnType<typeof eventRow>

interface EventQueue {
  /** `more` tells how often it came again. */
  add(note: Note, more?: number): void
  /** How many wait to be written. */
  waiting(): number
  /** How many there was no room for, since it was opened. */
  lost(): number
  /** Writes what waits. Never throws: what cannot be written goes on waiting. */
  flush(): Promise<void>
}

/** Opens a queue of at most 10,000 events. */
export function openEventQueue({ db, clock, log }: QueueDeps): EventQueue {
  let waiting: Row[] = []
  let lost = 0
  /** How many of the lost the log itself tells of. */
  let told = 0
  let isFailing = false
  const takeTurn = openTurns({ atOnce: 1 })

  const toRow = ({ actor, action, itemId }: Note, detail: Record<string, unknown> | null): Row =>
    eventRow(actor, { actor: null, action, itemId, spaceId: null, detail }, clock.now())

  async function writeSome(): Promise<void> {
    const rows = waiting.slice(0, writtenAtOnce)
    await db.touch(() => db.insertAll(db.events, rows))
    waiting = waiting.slice(rows.length)
  }

  async function flush(): Promise<void> {
    try {
      while (waiting.length > 0) await writeSome()
      if (lost > told) {
        waiting.push(toRow({ actor: systemActor, action: 'audit.lose', itemId: null }, { events: lost - told }))
        told = lost
        await writeSome()
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
    flush: () => takeTurn(flush),
  }
}
