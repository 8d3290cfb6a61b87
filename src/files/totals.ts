/** How many folders and files a folder holds: read, not counted (migrations/count-triggers.ts). */
import type { Database } from '../db/database.ts'

interface FolderTotals {
  folders: number
  files: number
}

/** The live items of a folder (null: the root). */
export async function findTotals(db: Database, spaceId: number, folderId: number | null): Promise<FolderTotals> {
  const rows = await db.rows<{ is_directory: 0 | 1; items: number }>(
    'SELECT is_directory, items FROM folder_counts WHERE space_id = $1 AND folder_id = $2',
    [spaceId, folderId ?? 0],
  )
  const itemsOf = (flag: 0 | 1) => rows.find(row => row.is_directory === flag)?.items ?? 0
  return { folders: itemsOf(1), files: itemsOf(0) }
}
