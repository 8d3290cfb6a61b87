/** Compares the database's counters with sums over the rows. */
import type { Database } from '../../src/db/database.ts'

type Count = Record<string, string | number>

/** [counters, the sums that they must equal]; the first are kept by the server, the others by triggers. */
const counters = [
  [
    'SELECT id, storage_used AS bytes, item_count AS items FROM spaces',
    `SELECT s.id, COALESCE(SUM(f.size), 0) AS bytes, COUNT(f.id) AS items
     FROM spaces s LEFT JOIN files f ON f.space_id = s.id GROUP BY s.id`,
  ],
  [
    'SELECT id, storage_reserved AS bytes FROM spaces',
    'SELECT s.id, (SELECT COALESCE(SUM(u.reserved), 0) FROM uploads u WHERE u.space_id = s.id) AS bytes FROM spaces s',
  ],
  [
    'SELECT space_id, folder_id, is_directory, items FROM folder_counts WHERE items <> 0',
    `SELECT space_id, COALESCE(parent_id, 0) AS folder_id, is_directory, COUNT(*) AS items FROM files
     WHERE deleted_at IS NULL GROUP BY space_id, COALESCE(parent_id, 0), is_directory`,
  ],
  [
    'SELECT space_id, is_directory, mime_type, items, bytes FROM type_counts WHERE items <> 0 OR bytes <> 0',
    `SELECT space_id, is_directory, COALESCE(mime_type, '') AS mime_type, COUNT(*) AS items, SUM(size) AS bytes
     FROM files WHERE deleted_at IS NULL AND trash_root_id IS NULL
     GROUP BY space_id, is_directory, COALESCE(mime_type, '')`,
  ],
] as const

const textsOf = async (db: Database, sql: string): Promise<string[]> =>
  (await db.rows<Count>(sql)).map(row => JSON.stringify(Object.entries(row).sort())).sort()

/** Every counter of the database that is wrong; empty when all are right. */
export async function findMiscounts(db: Database): Promise<string[]> {
  const wrong: string[] = []
  for (const [counted, summed] of counters) {
    const [kept, sums] = [await textsOf(db, counted), await textsOf(db, summed)]
    wrong.push(...kept.filter(text => !sums.includes(text)).map(text => `kept ${text}`))
    wrong.push(...sums.filter(text => !kept.includes(text)).map(text => `not kept ${text}`))
  }
  return wrong
}
