/** With which status content begins: held until somebody approves it, or approved. */
import type { ValidationStatus } from '../api/items.ts'
import type { Database } from '../db/database.ts'
import type { Switches } from '../settings/find.ts'

/** Whether a user's role may review, whatever the key at hand may. */
async function mayReview(db: Database, userId: number): Promise<boolean> {
  const row = await db.row(
    `SELECT rp.role_id FROM role_permissions rp JOIN permissions p ON p.id = rp.permission_id
       JOIN users u ON u.role_id = rp.role_id
     WHERE u.id = $1 AND p.\`key\` = 'validation:review'`,
    [userId],
  )
  return row !== undefined
}

/**
 * The status of what a user uploads, replaces, or copies from something that is not approved. With auto_validate_admin
 * those who may review are trusted for themselves: so says their role, for an upload by a key that may do nothing but
 * upload is still theirs.
 */
export async function initialStatus(db: Database, switches: Switches, userId: number): Promise<ValidationStatus> {
  if (!switches.validation_enabled) return 'approved'
  return switches.auto_validate_admin && (await mayReview(db, userId)) ? 'approved' : 'pending'
}
