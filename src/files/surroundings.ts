/** Reads what items show besides their own rows: whose they are, where, and how the caller has marked them. */
import type { Principal } from '../access/actor.ts'
import { isListed } from '../access/policy.ts'
import { findStandings } from '../access/reach.ts'
import { byReview, rootOf, type Sight, type Standing } from '../access/standing.ts'
import type { Database } from '../db/database.ts'
import { isOneOf, isOneOfMany } from '../db/values.ts'
import type { ItemRow } from './item-row.ts'
import { findPlaces, type Places } from './places.ts'

/** An item with what the viewer may do there. */
export type Seen<Row extends ItemRow = ItemRow> = Row & { readonly standing: Sight }

/** A row of a list. Null: the viewer does not see the item (any more), so that it is left out of the answer. */
export type Listed<Row extends ItemRow = ItemRow> = Row & { readonly standing: Sight | null }

/** Adds the standing to a row that was just read, without a copy: that takes longer than all else for its item. */
export function addStanding<Row extends ItemRow, Of extends Sight | null>(
  row: Row & { standing?: Of },
  standing: Of,
): Row & { readonly standing: Of } {
  row.standing = standing
  return row as Row & { readonly standing: Of }
}

/**
 * Some rows of a list with what the viewer may do there: null if they do not see the item any more, so that the answer
 * leaves it out.
 */
export async function addStandings<Row extends ItemRow>(
  db: Database,
  viewer: Principal,
  rows: readonly Row[],
): Promise<(Row & { readonly standing: Standing | null })[]> {
  const standings = await findStandings(db, viewer, rows)
  return rows.map(row => {
    const standing = standings.get(row.id)
    const isThere = standing !== undefined && isListed(viewer, standing, row)
    return addStanding<Row, Standing | null>(row, isThere ? standing : null)
  })
}

export interface Surroundings {
  viewer: Principal
  places: Places
  /** Usernames by id. */
  owners: ReadonlyMap<number, string>
  /** Items in others' places that the viewer has marked as favourites. */
  favorites: ReadonlySet<number>
  /** Items on which something is granted, of those that the viewer manages. */
  shared: ReadonlySet<number>
}

async function findOwners(
  db: Database,
  viewer: Principal,
  rows: readonly ItemRow[],
): Promise<ReadonlyMap<number, string>> {
  const ids = [...new Set(rows.map(row => row.owner_id))].filter(id => id !== viewer.userId)
  const found =
    ids.length === 0
      ? []
      : await db.rows<{ id: number; username: string }>(
          `SELECT u.id, u.username FROM users u WHERE ${isOneOf('u.id', ids)}`,
          ids,
        )
  const owners = new Map(found.map(({ id, username }) => [id, username]))
  if (viewer.userId !== null) owners.set(viewer.userId, viewer.username)
  return owners
}

/** Of items in others' places, those that the viewer has marked as favourites. */
export async function findFavorites(
  db: Database,
  viewer: Principal,
  rows: readonly Seen[],
): Promise<ReadonlySet<number>> {
  const ids = rows.filter(({ standing }) => rootOf(standing) !== null).map(({ id }) => id)
  if (ids.length === 0 || viewer.userId === null) return new Set()
  const { condition, values } = isOneOfMany(db.dialect, 'file_id', ids)
  const marked = await db.rows<{ file_id: number }>(
    `SELECT file_id FROM favorites WHERE ${condition} AND user_id = $${values.length + 1}`,
    [...values, viewer.userId],
  )
  return new Set(marked.map(({ file_id }) => file_id))
}

/**
 * The ids of all items of some spaces that are shared or have a link: at most `maxSharesPerSpace` and
 * `maxLinksPerSpace` of each space, kept until the next commit.
 */
const findSharedIds = (db: Database, spaceIds: readonly number[]): Promise<ReadonlySet<number>> =>
  db.cached(`shared ${spaceIds.join(' ')}`, async () => {
    const isInSpaces = isOneOf('space_id', spaceIds)
    const rows = await db.rows<{ item_id: number }>(
      `SELECT item_id FROM shares WHERE ${isInSpaces} UNION SELECT item_id FROM links WHERE ${isInSpaces}`,
      spaceIds,
    )
    return new Set(rows.map(({ item_id }) => item_id))
  })

async function findShared(db: Database, rows: readonly Seen[]): Promise<ReadonlySet<number>> {
  const managed = rows.filter(({ standing }) => standing !== byReview && standing.here.manage)
  if (managed.length === 0) return new Set()
  const ids = await findSharedIds(
    db,
    [...new Set(managed.map(({ space_id }) => space_id))].sort((a, b) => a - b),
  )
  return new Set(managed.filter(({ id }) => ids.has(id)).map(({ id }) => id))
}

/** What some hundred items show besides their own rows. In the own tree all but the shares comes without a query. */
export async function findSurroundings(db: Database, viewer: Principal, rows: readonly Seen[]): Promise<Surroundings> {
  const [places, owners, favorites, shared] = await Promise.all([
    findPlaces(
      db,
      viewer,
      rows.map(({ standing }) => rootOf(standing)),
    ),
    findOwners(db, viewer, rows),
    findFavorites(db, viewer, rows),
    findShared(db, rows),
  ])
  return { viewer, places, owners, favorites, shared }
}
