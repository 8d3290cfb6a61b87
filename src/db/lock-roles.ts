/** The lock on rights. Every write that grants or removes rights, or decides by them, takes it first. */
import { adminRole } from '../api/roles.ts'
import type { Database } from './database.ts'

/**
 * Locks the admin role's row until the commit, so that what the write reads after it (who may do what, who is the last
 * administrator) does not change. SQLite needs no lock: it has one writer at a time.
 */
export async function lockRoles(db: Database): Promise<void> {
  if (db.dialect === 'mariadb') await db.row('SELECT id FROM roles WHERE name = $1 FOR UPDATE', [adminRole])
}
