/** Paths and breadcrumbs, derived from the parents and never stored: renaming a folder touches one row. */
import type { Breadcrumb } from '../api/items.ts'
import { maxTreeDepth } from '../api/limits.ts'
import type { Database } from '../db/database.ts'

interface StepRow {
  /** The folder whose way up this step belongs to. */
  start_id: number
  id: number
  name: string
}

/** The steps from some folders up to the root, each folder's own first; the root itself is no step. */
function findSteps(db: Database, ids: readonly number[]): Promise<StepRow[]> {
  const list = ids.map((_, index) => `$${index + 1}`).join(', ')
  return db.rows<StepRow>(
    `WITH RECURSIVE up (start_id, id, parent_id, name, level) AS (
       SELECT id, id, parent_id, name, 0 FROM files WHERE id IN (${list})
       UNION ALL
       SELECT up.start_id, f.id, f.parent_id, f.name, up.level + 1 FROM up JOIN files f ON f.id = up.parent_id
         WHERE up.level < ${maxTreeDepth})
     SELECT start_id, id, name FROM up ORDER BY start_id, level`,
    ids,
  )
}

/** From the first folder below the root to the given one, which is the last. */
export async function findAncestors(db: Database, folderId: number): Promise<Breadcrumb[]> {
  const steps = await findSteps(db, [folderId])
  let path = ''
  return steps.reverse().map(({ id, name }) => {
    path += `/${name}`
    return { id, name, path }
  })
}

/** The path of each folder by its id, null being the root's empty one; whether it is live or trashed. */
export type FolderPaths = Map<number | null, string>

/** The paths of all folders that a page of items stands in, by one query for at most 500 folders. */
export async function findPaths(db: Database, parentIds: Iterable<number | null>): Promise<FolderPaths> {
  const paths: FolderPaths = new Map([[null, '']])
  const ids = [...new Set(parentIds)].filter(id => id !== null)
  for (let start = 0; start < ids.length; start += 500) {
    for (const { start_id, name } of await findSteps(db, ids.slice(start, start + 500))) {
      paths.set(start_id, `/${name}${paths.get(start_id) ?? ''}`)
    }
  }
  return paths
}
