/**
 * Tells followers what changes. A process looks twice a second which of the followed spaces have a new revision, so it
 * does not matter which process made the change. What is told of it depends on what each follower sees.
 */
import type { Actor } from '../access/actor.ts'
import { findAccess } from '../access/confirm-actor.ts'
import { maxFollowers, maxFollowersOfSession, maxFollowersOfUser } from '../api/limits.ts'
import { second } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import { groupBy } from '../base/group-by.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../db/database.ts'
import { findRevisions, findRevisionsAt } from '../events/revisions.ts'
import { findQueueMark } from '../validation/queue.ts'
import { findMessage } from './folders.ts'
import { findLivePlaces, type LivePlaces } from './places.ts'

/** ms between two looks at the spaces. */
const lookEvery = second / 2
/** ms between two messages about one space. */
const toldEvery = second
/** ms between two looks at a follower's rights; one whose rights were not looked at for longer is told nothing. */
const confirmEvery = 2 * second
const longestTrust = 5 * second
/** ms between two signs of life; proxies close connections that are silent for a minute. */
const pingEvery = 25 * second

/** Where a follower's messages go. */
export interface Sink {
  /** `data` becomes JSON. */
  send(event: 'change' | 'session' | 'queue', data: object): void
  ping(): void
  end(): void
}

interface Follower {
  readonly actor: Actor
  readonly sink: Sink
  places: LivePlaces
  /** The permissions at the last look, with commas between them. */
  rights: string
  /** By space: the revision told last, and when. */
  readonly told: Map<number, { revision: number; at: number }>
  /** What was told last of the queue of files that wait for approval. */
  queue: string
  confirmedAt: number
  pingedAt: number
}

export interface Live {
  /**
   * Begins to tell the sink, also of what has changed since a time (ms) if one is given; returns what ends it. The sixth
   * of a session or key ends its oldest, and so does the fifty-first of a user. Beyond 1,000 in this process it ends the
   * oldest of the user with the most. Throws `unavailable` where each is of another user, and while the process stops.
   */
  follow(actor: Actor, sink: Sink, since: number | null): Promise<() => void>
  /** Ends all, and takes no more. */
  close(): void
}

const sourceOf = ({ key, sessionId }: Actor): string => (key === null ? `session ${sessionId}` : `key ${key.id}`)

/** What the actor is allowed now, as a text; null if their session or key has ended, or may not read any more. */
async function findRights(db: Database, actor: Actor): Promise<string | null> {
  const access = await findAccess(db, actor)
  if (access === undefined || access.account.must_change_password === 1) return null
  return access.permissions.includes('files:read') ? access.permissions.toSorted().join() : null
}

const isReviewer = ({ rights }: Pick<Follower, 'rights'>): boolean => rights.split(',').includes('validation:review')

/** The oldest follower of the user who has the most; undefined if nobody has more than one. */
function findOldestOfMost(followers: Iterable<Follower>): Follower | undefined {
  const users = [...groupBy(followers, ({ actor }) => actor.userId).values()]
  const most = users.reduce((a, b) => (b.length > a.length ? b : a), [])
  return most.length > 1 ? most[0] : undefined
}

