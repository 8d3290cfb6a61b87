/**
 * What a caller may do with an item, by where it lies: everything in their own tree; elsewhere what is shared with
 * them, there or further up. This is the only place that compares an item's space with the caller's own.
 */
import { linkAdds, linkSees } from '../api/link-levels.ts'
import type { ShareLevel } from '../api/share-levels.ts'
import type { Database } from '../db/database.ts'
import type { Columns } from '../db/json-rows.ts'
import { isOneOfMany } from '../db/values.ts'
import type { ActingLink, Principal } from './actor.ts'
import { type ItemSum, sumGrants } from './grants.ts'
import { isForUser, joinedAt } from './share-sql.ts'
import { everything, noAbilities, ownStanding, type Standing } from './standing.ts'
import { InTransit, isLeaving } from './transit.ts'

/** Anything in a space: an item, or the root of the space itself. */
interface Placed {
  space_id: number
}

interface PlacedItem extends Placed {
  id: number
  is_directory: 0 | 1
  /** Left out where it is not known. */
  parent_id?: number | null
}

/** Whether an item is in the caller's own tree. Then its favourite mark is theirs, and reading it is not recorded. */
export const isOwn = ({ root }: Principal, { space_id }: Placed): boolean =>
  root !== null && root.folderId === null && root.spaceId === space_id

/** The own tree of the caller, also for a key that is for one folder in it. */
export async function isInOwnTree(db: Database, actor: Principal, place: Placed): Promise<boolean> {
  if (isOwn(actor, place)) return true
  if (actor.userId === null) return false
  const sql = "SELECT id FROM spaces WHERE id = $1 AND owner_id = $2 AND kind = 'personal'"
  return (await db.row(sql, [place.space_id, actor.userId])) !== undefined
}

/** Whether a place is in a space. */
export const isInSpace = ({ spaceId }: { spaceId: number }, id: number): boolean => spaceId === id

/** A share of an item or of a folder in which it lies, or one of these without any share. */
interface PlaceRow {
  id: number
  parent_id: number | null
  /** Null: nothing is granted here. */
  level: ShareLevel | null
  created_at: number
  joined_at: number
  expires_at: number | null
  space_kind: 'personal' | 'team'
  space_owner: number
  /** The items of its space are being transferred. */
  is_leaving: 0 | 1
}

const placeShape: Columns<PlaceRow> = {
  id: 'place.id',
  parent_id: 'place.parent_id',
  level: 'place.level',
  created_at: 'place.created_at',
  joined_at: 'place.joined_at',
  expires_at: 'place.expires_at',
  space_kind: 'place.space_kind',
  space_owner: 'place.space_owner',
  is_leaving: 'place.is_leaving',
}

/**
 * Some items and all folders in which they lie, each once however many of the items are in it, with what is shared there
 * with a user (null: nothing). They are read from the live parents: what is stored elsewhere would outlive a move.
 */
function readPlaces(db: Database, userId: number | null, ids: readonly number[]): Promise<PlaceRow[]> {
  const { condition, values } = isOneOfMany(db.dialect, 'id', ids)
  const user = `$${values.length + 1}`
  return db.page(
    placeShape,
    `FROM (WITH RECURSIVE up (id, parent_id, space_id) AS (
       SELECT id, parent_id, space_id FROM files WHERE ${condition}
       UNION
       SELECT f.id, f.parent_id, f.space_id FROM up JOIN files f ON f.id = up.parent_id)
     SELECT up.id, up.parent_id, s.level, s.created_at, ${userId === null ? 0 : joinedAt(user)} AS joined_at, s.expires_at,
       sp.kind AS space_kind, sp.owner_id AS space_owner, ${isLeaving} AS is_leaving
     FROM up JOIN spaces sp ON sp.id = up.space_id
       LEFT JOIN shares s ON s.item_id = up.id AND ${userId === null ? '1 = 0' : isForUser(user)}) place`,
    userId === null ? values : [...values, userId],
  )
}

