/** Reads the numbers of folders and files in a folder, which triggers maintain (migrations/count-triggers.ts). */
import { listedRow, shownRow } from '../access/policy.ts'
import { type Abilities, noAbilities } from '../access/standing.ts'
import type { Database } from '../db/database.ts'
import { isOneOf, valuesAtOnce } from '../db/values.ts'

interface FolderTotals {
  folders: number
  files: number
  /** Of the files, those that are not approved and not listed for the user. */
  held: number
}

/** The number of live files that a user has handed in to a folder without seeing what else is in it. */
export async function countHandIns(db: Database, folderId: number, userId: number): Promise<number> {
  const row = await db.row<{ count: number }>(
    `SELECT COUNT(*) AS count FROM files f WHERE f.live_parent = $1 AND ${shownRow(noAbilities, '$2')}`,
    [folderId, userId],
  )
  return row?.count ?? 0
}

/**
 * The numbers of live items in a folder (null: the root), for a user with these abilities there, who sees its folders.
 * The held files are read from the index of such files: with `is_directory` in a condition of its own SQLite would read
 * the whole folder.
 */
export async function findTotals(
  db: Database,
  spaceId: number,
  folderId: number | null,
  abilities: Abilities,
  userId: number,
): Promise<FolderTotals> {
  const rows = await db.rows<{ is_directory: 0 | 1; items: number; held: number }>(
    `SELECT is_directory, items, CASE WHEN is_directory = 1 THEN 0 ELSE (
       SELECT COUNT(*) FROM files f
       WHERE f.space_id = $1 AND f.live_parent = $2 AND f.validation_status <> 'approved'
         AND NOT ${listedRow(abilities, '$3')}
     ) END AS held
     FROM folder_counts WHERE space_id = $1 AND folder_id = $2`,
    [spaceId, folderId ?? 0, userId],
  )
  const folders = rows.find(row => row.is_directory === 1)
  const files = rows.find(row => row.is_directory === 0)
  return { folders: folders?.items ?? 0, files: files?.items ?? 0, held: files?.held ?? 0 }
}

/** Of the given folders, the ids of those that contain live folders. */
export async function findWithFolders(db: Database, spaceId: number, folderIds: readonly number[]): Promise<number[]> {
  const found: number[] = []
  for (let start = 0; start < folderIds.length; start += valuesAtOnce) {
    const slice = folderIds.slice(start, start + valuesAtOnce)
    const rows = await db.rows<{ folder_id: number }>(
      `SELECT folder_id FROM folder_counts
       WHERE space_id = $1 AND ${isOneOf('folder_id', slice, 2)} AND is_directory = 1 AND items > 0`,
      [spaceId, ...slice],
    )
    found.push(...rows.map(row => row.folder_id))
  }
  return found
}
