/** How many folders and files a folder holds, counted once for each revision of its space. */
import type { Database } from '../db/database.ts'

interface FolderCounts {
  folders: number
  files: number
}

/** Counts of a folder (null: the root) at a revision that was read before. */
export type FolderTotals = (spaceId: number, parentId: number | null, revision: number) => Promise<FolderCounts>

const maxEntries = 10_000

interface Entry extends FolderCounts {
  revision: number
}

/**
 * Counting 100,000 entries costs more than listing the first hundred, so counts are kept while the space's revision
 * stands. A count that is newer than its revision is dropped with it: revisions only go up.
 */
export function openFolderTotals(db: Database): FolderTotals {
  const known = new Map<string, Entry>()
  return async (spaceId, parentId, revision) => {
    const key = `${spaceId}/${parentId ?? 0}`
    const found = known.get(key)
    if (found?.revision === revision) return found
    const rows = await db.rows<{ is_directory: 0 | 1; count: number }>(
      'SELECT is_directory, COUNT(*) AS count FROM files WHERE space_id = $1 AND live_parent = $2 GROUP BY is_directory',
      [spaceId, parentId ?? 0],
    )
    const countOf = (flag: 0 | 1) => rows.find(row => row.is_directory === flag)?.count ?? 0
    const entry = { revision, folders: countOf(1), files: countOf(0) }
    known.delete(key)
    known.set(key, entry)
    const [oldest] = known.keys()
    if (known.size > maxEntries && oldest !== undefined) known.delete(oldest)
    return entry
  }
}
