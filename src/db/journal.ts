/**
 * The journal: audit log events for acts that change nothing, such as downloads, refusals and the use of keys. Events
 * wait in memory and are written each second, so a crash may lose the last second and the repetitions counted so far.
 */
import { createHash } from 'node:crypto'
import { hour, minute } from '../base/clock.ts'
import { type Note, openEventQueue, type QueueDeps } from './event-queue.ts'

/**
 * At most this many different acts (or refusals) of one user and action are recorded singly while they are remembered;
 * further ones are only counted. It bounds memory and what reads add to the log. Refusals without a user,
 * such as failed sign-ins, count as one user's here.
 */
const toldApart = 1000
/** ms between two checks of what is waiting and what is remembered. */
const lookEvery = 1000

/** How acts and refusals are recorded. */
interface Kind {
  /** ms within which repetitions count as one. */
  together: number
  /** Whether repetitions are counted, and the count is recorded when the time is over. */
  isCounted: boolean
  /** The reason recorded for everything beyond the limit of `toldApart`. */
  beyond: string
}
const acts: Kind = { together: hour, isCounted: false, beyond: 'more within an hour than is told one by one' }
const refusals: Kind = { together: 15 * minute, isCounted: true, beyond: 'too many different ones to tell apart' }

export interface Journal {
  /**
   * Records an act. Repetitions by the same caller within an hour are not recorded again; of acts beyond the limit only
   * the number is.
   */
  note(note: Note): void
  /** Records a refusal at once. Repetitions within 15 minutes are counted; the count is recorded when they are over. */
  refuse(note: Note): void
  /** Writes the waiting events. Never throws: events that cannot be written keep waiting. */
  flush(): Promise<void>
  /** The number of events that wait to be written. */
  waiting(): number
  /** The number of events dropped because too many were waiting. */
  lost(): number
  /** Records all counts, and writes all waiting events. */
  close(): Promise<void>
}

interface Remembered {
  /** By the monotonic clock. */
  until: number
  /** The note to record when the time is over, with its number of repetitions; null if they are not counted. */
  counted: { note: Note; more: number } | null
}

/** What is remembered of one user and action, by digest, the oldest first. */
type Group = Map<string, Remembered>

/** The note that stands for everything of a user and action beyond the limit. */
const othersOf = ({ actor, action }: Note, { beyond }: Kind): Note => ({
  actor: { ...actor, keyId: null, address: null },
  action,
  itemId: null,
  detail: { reason: beyond },
})

/** A digest, because names and filters may be long. */
const keyOf = ({ actor, itemId, detail, about }: Note): string =>
  createHash('sha256')
    .update(JSON.stringify([itemId, actor.keyId, actor.address, detail, about]))
    .digest('base64')

/** Opens the journal of one process. Its timer does not keep the process running. */
export function openJournal(deps: QueueDeps): Journal {
  const { clock } = deps
  const queue = openEventQueue(deps)
  const groups = new Map<string, Group>()
  let timer: NodeJS.Timeout | undefined

  /** All entries of a group are kept equally long, so the oldest expire first. */
  function forgetOver(group: Group, now: number): void {
    for (const [key, { until, counted }] of group) {
      if (until > now) return
      group.delete(key)
      if (counted !== null && counted.more > 0) queue.add(counted.note, counted.more)
    }
  }

  function forgetAllOver(now: number): void {
    for (const [name, group] of groups) {
      forgetOver(group, now)
      if (group.size === 0) groups.delete(name)
    }
  }

  function openGroup({ actor, action }: Note): Group {
    const name = `${actor.linkId === undefined ? actor.userId : `link ${actor.linkId}`} ${action}`
    const group = groups.get(name) ?? new Map()
    groups.set(name, group)
    return group
  }

  function tell(given: Note, kind: Kind): void {
    const now = clock.monotonic()
    const group = openGroup(given)
    forgetOver(group, now)
    const isApart = group.size < toldApart || group.has(keyOf(given))
    const note = isApart ? given : othersOf(given, kind)
    const key = keyOf(note)
    const known = group.get(key)
    if (known === undefined) {
      const counted = kind.isCounted || !isApart ? { note, more: 0 } : null
      group.set(key, { until: now + kind.together, counted })
      queue.add(note)
      wait()
    } else if (known.counted !== null) known.counted.more += 1
  }

  async function look(): Promise<void> {
    forgetAllOver(clock.monotonic())
    await queue.flush()
    timer = undefined
    if (queue.waiting() > 0 || groups.size > 0) wait()
  }

  const wait = (): void => {
    timer ??= setTimeout(look, lookEvery).unref()
  }

  return {
    note: note => tell(note, acts),
    refuse: note => tell(note, refusals),
    flush: () => queue.flush(),
    waiting: queue.waiting,
    lost: queue.lost,
    close: async () => {
      clearTimeout(timer)
      forgetAllOver(Number.POSITIVE_INFINITY)
      await queue.flush(true)
    },
  }
}
