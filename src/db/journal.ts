/**
 * What the audit log tells of acts that change nothing, such as downloads, refusals and the use of keys: noted in memory
 * and written each second, so that a crash may lose the last second of them, and what was counted together.
 */
import { createHash } from 'node:crypto'
import { hour, minute } from '../base/clock.ts'
import { type Note, openEventQueue, type QueueDeps } from './event-queue.ts'

/**
 * Different acts, or refusals, of one action that are told apart of a user while they are remembered; beyond them only
 * their number is. It bounds what reading adds to the log, and what it takes of the memory; refusals of nobody's, such as
 * sign-ins in vain, are one user's here.
 */
const toldApart = 1000
/** ms between two looks at what is to be written, and at what is remembered. */
const lookEvery = 1000

/** How acts and refusals are told. */
interface Kind {
  /** ms for which the same is told once. */
  together: number
  /** Whether what comes again in that time is counted, and told when it is over. */
  isCounted: boolean
  /** What is told of those that are not told apart. */
  beyond: string
}
const acts: Kind = { together: hour, isCounted: false, beyond: 'more within an hour than is told one by one' }
const refusals: Kind = { together: 15 * minute, isCounted: true, beyond: 'too many different ones to tell apart' }

export interface Journal {
  /** Notes an act; the same of the same caller within an hour of it is the same act, and of many more the number is told. */
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
  /** By the monotonic clock. */
  until: number
  /** What is told when its time is over, and how often it came again; null for what nobody counts. */
  counted: { note: Note; more: number } | null
}

/** What is remembered of one user and action, by digests, the oldest first. */
type Group = Map<string, Remembered>

/** What stands for all of a user and action beyond those that are told apart. */
const othersOf = ({ actor, action }: Note, { beyond }: Kind): Note => ({
  actor: { ...actor, keyId: null, address: null },
  action,
  itemId: null,
  detail: { reason: beyond },
})

/** A digest, for names and filters may be long. */
const keyOf = ({ actor, itemId, detail, about }: Note): string =>
  createHash('sha256')
    .update(JSON.stringify([itemId, actor.keyId, actor.address, detail, about]))
    .digest('base64')

/** Opens the journal of one process; it holds no process up. */
export function openJournal(deps: QueueDeps): Journal {
  const { clock } = deps
  const queue = openEventQueue(deps)
  const groups = new Map<string, Group>()
  let timer: NodeJS.Timeout | undefined

  /** All of a group are remembered equally long, so that the first are over first. */
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
    const name = `${actor.userId} ${action}`
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
