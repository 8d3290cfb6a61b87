/** Describes the places of items that lie outside the caller's own tree, by the ids of their root items. */
import type { Principal } from '../access/actor.ts'
import type { Place } from '../api/items.ts'
import type { Database } from '../db/database.ts'
import type { Columns } from '../db/json-rows.ts'
import { isOneOfMany } from '../db/values.ts'

interface RootRow {
  id: number
  name: string
  parent_id: number | null
  kind: 'personal' | 'team'
  owner: string
  /** The name of the team folder; null in a personal space. */
  team: string | null
}

/** The SQL for a column of the team folder of a space `sp`; null in a personal space. */
export const teamFolder = (column: 'id' | 'name'): string => `CASE WHEN sp.kind = 'team' THEN
    (SELECT t.${column} FROM files t WHERE t.space_id = sp.id AND t.live_parent = 0 LIMIT 1) END`

const rootShape: Columns<RootRow> = {
  id: 'f.id',
  name: 'f.name',
  parent_id: 'f.parent_id',
  kind: 'sp.kind',
  owner: 'u.username',
  team: teamFolder('name'),
}

function placeOf({ id, name, parent_id, kind, owner, team }: RootRow): Place {
  if (kind === 'team' && parent_id === null) return { kind: 'team', id, name, from: null }
  return { kind: 'share', id, name, from: team ?? owner }
}

export type Places = ReadonlyMap<number, Place>

const none: Places = new Map()

/** The places of the given roots, by id. None for a key that is for a folder: that folder is its own tree. */
export async function findPlaces(db: Database, { root }: Principal, rootIds: Iterable<number | null>): Promise<Places> {
  const ids = [...new Set(rootIds)].filter(id => id !== null)
  if (ids.length === 0 || root?.folderId != null) return none
  const { condition, values } = isOneOfMany(db.dialect, 'f.id', ids)
  const rows = await db.page(
    rootShape,
    `FROM files f JOIN spaces sp ON sp.id = f.space_id JOIN users u ON u.id = sp.owner_id WHERE ${condition}`,
    values,
  )
  return new Map(rows.map(row => [row.id, placeOf(row)]))
}
