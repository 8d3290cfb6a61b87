/** How many folders and files a folder holds, counted once for each revision of its space. */
import type { Database } from '../db/database.ts'
import { keepByRevision } from './by-revision.ts'

interface FolderCounts {
  folders: number
  files: number
}

/** Counts of a folder (null: the root) at a revision that was read before. */
export type FolderTotals = (spaceId: number, parentId: number | null, revision: number) => Promise<FolderCounts>

const maxEntries = 10_000

async function countEntries(db: Database, spaceId: number, parentId: number | null): Promise<FolderCounts> {
  const rows = await db.rows<{ is_directory: 0 | 1; count: number }>(
    'SELECT is_directory, COUNT(*) AS count FROM files WHERE space_id = $1 AND live_parent = $2 GROUP BY is_directory',
    [spaceId, parentId ?? 0],
  )
  const countOf = (flag: 0 | 1) => rows.find(row => row.is_directory === flag)?.count ?? 0
  return { folders: countOf(1), files: countOf(0) }
}

/** Counting 100,000 entries costs more than listing the first hundred, so counts are kept. */
export function openFolderTotals(db: Database): FolderTotals {
  const keep = keepByRevision<FolderCounts>(maxEntries)
  return (spaceId, parentId, revision) =>
    keep(`${spaceId}/${parentId ?? 0}`, revision, () => countEntries(db, spaceId, parentId))
}
