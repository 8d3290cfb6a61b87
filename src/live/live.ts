/**
 * Tells followers what changes. A process looks twice a second which of the followed spaces have a new revision, so it
 * does not matter which process made the change. What is told of it depends on what each follower sees.
 */
import type { Actor } from '../access/actor.ts'
import { confirmActor } from '../access/confirm-actor.ts'
import { findLiveKey } from '../access/key-account.ts'
import { findSessionAccount, permissionsOf } from '../access/sessions.ts'
import { maxFollowers, maxFollowersOfSession } from '../api/limits.ts'
import { second } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../db/database.ts'
import { findMessage } from './folders.ts'
import { findLivePlaces, type LivePlaces } from './places.ts'
import { findRevisions } from './revisions.ts'

/** ms between two looks at the spaces. */
const lookEvery = second / 2
/** ms between two messages about one space. */
const toldEvery = second
/** ms between two looks at a follower's rights. */
const confirmEvery = 2 * second
/** ms between two signs of life; proxies close connections that are silent for a minute. */
const pingEvery = 25 * second

/** Where a follower's messages go. */
interface Sink {
  /** `data` becomes JSON. */
  send(event: 'change' | 'session', data: object): void
  ping(): void
  end(): void
}

interface Follower {
  readonly actor: Actor
  readonly sink: Sink
  places: LivePlaces
  /** The permissions at the last look. */
  rights: string
  /** By space: the revision told last, and when. */
  readonly told: Map<number, { revision: number; at: number }>
  confirmedAt: number
  pingedAt: number
}

export interface Live {
  /**
   * Begins to tell the sink; returns what ends it. The sixth of a session or key ends its oldest. Throws `unavailable`
   * beyond 1,000 in this process, and while it stops.
   */
  follow(actor: Actor, sink: Sink): Promise<() => void>
  /** Ends all, and takes no more. */
  close(): void
}

const sourceOf = ({ key, sessionId }: Actor): string => (key === null ? `session ${sessionId}` : `key ${key.id}`)

/** What the actor is allowed now, as a text; null if their session or key has ended, or may not read any more. */
async function findRights(db: Database, actor: Actor): Promise<string | null> {
  const { key, sessionId } = actor
  try {
    await confirmActor(db, actor, ['files:read'])
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
  const account = await (key === null ? findSessionAccount(db, sessionId) : findLiveKey(db, key.id))
  return account === undefined || account.must_change_password === 1 ? null : permissionsOf(account).sort().join()
}

/** Opens the followers of one process. */
export function openLive({ db, log }: { db: Database; log: Log }): Live {
  const followers = new Set<Follower>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function leave(follower: Follower): void {
    if (followers.delete(follower)) follower.sink.end()
  }

  const rightsOf = (actor: Actor) => db.cached(`rights ${sourceOf(actor)}`, () => findRights(db, actor))

  /** Ends a follower whose access has ended, and tells one whose rights or places have changed. */
  async function confirm(follower: Follower, now: number): Promise<void> {
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

  async function tell(follower: Follower, revisions: ReadonlyMap<number, number>, now: number): Promise<void> {
    for (const space of follower.places.spaces) {
      const [told, revision] = [follower.told.get(space), revisions.get(space)]
      if (told === undefined || revision === undefined) continue
      if (revision === told.revision || now - told.at < toldEvery) continue
      const message = await findMessage(db, follower.actor, follower.places, {
        space,
        from: told.revision,
        to: revision,
      })
      follower.told.set(space, { revision, at: message === null ? told.at : now })
      if (message !== null && followers.has(follower)) follower.sink.send('change', message)
    }
  }

  /** One follower's failure keeps nobody else from hearing of changes; it is tried again at the next look. */
  const alone = (work: () => Promise<void>): Promise<void> =>
    work().catch(error => log.warn({ err: error }, 'a follower was not told of changes'))

  async function look(): Promise<void> {
    const now = performance.now()
    for (const follower of [...followers]) await alone(() => confirm(follower, now))
    const spaces = [...new Set([...followers].flatMap(({ places }) => places.spaces))].sort((a, b) => a - b)
    const revisions = await db.cached(`revisions ${spaces.join()}`, () => findRevisions(db, spaces))
    for (const follower of [...followers]) {
      await alone(() => tell(follower, revisions, now))
      if (now - follower.pingedAt < pingEvery) continue
      follower.pingedAt = now
      follower.sink.ping()
    }
  }

  function wait(): void {
    timer ??= setTimeout(async () => {
      // A failed look is repeated; a follower whose rights cannot be read for long hears of nothing.
      await look().catch(error => log.warn({ err: error }, 'followers were not told of changes'))
      timer = undefined
      if (followers.size > 0) wait()
    }, lookEvery).unref()
  }

  return {
    follow: async (actor, sink) => {
      const [places, rights] = [await findLivePlaces(db, actor), (await rightsOf(actor)) ?? '']
      const revisions = await findRevisions(db, places.spaces)
      if (isClosed || followers.size >= maxFollowers) {
        throw new AppError('unavailable', 'Too many are following changes, try again later', { retryAfter: 60 })
      }
      const own = [...followers].filter(other => sourceOf(other.actor) === sourceOf(actor))
      if (own.length >= maxFollowersOfSession && own[0] !== undefined) leave(own[0])
      const now = performance.now()
      const told = new Map([...revisions].map(([id, revision]) => [id, { revision, at: 0 }]))
      const follower = { actor, sink, places, rights, told, confirmedAt: now, pingedAt: now }
      followers.add(follower)
      wait()
      return () => leave(follower)
    },
    close: () => {
      isClosed = true
      clearTimeout(timer)
      for (const follower of [...followers]) leave(follower)
    },
  }
}
