/** Finds the places outside of their own tree in which a user searches: team folders, shares, and drop boxes. */
import type { Actor } from '../../access/actor.ts'
import { findStandings } from '../../access/reach.ts'
import { isForUser, sharesOf } from '../../access/share-sql.ts'
import type { Standing } from '../../access/standing.ts'
import { maxSearchedShares } from '../../api/limits.ts'
import type { Database } from '../../db/database.ts'
import { joinInOrder } from '../../db/join-in-order.ts'

interface RootRow {
  id: number
  space_id: number
  is_directory: 0 | 1
  space_kind: 'personal' | 'team'
  parent_id: number | null
}

interface SearchPlaces {
  /** Spaces of which all is searched: those of team folders that the user sees. */
  spaceIds: number[]
  /** Items that are searched with all below them; none is below another or in one of the spaces. */
  rootIds: number[]
  /** Folders in which the user finds the own hand-ins alone. */
  dropIds: number[]
}

export const noPlaces: SearchPlaces = { spaceIds: [], rootIds: [], dropIds: [] }

const columns = 'f.id, f.space_id, f.is_directory, f.parent_id, sp.kind AS space_kind'
const isInEffect = '(s.expires_at IS NULL OR s.expires_at > $2)'

/** The team folders of a user. */
const findTeams = (db: Database, userId: number): Promise<RootRow[]> =>
  db.rows<RootRow>(
    `SELECT ${columns} FROM spaces sp ${joinInOrder[db.dialect]} files f ON f.space_id = sp.id AND f.live_parent = 0
     WHERE sp.kind = 'team'
       AND EXISTS (SELECT 1 FROM shares s WHERE s.item_id = f.id AND ${isForUser('$1')} AND ${isInEffect})`,
    [userId, Date.now()],
  )

/** The live items of the newest shares for a user, each once. */
function findShared(db: Database, userId: number): Promise<RootRow[]> {
  const { from, condition } = sharesOf(db, '$1', maxSearchedShares)
  return db.rows<RootRow>(
    `SELECT DISTINCT ${columns} FROM ${from} WHERE ${condition} AND ${isInEffect}
       AND f.deleted_at IS NULL AND f.trash_root_id IS NULL AND NOT (sp.kind = 'personal' AND sp.owner_id = $1)`,
    [userId, Date.now()],
  )
}

/** What a search begins with, each item once. */
async function findRoots(db: Database, userId: number): Promise<RootRow[]> {
  const rows = [...(await findTeams(db, userId)), ...(await findShared(db, userId))]
  return [...new Map(rows.map(row => [row.id, row])).values()]
}

/** The places of a user who signs in, or whose key is for no folder. */
export async function findSearchPlaces(db: Database, actor: Actor): Promise<SearchPlaces> {
  const shared = await findRoots(db, actor.userId)
  const standings = await findStandings(db, actor, shared)
  const seen = shared.filter(({ id }) => standings.get(id)?.here.see === true)
  const isTeamRoot = ({ space_kind, parent_id }: RootRow) => space_kind === 'team' && parent_id === null
  const spaceIds = seen.filter(isTeamRoot).map(({ space_id }) => space_id)
  // What lies below another shared item that is seen is found with that one.
  const isTop = ({ id }: RootRow) => {
    const rootId = standings.get(id)?.rootId
    return rootId === id || standings.get(rootId ?? 0)?.here.see !== true
  }
  return {
    spaceIds,
    rootIds: seen.filter(row => !spaceIds.includes(row.space_id) && isTop(row)).map(({ id }) => id),
    dropIds: shared
      .filter(({ id, is_directory }) => is_directory === 1 && standings.get(id)?.here.see === false)
      .map(({ id }) => id),
  }
}

/** Whether somebody with this standing at a folder sees all of its space: it is their own, or that of a team folder. */
export async function seesSpace(db: Database, { root }: Actor, { rootId }: Pick<Standing, 'rootId'>): Promise<boolean> {
  if (root.folderId !== null) return false
  if (rootId === null) return true
  const query = `SELECT f.id FROM files f JOIN spaces sp ON sp.id = f.space_id
    WHERE sp.kind = 'team' AND f.live_parent = 0 AND f.id = $1`
  return (await db.row(query, [rootId])) !== undefined
}
