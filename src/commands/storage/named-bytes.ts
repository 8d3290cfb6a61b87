/** Which bytes of a store belong to a file or a thumbnail, and how they must be. */
import type { Database } from '../../db/database.ts'
import { isOneOfMany } from '../../db/values.ts'

/** Bytes that have a row. */
export interface NamedBytes {
  /** Of the content's row, or the thumbnail's. */
  id: number
  key: string
  size: number
  /** In hex; null for a thumbnail, which is drawn again if it is lost. */
  sha256: string | null
  /** For people: `content 7`. */
  name: string
}

/** Maps keys that have a row to what the row says; a key without one has no entry. */
export async function findNamed(db: Database, keys: readonly string[]): Promise<Map<string, NamedBytes>> {
  if (keys.length === 0) return new Map()
  const { condition, values } = isOneOfMany(db.dialect, '`key`', keys)
  const rows = await db.rows<Omit<NamedBytes, 'name'>>(
    `SELECT id, \`key\`, size, sha256 FROM blobs WHERE place = 'store' AND ${condition}
     UNION ALL SELECT id, \`key\`, size, NULL FROM space_thumbnails WHERE bytes IS NULL AND ${condition}`,
    values,
  )
  return new Map(
    rows.map(row => [row.key, { ...row, name: `${row.sha256 === null ? 'thumbnail' : 'content'} ${row.id}` }]),
  )
}
