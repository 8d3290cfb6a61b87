/** Limits how many calls of one user run at once. Further calls of that user wait in order; other users' do not. */
import type { Context } from 'koa'
import type { Actor } from '../access/actor.ts'
import { changePassword } from '../api/auth.ts'
import { batchFiles, downloadFile, getThumbnail, moveFile, previewFile, restoreFile, trashFile } from '../api/files.ts'
import { getFileStats, searchFiles } from '../api/search.ts'
import { openSemaphore } from '../base/semaphore.ts'
import type { AnyEndpoint } from '../route.ts'
import { clientHasGone, isClientGone } from './client-gone.ts'

/**
 * A `search` reads names and values one by one, on one of the database's few reading connections. The `stats` go through
 * what is in the trash, in slices. A `tree` changes a whole tree in one write, and all other writes wait for it. The other
 * calls take milliseconds, or go on in slices.
 */
type Kind = 'search' | 'stats' | 'tree' | 'read' | 'change'

/** Calls of a kind at work at once for one user's sessions, and as many again for that user's keys. */
const atOnce: Record<Kind, number> = { search: 1, stats: 1, tree: 1, read: 4, change: 8 }

/**
 * Of these kinds one call of a user is at work at once, sessions and keys together. With a session and a key one user
 * would otherwise take both searches, and nobody else could search.
 */
const together: readonly Kind[] = ['search', 'stats']

/** Searches that run at once for all users: of SQLite's three readers, one stays free for everything else. */
const searchesAtOnce = 2

const trees: readonly AnyEndpoint[] = [trashFile, restoreFile, moveFile, batchFiles]

/**
 * These calls have their own limits, for open files, thumbnails and hashing. If they also counted here, a folder of
 * pictures would delay the next list, and a queue of passwords the next change.
 */
const others: readonly AnyEndpoint[] = [downloadFile, previewFile, getThumbnail, changePassword]

function kindOf(endpoint: AnyEndpoint): Kind | null {
  if (others.includes(endpoint)) return null
  if (endpoint === searchFiles) return 'search'
  if (endpoint === getFileStats) return 'stats'
  if (trees.includes(endpoint)) return 'tree'
  return endpoint.method === 'GET' ? 'read' : 'change'
}

export interface CallPermit {
  /** Whether the call has waited. Its caller's rights may have changed meanwhile, so the router checks them again. */
  hasWaited: boolean
  /** Returns the permit, so that the next call begins. A second call does nothing. */
  end(): void
}

/** Resolves when a call may begin. Throws if its client has disconnected by then. */
type TakeCallPermit = (ctx: Context, actor: Actor, endpoint: AnyEndpoint) => Promise<CallPermit>

interface Lane {
  running: number
  readonly waiting: Set<() => void>
}

/** Opens the counts of one process. */
export function openCallPermits(): TakeCallPermit {
  const lanes = new Map<string, Lane>()
  const takeSearch = openSemaphore({ atOnce: searchesAtOnce })

  function endIn(name: string, lane: Lane): void {
    const [next] = lane.waiting
    if (next !== undefined) {
      // A call that ends passes its permit on, so that no newcomer gets it before those that wait.
      lane.waiting.delete(next)
      next()
      return
    }
    lane.running -= 1
    if (lane.running === 0) lanes.delete(name)
  }

  async function begin({ res }: Context, lane: Lane, most: number): Promise<void> {
    if (lane.running < most) {
      lane.running += 1
      return
    }
    await new Promise<void>((resolve, reject) => {
      const go = () => {
        res.off('close', leave)
        resolve()
      }
      const leave = () => {
        if (lane.waiting.delete(go)) reject(clientHasGone())
      }
      lane.waiting.add(go)
      res.once('close', leave)
    })
  }

  /** Waits until a call may begin in the lane of that name; resolves with the function that ends it there. */
  async function enter(ctx: Context, name: string, most: number): Promise<() => void> {
    const lane = lanes.get(name) ?? { running: 0, waiting: new Set() }
    lanes.set(name, lane)
    await begin(ctx, lane, most)
    return () => endIn(name, lane)
  }

  /** Waits until a search of any user may begin; resolves with the function that ends it. */
  const beginSearch = (): Promise<() => void> =>
    new Promise(begun => {
      void takeSearch(() => new Promise<void>(end => begun(end)))
    })

  /** All that a call waits for, in this order. */
  function stepsOf(ctx: Context, { userId, key }: Actor, kind: Kind): (() => Promise<() => void>)[] {
    const ofUser = `${kind} ${userId}`
    // Sessions and keys queue apart, so that no script keeps its owner's page waiting for more than its call at work.
    const steps = [() => enter(ctx, `${ofUser} ${key === null ? 'session' : 'key'}`, atOnce[kind])]
    if (together.includes(kind)) steps.push(() => enter(ctx, ofUser, 1))
    if (kind === 'search') steps.push(beginSearch)
    return steps
  }

  return async (ctx, actor, endpoint) => {
    if (isClientGone(ctx)) throw clientHasGone()
    const kind = kindOf(endpoint)
    if (kind === null) return { hasWaited: false, end: () => undefined }
    const asked = performance.now()
    const ends: (() => void)[] = []
    const end = () => {
      for (const endStep of ends.splice(0).reverse()) endStep()
    }
    try {
      for (const step of stepsOf(ctx, actor, kind)) ends.push(await step())
      if (isClientGone(ctx)) throw clientHasGone()
    } catch (error) {
      end()
      throw error
    }
    return { hasWaited: performance.now() - asked > 1, end }
  }
}
