/** The lock that every write takes first that changes a space's tree, or what its listings show. */
import type { Database } from './database.ts'

/**
 * Holds the space's row until the commit, so that what the write then looks at stays as it is. SQLite has one writer at
 * a time anyway.
 */
export async function lockSpace(db: Database, spaceId: number): Promise<void> {
  if (db.dialect === 'mariadb') await db.row('SELECT id FROM spaces WHERE id = $1 FOR UPDATE', [spaceId])
}
