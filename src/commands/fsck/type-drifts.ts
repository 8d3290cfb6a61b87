/** What is counted of the live items of each type (migrations/0033-count-added-live.ts) against the rows. */
import { liveRow } from '../../access/policy.ts'
import type { Database } from '../../db/database.ts'

/** One statement reads both sides, so that a concurrent write is seen in both or in neither. */
const counted = `SELECT is_directory, mime_type, items, bytes FROM type_counts WHERE space_id = $1
  UNION ALL
  SELECT is_directory, COALESCE(mime_type, ''), -1, 0 - size FROM files f WHERE space_id = $1 AND ${liveRow}`

/** Returns a row when something differs. */
export const typeDrifts = `SELECT mime_type FROM (${counted}) counted
  GROUP BY is_directory, mime_type HAVING SUM(items) <> 0 OR SUM(bytes) <> 0 LIMIT 1`

/** How many items of a kind, and bytes, the types of a space count more than it has. */
interface TypeDrift {
  is_directory: 0 | 1
  items: number
  bytes: number
}

export async function findTypeDrifts(db: Database, spaceId: number): Promise<TypeDrift[]> {
  const rows = await db.rows<TypeDrift>(
    `SELECT is_directory, SUM(items) AS items, SUM(bytes) AS bytes FROM (${counted}) counted
     GROUP BY is_directory HAVING SUM(items) <> 0 OR SUM(bytes) <> 0 ORDER BY is_directory`,
    [spaceId],
  )
  return rows.map(row => ({ ...row, items: Number(row.items), bytes: Number(row.bytes) }))
}
