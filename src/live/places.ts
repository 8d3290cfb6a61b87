/** The spaces that somebody follows: their own, and those in which something is shared with them. */
import { createHash } from 'node:crypto'
import type { Actor } from '../access/actor.ts'
import { isLive } from '../access/policy.ts'
import { isInSpace, judgeAll } from '../access/reach.ts'
import { beganAt, sharesOf } from '../access/share-sql.ts'
import { findTransfers } from '../access/transit.ts'
import { maxFeedSpaces, maxReceivedShares } from '../api/limits.ts'
import type { Database } from '../db/database.ts'
import { findRowsById } from '../files/find.ts'

interface GivenRow {
  space_id: number
  item_id: number
  level: string
  created_at: number
  joined_at: number
  /** ms; null: it does not end by time. */
  expires_at: number | null
  /** The item of a share is the team folder itself. */
  is_team: 0 | 1
}

export interface LivePlaces {
  /** Ids. */
  spaces: readonly number[]
  /** The team spaces whose team folder is shared with them, so that they see all of the space. */
  teams: ReadonlySet<number>
  /**
   * Changes whenever what they see changes by a share that comes, goes, returns, or gets another level, and when a
   * transfer begins or ends: what happens to items on the way is told to nobody.
   */
  mark: string
}

/** The shares to a user, the newest first, also those whose time is over. */
function readGiven(db: Database, userId: number): Promise<GivenRow[]> {
  const { from, condition } = sharesOf(db, '$1', maxReceivedShares)
  return db.page<GivenRow>(
    {
      space_id: 's.space_id',
      item_id: 's.item_id',
      level: 's.level',
      created_at: 's.created_at',
      joined_at: 'given.joined_at',
      expires_at: 's.expires_at',
      is_team: "CASE WHEN sp.kind = 'team' AND f.parent_id IS NULL THEN 1 ELSE 0 END",
    },
    `FROM ${from} WHERE ${condition} ORDER BY s.id DESC`,
    [userId],
  )
}

/** The shares to a user that have effect now. What is kept until a commit may end by time before it. */
async function findGiven(db: Database, userId: number): Promise<GivenRow[]> {
  const [rows, now] = [await db.cached(`given ${userId}`, () => readGiven(db, userId)), Date.now()]
  return rows.filter(({ expires_at }) => expires_at === null || expires_at > now)
}

const markOf = (parts: unknown): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16)

const toMark = (row: GivenRow) => [row.item_id, row.space_id, row.level, beganAt(row)]

/** Whether the folder of a key still exists for its owner. One that is being transferred does. */
async function isThere(db: Database, actor: Actor, folderId: number): Promise<boolean> {
  const folder = (await findRowsById(db, [folderId])).get(folderId)
  if (folder === undefined || !isLive(folder)) return false
  const { found, inTransit } = await judgeAll(db, actor, [folder])
  return found.has(folderId) || inTransit.has(folderId)
}

/**
 * What an actor follows now. A key for a folder follows that folder alone, and nothing once the folder is gone or no
 * longer shared: the revision of the space would tell how much its owner does.
 */
export async function findLivePlaces(db: Database, actor: Actor): Promise<LivePlaces> {
  const { userId, root } = actor
  const { spaceId, folderId } = root
  const given = await findGiven(db, userId)
  if (folderId !== null) {
    const spaces = (await isThere(db, actor, folderId)) ? [spaceId] : []
    const here = given.filter(({ space_id }) => isInSpace(root, space_id))
    const transfers = await findTransfers(db, [spaceId])
    return { spaces, teams: new Set(), mark: markOf([userId, folderId, spaces, here.map(toMark), transfers]) }
  }
  const others = [...new Set(given.map(({ space_id }) => space_id))].filter(id => !isInSpace(root, id))
  const transfers = await findTransfers(db, others)
  return {
    spaces: [spaceId, ...others.slice(0, maxFeedSpaces - 1)],
    teams: new Set(given.flatMap(row => (row.is_team === 1 ? [row.space_id] : []))),
    mark: markOf([userId, spaceId, given.map(toMark), transfers]),
  }
}
