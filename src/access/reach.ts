/**
 * What a caller may do with an item, by where it lies: everything in their own tree; elsewhere what is shared with
 * them, there or further up. This is the only place that compares an item's space with the caller's own.
 */
import { maxTreeDepth } from '../api/limits.ts'
import { linkAdds, linkSees } from '../api/link-levels.ts'
import type { ShareLevel } from '../api/share-levels.ts'
import { groupBy } from '../base/group-by.ts'
import type { Database } from '../db/database.ts'
import type { Columns } from '../db/json-rows.ts'
import { isOneOfMany, valuesAtOnce } from '../db/values.ts'
import type { ActingLink, Principal } from './actor.ts'
import { beganAt, isForUser, joinedAt } from './share-sql.ts'
import { everything, noAbilities, ownStanding, type Standing, unite } from './standing.ts'
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

/** A share, or the folder of the caller's key, at an item or at a folder above it; also what is being transferred there. */
interface GrantRow extends PlaceRow {
  /** From the item. */
  distance: number
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

/** The grants at some items and at the folders above them, by item. */
async function readGrants(
  db: Database,
  userId: number | null,
  folderId: number | null,
  ids: readonly number[],
): Promise<Map<number, GrantRow[]>> {
  const places = groupBy(await readPlaces(db, userId, ids), ({ id }) => id)
  const rowsAt = (id: number, distance: number): GrantRow[] =>
    (places.get(id) ?? [])
      .filter(row => row.level !== null || row.id === folderId || row.is_leaving === 1)
      .map(row => ({ ...row, distance }))
  const parentOf = (id: number): number | null => places.get(id)?.[0]?.parent_id ?? null
  const above = new Map<number, GrantRow[]>()
  /** The same for everything in a folder, so it is walked once. */
  const grantsAbove = (folder: number): GrantRow[] => {
    const known = above.get(folder)
    if (known !== undefined) return known
    const grants: GrantRow[] = []
    let id: number | null = folder
    for (let distance = 1; id !== null && distance <= maxTreeDepth; distance++) {
      grants.push(...rowsAt(id, distance))
      id = parentOf(id)
    }
    above.set(folder, grants)
    return grants
  }
  return new Map(
    ids.map(id => {
      const parent = parentOf(id)
      return [id, [...rowsAt(id, 0), ...(parent === null ? [] : grantsAbove(parent))]]
    }),
  )
}

/** Whether a grant still counts for an item: one to upload counts in the very folder, for what lies right in it. */
function counts({ is_directory }: PlacedItem, { level, distance, expires_at }: GrantRow, now: number): boolean {
  if (level === null || (expires_at !== null && expires_at <= now)) return false
  return level !== 'upload' || distance === 0 || (distance === 1 && is_directory === 0)
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

/** Turns the grants at and above one item into the standing there. Inside its folder, a key may do what its owner may. */
function judge(
  { userId, root, link }: Principal,
  item: PlacedItem,
  rows: readonly GrantRow[],
  now: number,
): Standing | null {
  const scope = root?.folderId ?? null
  const rootRow = rows.find(({ id }) => id === scope)
  if (scope !== null && rootRow === undefined) return null
  if (link !== null) return standingByLink(link, item)
  const isOwner = rootRow?.space_kind === 'personal' && rootRow.space_owner === userId
  const grants = rows.filter(row => counts(item, row, now)).sort((a, b) => b.distance - a.distance)
  if (!isOwner && grants.length === 0) return null
  const levels = (some: readonly GrantRow[]) => unite(some.flatMap(({ level }) => level ?? []))
  const isRoot = item.id === scope
  // Who may only hand in does not see what happens, so that it is not for them later either.
  const seeing = grants.filter(({ level }) => level !== 'upload')
  const above = isOwner ? everything : levels(grants.filter(({ distance }) => distance > 0))
  return {
    here: isOwner ? everything : levels(grants),
    above: isRoot ? noAbilities : above,
    rootId: scope ?? grants[0]?.id ?? null,
    since: isOwner ? 0 : Math.min(...(seeing.length > 0 ? seeing : grants).map(beganAt)),
  }
}

/** Whose grants count, and the folder of their key or link. */
const scopeOf = ({ userId, root }: Principal) => ({ userId, folderId: root?.folderId ?? null })

/** Whether an item, or a folder in which it lies, is in a space that is being transferred. */
const isInTransit = (rows: readonly GrantRow[]): boolean => rows.some(({ is_leaving }) => is_leaving === 1)

/**
 * Returns what a caller may do with an item, or null if it does not exist for them. No query in their own tree. Throws
 * `unavailable` in transit.
 */
export async function findStanding(db: Database, actor: Principal, item: PlacedItem): Promise<Standing | null> {
  const atOnce = standingAtOnce(actor, item)
  if (atOnce !== undefined) return atOnce
  const { userId, folderId } = scopeOf(actor)
  const key = `standing ${userId} ${folderId} ${item.id}`
  const grants = await db.cached(key, () => readGrants(db, userId, folderId, [item.id]))
  const rows = grants.get(item.id) ?? []
  const standing = judge(actor, item, rows, Date.now())
  if (standing !== null && isInTransit(rows)) throw new InTransit()
  return standing
}

/** The same for many items, by id, apart from those in transit. */
async function judgeAll(db: Database, actor: Principal, items: readonly PlacedItem[]) {
  const found = new Map<number, Standing>()
  const inTransit = new Set<number>()
  const others: PlacedItem[] = []
  for (const item of items) {
    const standing = standingAtOnce(actor, item)
    if (standing === undefined) others.push(item)
    else if (standing !== null) found.set(item.id, standing)
  }
  const { userId, folderId } = scopeOf(actor)
  for (let start = 0; start < others.length; start += valuesAtOnce) {
    const slice = others.slice(start, start + valuesAtOnce)
    const ids = slice.map(({ id }) => id)
    const grants = await readGrants(db, userId, folderId, ids)
    for (const item of slice) {
      const rows = grants.get(item.id) ?? []
      const standing = judge(actor, item, rows, Date.now())
      if (standing === null) continue
      if (isInTransit(rows)) inTransit.add(item.id)
      else found.set(item.id, standing)
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

/** The same for items that the caller asked for. Throws `unavailable` if one of them is in transit. */
export async function requireStandings(
  db: Database,
  actor: Principal,
  items: readonly PlacedItem[],
): Promise<Map<number, Standing>> {
  const { found, inTransit } = await judgeAll(db, actor, items)
  if (inTransit.size > 0) throw new InTransit()
  return found
}
