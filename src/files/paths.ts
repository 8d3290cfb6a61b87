/** Derives paths and breadcrumbs from the parents. They are not stored, so renaming a folder changes only one row. */
import type { Breadcrumb } from '../api/items.ts'
import { maxTreeDepth } from '../api/limits.ts'
import type { Database } from '../db/database.ts'
import { isOneOfMany } from '../db/values.ts'

interface FolderRow {
  id: number
  parent_id: number | null
  name: string
}

/**
 * The given folders and all folders above them, each once, by id. With a row for each step of each folder, hundreds of
 * folders at the end of one long path would take tens of thousands of rows.
 */
async function findFoldersUp(db: Database, ids: readonly number[]): Promise<Map<number, FolderRow>> {
  const { condition, values } = isOneOfMany(db.dialect, 'id', ids)
  const rows = await db.rows<FolderRow>(
    `WITH RECURSIVE up (id, parent_id, name) AS (
       SELECT id, parent_id, name FROM files WHERE ${condition}
       UNION
       SELECT f.id, f.parent_id, f.name FROM up JOIN files f ON f.id = up.parent_id)
     SELECT id, parent_id, name FROM up`,
    values,
  )
  return new Map(rows.map(row => [row.id, row]))
}

/** Paths of live and trashed folders by id; null is the root, whose path is empty. */
export type FolderPaths = Map<number | null, string>

/** Returns the folders from the first without a known path down to the given one; in a damaged cycle it stops. */
function stepsTo(folders: ReadonlyMap<number, FolderRow>, paths: FolderPaths, folderId: number): FolderRow[] {
  const steps: FolderRow[] = []
  let next: number | null = folderId
  while (next !== null && !paths.has(next) && steps.length <= maxTreeDepth) {
    const folder: FolderRow | undefined = folders.get(next)
    if (folder === undefined) break
    steps.push(folder)
    next = folder.parent_id
  }
  return steps.reverse()
}

/**
 * The folders from the first below the root to the given one, inclusive. With `rootId`, from the first below that
 * folder: what is above it is not told.
 */
export async function findAncestors(
  db: Database,
  folderId: number,
  rootId: number | null = null,
): Promise<Breadcrumb[]> {
  const steps = stepsTo(await findFoldersUp(db, [folderId]), new Map([[rootId, '']]), folderId)
  let path = ''
  return steps.map(({ id, name }) => {
    path += `/${name}`
    return { id, name, path }
  })
}

/** Adds the paths of folders (at most a few hundred), and of those above them, that `paths` does not contain yet. */
export async function addPaths(db: Database, paths: FolderPaths, folderIds: Iterable<number | null>): Promise<void> {
  const unknown = [...new Set(folderIds)].filter(id => id !== null).filter(id => !paths.has(id))
  if (unknown.length === 0) return
  const folders = await findFoldersUp(db, unknown)
  for (const folderId of unknown) {
    const steps = stepsTo(folders, paths, folderId)
    let path = paths.get(steps[0]?.parent_id ?? null) ?? ''
    for (const { id, name } of steps) {
      path = `${path}/${name}`
      paths.set(id, path)
    }
  }
}
