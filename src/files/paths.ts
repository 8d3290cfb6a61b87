/** Derives paths and breadcrumbs from the parents. They are not stored, so renaming a folder changes only one row. */
import type { Breadcrumb } from '../api/items.ts'
import { maxTreeDepth } from '../api/limits.ts'
import type { Database } from '../db/database.ts'
import { isOneOf } from '../db/values.ts'

interface StepRow {
  /** The folder whose path this step belongs to. */
  start_id: number
  id: number
  name: string
}

/** The steps from each folder up to the root, starting with the folder itself; the root is not a step. */
function findSteps(db: Database, ids: readonly number[]): Promise<StepRow[]> {
  return db.rows<StepRow>(
    `WITH RECURSIVE up (start_id, id, parent_id, name, level) AS (
       SELECT id, id, parent_id, name, 0 FROM files WHERE ${isOneOf('id', ids)}
       UNION ALL
       SELECT up.start_id, f.id, f.parent_id, f.name, up.level + 1 FROM up JOIN files f ON f.id = up.parent_id
         WHERE up.level < ${maxTreeDepth})
     SELECT start_id, id, name FROM up ORDER BY start_id, level`,
    ids,
  )
}

/** The folders from the first below the root to the given one, inclusive. */
export async function findAncestors(db: Database, folderId: number): Promise<Breadcrumb[]> {
  const steps = await findSteps(db, [folderId])
  let path = ''
  return steps.reverse().map(({ id, name }) => {
    path += `/${name}`
    return { id, name, path }
  })
}

/** Paths of live and trashed folders by id; null is the root, whose path is empty. */
export type FolderPaths = Map<number | null, string>

/** Adds the paths of folders (at most a few hundred) that `paths` does not contain yet. */
export async function addPaths(db: Database, paths: FolderPaths, folderIds: Iterable<number | null>): Promise<void> {
  const unknown = [...new Set(folderIds)].filter(id => id !== null).filter(id => !paths.has(id))
  if (unknown.length === 0) return
  for (const { start_id, name } of await findSteps(db, unknown)) {
    paths.set(start_id, `/${name}${paths.get(start_id) ?? ''}`)
  }
}
