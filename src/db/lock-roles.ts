/** The lock that every write takes first that gives or takes rights, or decides by them. */
import { adminRole } from '../api/roles.ts'
import type { Database } from './database.ts'

/**
 * Holds the admin role's row until the commit, so that what the write then looks at (who may do what, who is the last
 * administrator) stays as it is. SQLite has one writer at a time anyway.
 */
export async function lockRoles(db: Database): Promise<void> {
  if (db.dialect === 'mariadb') await db.row('SELECT id FROM roles WHERE name = $1 FOR UPDATE', [adminRole])
}
