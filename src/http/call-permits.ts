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
 * A `search` scans names and values one by one, on one of the database's few reading connections. A `tree` call changes
 * a whole tree in one write, which blocks all other writes. The other calls take milliseconds, or work in slices.
 */
type Kind = 'search' | 'tree' | 'read' | 'change'

/** Calls of a kind that run at once for one user's sessions; the same number applies to that user's keys. */
const atOnce: Record<Kind, number> = { search: 1, tree: 1, read: 4, change: 8 }

/** Searches that run at once for all users: of SQLite's three readers, one stays free for everything else. */
const searchesAtOnce = 2

const searches: readonly AnyEndpoint[] = [searchFiles, getFileStats]
const trees: readonly AnyEndpoint[] = [trashFile, restoreFile, moveFile, batchFiles]

/**
 * These calls have their own limits, for open files, thumbnails and hashing. If they also counted here, a folder of
 * pictures would delay the next list, and a queue of passwords the next change.
 */
const others: readonly AnyEndpoint[] = [downloadFile, previewFile, getThumbnail, changePassword]

function kindOf(endpoint: AnyEndpoint): Kind | null {
  if (others.includes(endpoint)) return null
  if (searches.includes(endpoint)) return 'search'
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

  /** Waits until a search of any user may begin; resolves with the function that ends it. */
  const beginSearch = (): Promise<() => void> =>
    new Promise(begun => {
      void takeSearch(() => new Promise<void>(end => begun(end)))
    })

  return async (ctx, { userId, key }, endpoint) => {
    if (isClientGone(ctx)) throw clientHasGone()
    const kind = kindOf(endpoint)
    if (kind === null) return { hasWaited: false, end: () => undefined }
    // Sessions and keys count separately, so that a script does not block its owner's page.
    const name = `${kind} ${userId} ${key === null ? 'session' : 'key'}`
    const lane = lanes.get(name) ?? { running: 0, waiting: new Set() }
    lanes.set(name, lane)
    const asked = performance.now()
    await begin(ctx, lane, atOnce[kind])
    const endSearch = kind === 'search' ? await beginSearch() : undefined
    let isOver = false
    const end = () => {
      if (isOver) return
      isOver = true
      endSearch?.()
      endIn(name, lane)
    }
    if (isClientGone(ctx)) {
      end()
      throw clientHasGone()
    }
    return { hasWaited: performance.now() - asked > 1, end }
  }
}
