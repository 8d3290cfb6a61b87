/** Names items as a person at the terminal does: `ann:/Docs/a.pdf`, and in a team folder `@Choir/Plans`. */
import type { Database } from '../../db/database.ts'
import { isOneOf, valuesAtOnce } from '../../db/values.ts'
import { addPaths, type FolderPaths, type FolderSeen, pathOf } from '../../files/paths.ts'

interface NamedRow {
  id: number
  parent_id: number | null
  name: string
  kind: 'personal' | 'team'
  owner: string
  is_live: 0 | 1
}

/** The folder of an item, with its whole path. */
const folderOf = ({ parent_id }: NamedRow): FolderSeen => ({ folderId: parent_id, rootId: null })

const findNamed = (db: Database, ids: readonly number[]): Promise<NamedRow[]> =>
  db.rows<NamedRow>(
    `SELECT f.id, f.parent_id, f.name, sp.kind, u.username AS owner,
       CASE WHEN f.live_parent IS NULL THEN 0 ELSE 1 END AS is_live
     FROM files f JOIN spaces sp ON sp.id = f.space_id JOIN users u ON u.id = sp.owner_id WHERE ${isOneOf('f.id', ids)}`,
    ids,
  )

/** The paths of live items, by id. An item that is gone or in the trash has none. */
export async function findItemPaths(db: Database, itemIds: readonly number[]): Promise<Map<number, string>> {
  const found = new Map<number, string>()
  const wanted = [...new Set(itemIds)]
  for (let start = 0; start < wanted.length; start += valuesAtOnce) {
    const rows = await findNamed(db, wanted.slice(start, start + valuesAtOnce))
    const paths: FolderPaths = new Map()
    await addPaths(db, paths, rows.map(folderOf))
    for (const row of rows) {
      const { id, name, kind, owner, is_live } = row
      const path = `${pathOf(paths, folderOf(row)) ?? ''}/${name}`
      if (is_live === 1) found.set(id, kind === 'team' ? `@${path.slice(1)}` : `${owner}:${path}`)
    }
  }
  return found
}