/** Opens the followers of one process. */
export function openLive({ db, log }: { db: Database; log: Log }): Live {
  const followers = new Set<Follower>()
  let isClosed = false

  function leave(follower: Follower): void {
    if (followers.delete(follower)) follower.sink.end()
  }

  /** One follower's failure keeps nobody else from being told; it is tried again the next time. */
  const alone = (work: () => Promise<void>): Promise<void> =>
    work().catch(error => log.warn({ err: error }, 'a follower was not told of changes'))

  /** Repeats work while there are followers, each time some ms after its end. */
  function openLoop(pause: number, work: () => Promise<void>) {
    let timer: NodeJS.Timeout | undefined
    const start = (): void => {
      timer ??= setTimeout(async () => {
        await work().catch(error => log.warn({ err: error }, 'followers were not told of changes'))
        timer = undefined
        if (followers.size > 0) start()
      }, pause).unref()
    }
    return { start, stop: () => clearTimeout(timer) }
  }

  const rightsOf = (actor: Actor) => db.cached(`rights ${sourceOf(actor)}`, () => findRights(db, actor))

  /** Ends a follower whose access has ended, and tells one whose rights or places have changed. */
  async function confirm(follower: Follower): Promise<void> {
    const now = performance.now()
    if (now - follower.confirmedAt < confirmEvery) return
    const rights = await rightsOf(follower.actor)
    if (rights === null) return leave(follower)
    const places = await findLivePlaces(db, follower.actor)
    const isSame = rights === follower.rights && places.mark === follower.places.mark
    const known = new Set(follower.places.spaces)
    const fresh = await findRevisions(
      db,
      places.spaces.filter(id => !known.has(id)),
    )
    for (const [id, revision] of fresh) follower.told.set(id, { revision, at: 0 })
    Object.assign(follower, { rights, places, confirmedAt: now })
    if (!isSame) follower.sink.send('session', {})
  }

  /** Tells followers who see the same of what has changed since the one of them that was told last. */
  async function tellAlike(group: readonly Follower[], revisions: ReadonlyMap<number, number>): Promise<void> {
    const [first] = group
    if (first === undefined) return
    const { actor, places } = first
    for (const space of places.spaces) {
      const now = performance.now()
      const to = revisions.get(space)
      const due = group.flatMap(follower => {
        const told = follower.told.get(space)
        if (told === undefined || told.revision === to || now - told.at < toldEvery) return []
        return { follower, told }
      })
      if (to === undefined || due.length === 0) continue
      const from = Math.min(...due.map(({ told }) => told.revision))
      const { message, revision } = await findMessage(db, actor, places, { space, from, to })
      for (const { follower, told } of due) {
        // Its rights may have ended while the changes were looked at; it is told once they are confirmed.
        if (!followers.has(follower) || performance.now() - follower.confirmedAt > longestTrust) continue
        const at = message === null ? told.at : now
        follower.told.set(space, { revision: Math.max(revision, told.revision), at })
        if (message !== null) follower.sink.send('change', message)
      }
    }
  }

  async function tellAll(): Promise<void> {
    const spaces = [...new Set([...followers].flatMap(({ places }) => places.spaces))].sort((a, b) => a - b)
    const revisions = await db.cached(`revisions ${spaces.join()}`, () => findRevisions(db, spaces))
    const alike = groupBy(followers, ({ actor, places }) => `${actor.userId} ${actor.root.folderId} ${places.mark}`)
    for (const group of alike.values()) await alone(() => tellAlike(group, revisions))
  }

  const queueMark = () => db.cached('queue mark', () => findQueueMark(db))

  /** Tells reviewers, who see the queue but not the places of its files, that it has changed. */
  async function tellQueue(): Promise<void> {
    const reviewers = [...followers].filter(isReviewer)
    if (reviewers.length === 0) return
    const mark = await queueMark()
    for (const follower of reviewers) {
      const isTrusted = performance.now() - follower.confirmedAt <= longestTrust
      if (follower.queue === mark || !followers.has(follower) || !isTrusted) continue
      follower.queue = mark
      follower.sink.send('queue', {})
    }
  }

  async function confirmAll(): Promise<void> {
    for (const follower of [...followers]) await alone(() => confirm(follower))
    const now = performance.now()
    for (const follower of followers) {
      if (now - follower.pingedAt < pingEvery) continue
      follower.pingedAt = now
      follower.sink.ping()
    }
  }

  // Each has its own loop, so that changes which take long to look at keep no stream from its end.
  const loops = [openLoop(lookEvery, tellAll), openLoop(second, tellQueue), openLoop(second, confirmAll)]

  /** Ends the oldest followers in whose place a new one comes. Throws `unavailable`. */
  function makeRoom(actor: Actor): void {
    const own = [...followers].filter(other => other.actor.userId === actor.userId)
    const same = own.filter(other => sourceOf(other.actor) === sourceOf(actor))
    if (same[0] !== undefined && same.length >= maxFollowersOfSession) leave(same[0])
    else if (own[0] !== undefined && own.length >= maxFollowersOfUser) leave(own[0])
    if (followers.size < maxFollowers && !isClosed) return
    const oldest = isClosed ? undefined : findOldestOfMost(followers)
    if (oldest !== undefined) leave(oldest)
    else throw new AppError('unavailable', 'Too many are following changes, try again later', { retryAfter: 60 })
  }

  return {
    follow: async (actor, sink, since) => {
      const [places, rights] = [await findLivePlaces(db, actor), (await rightsOf(actor)) ?? '']
      const revisions =
        since === null ? await findRevisions(db, places.spaces) : await findRevisionsAt(db, places.spaces, since)
      const queue = isReviewer({ rights }) ? await queueMark() : ''
      makeRoom(actor)
      const now = performance.now()
      const told = new Map([...revisions].map(([id, revision]) => [id, { revision, at: 0 }]))
      const follower = { actor, sink, places, rights, told, queue, confirmedAt: now, pingedAt: now }
      followers.add(follower)
      for (const { start } of loops) start()
      return () => leave(follower)
    },
    close: () => {
      isClosed = true
      for (const { stop } of loops) stop()
      for (const follower of [...followers]) leave(follower)
    },
  }
}
