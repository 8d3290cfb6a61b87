/**
 * What folders count of their items (migrations/count-triggers.ts) against the rows. As both are in different tables, the
 * counts tell of a row of files that is lost, or has another folder than before.
 */
import type { Database } from '../../db/database.ts'

/** A folder that counts more items of one kind than it has (`items` above 0), or fewer. */
export interface FolderDrift {
  /** 0 for the top of the space. */
  folder_id: number
  is_directory: 0 | 1
  items: number
}

/** One statement reads both sides, so that a concurrent write is seen in both or in neither. */
export const folderDrifts = `SELECT folder_id, is_directory, SUM(items) AS items FROM (
    SELECT folder_id, is_directory, items FROM folder_counts WHERE space_id = $1
    UNION ALL
    SELECT COALESCE(parent_id, 0), is_directory, -1 FROM files WHERE space_id = $1 AND deleted_at IS NULL) counted
  GROUP BY folder_id, is_directory HAVING SUM(items) <> 0`

/** The folders of a space whose counts differ from the rows, in the order of their ids. */
export async function findFolderDrifts(db: Database, spaceId: number): Promise<FolderDrift[]> {
  const rows = await db.rows<FolderDrift>(`${folderDrifts} ORDER BY folder_id, is_directory`, [spaceId])
  return rows.map(row => ({ ...row, items: Number(row.items) }))
}

/** How many items of a kind all folders count more than they have. */
export const sumOf = (drifts: readonly FolderDrift[]): number => drifts.reduce((sum, { items }) => sum + items, 0)