/** The standing of a link's visitors: they see all that is below, and add to the very folder. */
function standingByLink({ itemId, level }: ActingLink, item: PlacedItem): Standing | null {
  const here = { ...noAbilities, see: linkSees(level), add: linkAdds(level) && item.id === itemId }
  return here.see || here.add ? { here, above: noAbilities, rootId: itemId, since: 0 } : null
}

/**
 * The standing for which no other row is needed: in the caller's own tree, and at what a link is on or right in its
 * folder, as the item's own row says. Undefined where it has to be looked up.
 */
function standingAtOnce(actor: Principal, item: PlacedItem): Standing | null | undefined {
  const { root, link } = actor
  if (isOwn(actor, item)) return ownStanding
  if (root === null) return null
  return link !== null && [item.id, item.parent_id].includes(link.itemId) ? standingByLink(link, item) : undefined
}

/** What the caller may do with an item, and whether it, or a folder around it, is in a space that is being transferred. */
interface Judgement {
  standing: Standing
  isInTransit: boolean
}

/**
 * Returns the judgement on an item, from the rows of the item and of all folders above it; null if it does not exist for
 * the caller. Inside its folder, a key may do what its owner may.
 */
function judgeBy({ userId, root, link }: Principal, rows: readonly PlaceRow[]): (item: PlacedItem) => Judgement | null {
  const scope = root?.folderId ?? null
  const folder = scope === null ? undefined : rows.find(({ id }) => id === scope)
  const isOwner = folder?.space_kind === 'personal' && folder.space_owner === userId
  const grantsAt = sumGrants(rows, scope, Date.now())
  const standingAt = (item: PlacedItem, { here, above, rootId, since, isInScope }: ItemSum): Standing | null => {
    if (scope !== null && !isInScope) return null
    if (link !== null) return standingByLink(link, item)
    if (!isOwner && rootId === null) return null
    const below = isOwner ? everything : above
    return {
      here: isOwner ? everything : here,
      above: item.id === scope ? noAbilities : below,
      rootId: scope ?? rootId,
      since: isOwner ? 0 : since,
    }
  }
  return item => {
    const sum = grantsAt(item)
    const standing = standingAt(item, sum)
    return standing === null ? null : { standing, isInTransit: sum.isInTransit }
  }
}

/**
 * Returns what a caller may do with an item, or null if it does not exist for them. No query in their own tree. Throws
 * `unavailable` in transit.
 */
export async function findStanding(db: Database, actor: Principal, item: PlacedItem): Promise<Standing | null> {
  const atOnce = standingAtOnce(actor, item)
  if (atOnce !== undefined) return atOnce
  const { userId } = actor
  const rows = await db.cached(`places ${userId} ${item.id}`, () => readPlaces(db, userId, [item.id]))
  const judgement = judgeBy(actor, rows)(item)
  if (judgement?.isInTransit) throw new InTransit()
  return judgement?.standing ?? null
}

/** Items per statement: each may have a hundred folders of its own above it, which take their time to read. */
const itemsAtOnce = 200

/** The same for many items, by id; those in transit are told apart, and have no standing. */
export async function judgeAll(db: Database, actor: Principal, items: readonly PlacedItem[]) {
  const found = new Map<number, Standing>()
  const inTransit = new Set<number>()
  const others: PlacedItem[] = []
  for (const item of items) {
    const standing = standingAtOnce(actor, item)
    if (standing === undefined) others.push(item)
    else if (standing !== null) found.set(item.id, standing)
  }
  for (let start = 0; start < others.length; start += itemsAtOnce) {
    const slice = others.slice(start, start + itemsAtOnce)
    const ids = slice.map(({ id }) => id)
    const judge = judgeBy(actor, await readPlaces(db, actor.userId, ids))
    for (const item of slice) {
      const judgement = judge(item)
      if (judgement === null) continue
      if (judgement.isInTransit) inTransit.add(item.id)
      else found.set(item.id, judgement.standing)
    }
  }
  return { found, inTransit }
}

/**
 * The standings of items of a list, by id; an item that does not exist for the caller has no entry, and neither has one
 * in transit: no list shows it.
 */
export const findStandings = async (
  db: Database,
  actor: Principal,
  items: readonly PlacedItem[],
): Promise<Map<number, Standing>> => (await judgeAll(db, actor, items)).found
