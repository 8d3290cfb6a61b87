/** Derives paths and breadcrumbs from the parents. They are not stored, so renaming a folder changes only one row. */
import type { Breadcrumb } from '../api/items.ts'
import { maxTreeDepth } from '../api/limits.ts'
import { notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { isOneOfMany } from '../db/values.ts'

/** A folder above an item. */
export interface FolderAbove {
  id: number
  parent_id: number | null
  name: string
}

/**
 * The given folders and all folders above them, each once, by id. With a row for each step of each folder, hundreds of
 * folders at the end of one long path would take tens of thousands of rows.
 */
async function findFoldersUp(db: Database, ids: readonly number[]): Promise<Map<number, FolderAbove>> {
  const { condition, values } = isOneOfMany(db.dialect, 'id', ids)
  const rows = await db.rows<FolderAbove>(
    `WITH RECURSIVE up (id, parent_id, name) AS (
       SELECT id, parent_id, name FROM files WHERE ${condition}
       UNION
       SELECT f.id, f.parent_id, f.name FROM up JOIN files f ON f.id = up.parent_id)
     SELECT id, parent_id, name FROM up`,
    values,
  )
  return new Map(rows.map(row => [row.id, row]))
}

/** A folder as somebody sees it: null is the root of its space. */
export interface FolderSeen {
  folderId: number | null
  /** The folder with which its path begins; null for the root of its space, if the whole path may be told. */
  rootId: number | null
}

/** Paths of folders below a root, whose own is empty; null for a folder that is not below it any more. */
type PathsBelow = Map<number | null, string | null>

const pathsFrom = (rootId: number | null): PathsBelow => new Map([[rootId, '']])

/**
 * The folders from the first without a known path down to the given one. Null if the root is not above it: it was moved
 * away after it had been found there, so nothing may be told of where it is now. From the root of a space, they begin
 * where the tree is damaged, and in a cycle at some depth.
 */
function stepsTo(
  folders: ReadonlyMap<number, FolderAbove>,
  below: PathsBelow,
  { folderId, rootId }: FolderSeen,
): FolderAbove[] | null {
  const steps: FolderAbove[] = []
  let next = folderId
  while (next !== null && !below.has(next) && steps.length <= maxTreeDepth) {
    const folder = folders.get(next)
    if (folder === undefined) break
    steps.push(folder)
    next = folder.parent_id
  }
  const hasMetRoot = typeof below.get(next) === 'string'
  return rootId === null || hasMetRoot ? steps.reverse() : null
}

/** All folders from the first below the root of the space to the given one, inclusive; not to be told to who sees less. */
export async function findFoldersAbove(db: Database, folderId: number): Promise<FolderAbove[]> {
  return stepsTo(await findFoldersUp(db, [folderId]), pathsFrom(null), { folderId, rootId: null }) ?? []
}

/**
 * The folders from the first below the root to the given one, inclusive: what is above the root is not told. Throws
 * `not_found` if the folder is not below the root any more.
 */
export async function findAncestors(
  db: Database,
  { folderId, rootId }: FolderSeen & { folderId: number },
): Promise<Breadcrumb[]> {
  const steps = stepsTo(await findFoldersUp(db, [folderId]), pathsFrom(rootId), { folderId, rootId })
  if (steps === null) throw notFound('Folder')
  let path = ''
  return steps.map(({ id, name }) => {
    path += `/${name}`
    return { id, name, path }
  })
}

/** Paths of live and trashed folders, by the root with which they begin. */
export type FolderPaths = Map<number | null, PathsBelow>

/** Whether the path of a folder needs no query. */
export const isKnown = (paths: FolderPaths, { folderId, rootId }: FolderSeen): boolean =>
  folderId === rootId || paths.get(rootId)?.has(folderId) === true

/** The path of a folder that was added; null if it is not below its root any more: then the viewer is told of no path. */
export const pathOf = (paths: FolderPaths, { folderId, rootId }: FolderSeen): string | null =>
  folderId === rootId ? '' : (paths.get(rootId)?.get(folderId) ?? null)

/** Adds the paths of folders (at most a few hundred), and of those above them, that `paths` does not contain yet. */
export async function addPaths(db: Database, paths: FolderPaths, seen: readonly FolderSeen[]): Promise<void> {
  const unknown = seen.filter(folder => !isKnown(paths, folder))
  const ids = [...new Set(unknown.map(({ folderId }) => folderId))].filter(id => id !== null)
  if (ids.length === 0) return
  const folders = await findFoldersUp(db, ids)
  for (const folder of unknown) {
    const below = paths.get(folder.rootId) ?? pathsFrom(folder.rootId)
    paths.set(folder.rootId, below)
    const steps = stepsTo(folders, below, folder)
    if (steps === null) below.set(folder.folderId, null)
    let path = below.get(steps?.[0]?.parent_id ?? null) ?? ''
    for (const { id, name } of steps ?? []) {
      path = `${path}/${name}`
      below.set(id, path)
    }
  }
}
