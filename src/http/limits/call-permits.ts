/** Limits how many calls of one user, or of one link, run at once. Further ones wait for their turn; others' do not. */
import type { Context } from 'koa'
import { accountOf, type Caller, sharingNetwork } from '../../access/actor.ts'
import { longWritesOf } from '../../access/actor-write.ts'
import { changePassword } from '../../api/auth.ts'
import { followChanges, listChanges } from '../../api/changes.ts'
import { downloadFile, getThumbnail, previewFile } from '../../api/content.ts'
import { batchFiles, copyFile, getFolderSize, listFavorites, moveFile } from '../../api/files.ts'
import { getFileStats, listLargest, listRecent, searchFiles } from '../../api/search.ts'
import { listTags } from '../../api/tags.ts'
import { listTrash, restoreFile, trashFile } from '../../api/trash.ts'
import { downloadLink, downloadLinkFile, getLinkThumbnail, previewLinkFile } from '../../api/visits.ts'
import { second } from '../../base/clock.ts'
import type { AnyEndpoint } from '../../route.ts'
import { laneOf, makerLaneOf, openLanes, type Permit } from './lanes.ts'

/**
 * A `search` reads names and values row by row, on one of the database's few readers. `stats` walk through the trash, or
 * the folders of a tree, or the changes of places, in slices. A `marked` list counts all favourites, all tags, or all of the trash. A `tree`
 * call changes a whole tree in one write, which blocks all other writes. A `copy` walks through a whole tree in short
 * reads and slices, for minutes: trees can be moved and trashed, and small files copied meanwhile. The other calls take
 * milliseconds, or work in slices.
 */
type Kind = 'search' | 'stats' | 'marked' | 'tree' | 'copy' | 'read' | 'change'

/** Concurrent calls of each kind for a user's sessions, and as many again for the user's keys. */
const atOnce: Record<Kind, number> = { search: 1, stats: 1, marked: 1, tree: 1, copy: 4, read: 4, change: 8 }

/**
 * Of these kinds a user may run only one call, sessions and keys together. Otherwise a session and a key of one user
 * would occupy both searches, and nobody else could search.
 */
const together: readonly Kind[] = ['search', 'stats', 'marked', 'tree']

/**
 * After a long write of a whole tree, the user's next one waits for this many times as long, so that a user who trashes
 * and restores a tree in a loop leaves three quarters of the writer's time to others.
 */
const restPerWork = 3
/** ms; nobody waits longer for their own trees. */
const longestRest = 10 * second

/** Searches that run at once for all users: of SQLite's three readers, one stays free for everything else. */
const searchesAtOnce = 2
/**
 * Reads of all visitors that run at once: whoever makes many links, or finds those of many users, has no more of the
 * server's time and memory for them. What visitors send does not count, because it comes as slowly as they like.
 */
const visitorsCallsAtOnce = 8
/**
 * Searches of a user that have begun, or wait for others of the user, or whose answer is being sent. They count apart from
 * other reads, which would wait behind slow searches.
 */
const searchesUnderWay = 4

const counting: readonly AnyEndpoint[] = [getFileStats, listRecent, listLargest, getFolderSize, listChanges]
const marked: readonly AnyEndpoint[] = [listFavorites, listTags, listTrash]
const trees: readonly AnyEndpoint[] = [trashFile, restoreFile, moveFile, batchFiles]

/**
 * These calls have their own limits, for open files, thumbnails, hashing and followers. If they also counted here, a folder of
 * pictures would delay the next list, and a queue of passwords the next change.
 */
const others: readonly AnyEndpoint[] = [
  downloadFile,
  previewFile,
  getThumbnail,
  downloadLink,
  downloadLinkFile,
  previewLinkFile,
  getLinkThumbnail,
  changePassword,
  followChanges,
]

function kindOf(endpoint: AnyEndpoint): Kind | null {
  if (others.includes(endpoint)) return null
  if (endpoint === searchFiles) return 'search'
  if (counting.includes(endpoint)) return 'stats'
  if (marked.includes(endpoint)) return 'marked'
  if (trees.includes(endpoint)) return 'tree'
  if (endpoint === copyFile) return 'copy'
  return endpoint.method === 'GET' ? 'read' : 'change'
}

interface CallPermit extends Permit {
  /**
   * The answer is known. A search leaves the lanes of searches; otherwise two users who read no answer would keep all
   * others from searching. What it keeps until the answer is sent is its user's alone. A visitor's call keeps nothing,
   * because what it would keep belongs to all visitors of the link; the budget of unread answers limits its memory.
   */
  endWork(): void
}

/** Resolves when a call may begin. Throws if its client has disconnected by then. */
type TakeCallPermit = (ctx: Context, actor: Caller, endpoint: AnyEndpoint) => Promise<CallPermit>

/** The lanes that a call enters, in this order, with the number of calls that each admits at once. */
function lanesOf(caller: Caller, kind: Kind): [name: string, atOnce: number][] {
  const own = (one: Kind): [string, number] => [`${one} ${laneOf(caller)}`, atOnce[one]]
  const lanes = [own(kind)]
  if (kind === 'search') lanes.unshift([`searches of ${laneOf(caller)}`, searchesUnderWay])
  if (together.includes(kind)) lanes.push([`${kind} ${accountOf(caller)}`, 1])
  if (kind === 'search') lanes.push([kind, searchesAtOnce])
  const maker = makerLaneOf(caller)
  if (maker !== null && kind !== 'change') {
    lanes.push([`${kind} ${maker}`, atOnce[kind]], [`${kind} of visitors`, visitorsCallsAtOnce])
  }
  return lanes
}

/** How long (ms) the lanes of a call rest after it. Calls whose writes were all short leave none. */
const restAfter = (actor: Caller, kind: Kind | null): number =>
  kind === 'tree' ? Math.min(restPerWork * longWritesOf(actor), longestRest) : 0

/** Opens the counts of one process. */
export function openCallPermits(): TakeCallPermit {
  const enter = openLanes()
  return async (ctx, actor, endpoint) => {
    const kind = kindOf(endpoint)
    const permits: Permit[] = []
    const end = () => {
      // The call ran for the actor of its last check, which may be later than `actor`.
      const rest = restAfter(ctx.state.actor as Caller, kind)
      for (const permit of permits.reverse()) permit.end(rest)
    }
    try {
      for (const [name, most] of kind === null ? [] : lanesOf(actor, kind)) {
        permits.push(await enter(ctx, name, most, { network: sharingNetwork(actor) }))
      }
    } catch (error) {
      end()
      throw error
    }
    const endWork = () => {
      if (actor.link !== null) end()
      else if (kind === 'search') for (const permit of permits.slice(1).reverse()) permit.end()
    }
    return { hasWaited: permits.some(({ hasWaited }) => hasWaited), end, endWork }
  }
}
