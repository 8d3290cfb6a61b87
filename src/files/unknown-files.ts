/** Files that name no content, or one of another size: a row of theirs is damaged. */
import type { Database } from '../db/database.ts'

/** Of `files f LEFT JOIN blobs b`, the rows that have such a problem. */
const isUnknown = `f.is_directory <> 1 AND (f.blob_id IS NOT NULL OR f.mime_type IS NOT NULL)
  AND COALESCE(b.size = f.size, 0) = 0`

/** The ids of such files, live or trashed; a condition on `f` may follow. */
export const unknownFiles = `SELECT f.id FROM files f LEFT JOIN blobs b ON b.id = f.blob_id WHERE ${isUnknown}`

/** Whether there is such a file. */
export const hasUnknownFile = async (db: Database): Promise<boolean> =>
  (await db.row(`${unknownFiles} LIMIT 1`)) !== undefined

/** Whether there is such a file of a size. */
export const hasUnknownOf = async (db: Database, size: number): Promise<boolean> =>
  (await db.row(`${unknownFiles} AND f.size = $1 LIMIT 1`, [size])) !== undefined
