/** The lock on rights. Every write that grants or removes rights, or decides by them, takes it first. */
import { adminRole } from '../api/roles.ts'
import type { Database } from './database.ts'

/**
 * Locks the admin role's row until the commit, so that what the write reads after it (who may do what, who is the last
 * administrator) does not change.
 */
export const lockRoles = (db: Database): Promise<void> => db.lock({ table: 'roles', column: 'name', value: adminRole })
