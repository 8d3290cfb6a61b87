/**
 * What the audit log tells of acts that change nothing, such as downloads, refusals and the use of keys: noted in memory
 * and written each second, so that a crash may lose the last second of them, and what was counted together.
 */
import { hour, minute } from '../clock.ts'
import { type Note, openEventQueue, type QueueDeps } from './event-queue.ts'
import { systemActor } from './write.ts'

/** ms for which the same act of the same caller is told once. */
const actsTogether = hour
/** ms for which the same refusal is counted before it is told again. */
const refusalsTogether = 15 * minute
/** Different refusals of one action that are told apart in that time; beyond them only their number is. */
const refusalsApart = 1000
/** Acts and refusals that are remembered; the oldest are forgotten first. */
const maxRemembered = 10_000
/** ms between two looks at what is to be written, and at what is remembered. */
const lookEvery = 1000

export interface Journal {
  /** Notes an act; the same of the same caller within an hour of it is the same act. */
  note(note: Note): void
  /** Notes a refusal at once; the same within a quarter of an hour of it is counted, and told when that is over. */
  refuse(note: Note): void
  /** Writes what waits. Never throws: what cannot be written goes on waiting. */
  flush(): Promise<void>
  /** How many events wait to be written. */
  waiting(): number
  /** How many were lost, for too many waited. */
  lost(): number
  /** Tells what has been counted, and writes all there is. */
  close(): Promise<void>
}

interface Remembered {
  note: Note
  /** By the monotonic clock. */
  until: number
  /** How often it came again; null for acts, of which nobody counts. */
  more: number | null
}

/** What stands for all refusals of an action beyond those that are told apart. */
const othersOf = ({ action }: Note): Note => ({
  actor: systemActor,
  action,
  itemId: null,
  detail: { reason: 'too many different ones to tell apart' },
})

const keyOf = ({ actor, action, itemId, detail }: Note): string =>
  JSON.stringify([action, itemId, actor.userId, actor.keyId, actor.address, detail])

/** Opens the journal of one process; it holds no process up. */
export function openJournal(deps: QueueDeps): Journal {
  const { clock } = deps
  const queue = openEventQueue(deps)
  const remembered = new Map<string, Remembered>()
  /** Action → how many of its refusals are remembered. */
  const apart = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined

  function forget(key: string, { note, more }: Remembered): void {
    remembered.delete(key)
    if (more === null) return
    apart.set(note.action, (apart.get(note.action) ?? 1) - 1)
    if (more > 0) queue.add(note, more)
  }

  function forgetOver(now: number): void {
    for (const [key, entry] of remembered) if (entry.until <= now) forget(key, entry)
  }

  function remember(key: string, entry: Remembered): void {
    const [oldest] = remembered
    if (remembered.size >= maxRemembered && oldest !== undefined) forget(...oldest)
    remembered.set(key, entry)
    if (entry.more !== null) apart.set(entry.note.action, (apart.get(entry.note.action) ?? 0) + 1)
  }

  /** What is remembered of a note; undefined where it is new, and remembered from now on. */
  function recall(note: Note, time: number, isCounted: boolean): Remembered | undefined {
    const key = keyOf(note)
    const now = clock.monotonic()
    const known = remembered.get(key)
    if (known !== undefined && known.until > now) return known
    if (known !== undefined) forget(key, known)
    remember(key, { note, until: now + time, more: isCounted ? 0 : null })
    return undefined
  }

  async function look(): Promise<void> {
    forgetOver(clock.monotonic())
    await queue.flush()
    timer = undefined
    if (queue.waiting() > 0 || remembered.size > 0) wait()
  }

  const wait = (): void => {
    timer ??= setTimeout(look, lookEvery).unref()
  }

  const add = (note: Note): void => {
    queue.add(note)
    wait()
  }

  return {
    note: note => {
      if (recall(note, actsTogether, false) === undefined) add(note)
    },
    refuse: given => {
      const isKnown = remembered.has(keyOf(given))
      const note = isKnown || (apart.get(given.action) ?? 0) < refusalsApart ? given : othersOf(given)
      const known = recall(note, refusalsTogether, true)
      if (known === undefined) add(note)
      else known.more = (known.more ?? 0) + 1
    },
    flush: queue.flush,
    waiting: queue.waiting,
    lost: queue.lost,
    close: async () => {
      clearTimeout(timer)
      forgetOver(Number.POSITIVE_INFINITY)
      await queue.flush()
    },
  }
}
