/** Keeps each user to so many calls at once that are at work; further ones wait in their order, and others' do not. */
import type { Context } from 'koa'
import type { Actor } from '../access/actor.ts'
import { changePassword } from '../api/auth.ts'
import { batchFiles, downloadFile, getThumbnail, moveFile, previewFile, restoreFile, trashFile } from '../api/files.ts'
import { getFileStats, searchFiles } from '../api/search.ts'
import { openTurns } from '../base/turns.ts'
import type { AnyEndpoint } from '../route.ts'
import { clientHasGone, isClientGone } from './client-gone.ts'

/**
 * `search` reads names and values one by one, on one of the database's few readers. `tree` changes a whole tree in one
 * write, for which all other writes wait. The others take milliseconds, or go on in slices.
 */
type Kind = 'search' | 'tree' | 'read' | 'change'

/** Calls of a kind that one user's sessions, and one user's keys, have at work at once. */
const atOnce: Record<Kind, number> = { search: 1, tree: 1, read: 4, change: 8 }

/** Searches at once, whoever asks: of SQLite's three readers one is left to everything else. */
const searchesAtOnce = 2

const searches: readonly AnyEndpoint[] = [searchFiles, getFileStats]
const trees: readonly AnyEndpoint[] = [trashFile, restoreFile, moveFile, batchFiles]

/**
 * They have turns of their own, for files, for drawing and for hashing: a folder of pictures must not keep the next list
 * waiting, nor a queue of passwords the next change.
 */
const others: readonly AnyEndpoint[] = [downloadFile, previewFile, getThumbnail, changePassword]

function kindOf(endpoint: AnyEndpoint): Kind | null {
  if (others.includes(endpoint)) return null
  if (searches.includes(endpoint)) return 'search'
  if (trees.includes(endpoint)) return 'tree'
  return endpoint.method === 'GET' ? 'read' : 'change'
}

export interface WorkTurn {
  /** Whether the call has waited: what its caller may can have changed meanwhile. */
  hasWaited: boolean
  /** Lets the next one begin; may be called again. */
  end(): void
}

/** Resolves when a call's turn has come. Throws where its client has gone by then. */
type TakeWorkTurn = (ctx: Context, actor: Actor, endpoint: AnyEndpoint) => Promise<WorkTurn>

interface Lane {
  running: number
  readonly waiting: Set<() => void>
}

/** Opens the turns of one process. */
export function openWorkTurns(): TakeWorkTurn {
  const lanes = new Map<string, Lane>()
  const takeSearch = openTurns({ atOnce: searchesAtOnce })

  function endIn(name: string, lane: Lane): void {
    const [next] = lane.waiting
    if (next !== undefined) {
      // Whoever ends hands the turn over, so that nobody slips in between.
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

  /** Waits for a search's turn among all users; gives back what ends it. */
  const beginSearch = (): Promise<() => void> =>
    new Promise(begun => {
      void takeSearch(() => new Promise<void>(end => begun(end)))
    })

  return async (ctx, { userId, key }, endpoint) => {
    if (isClientGone(ctx)) throw clientHasGone()
    const kind = kindOf(endpoint)
    if (kind === null) return { hasWaited: false, end: () => undefined }
    // Apart, so that no script keeps the page of its owner waiting.
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
