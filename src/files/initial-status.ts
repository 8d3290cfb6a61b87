/** Determines the initial validation status of content: pending until somebody approves it, or approved. */
import type { Caller } from '../access/actor.ts'
import type { ValidationStatus } from '../api/items.ts'
import type { Database } from '../db/database.ts'
import type { Switches } from '../settings/find.ts'

/** Whether a user's role may review; the permissions of the API key in use do not matter. */
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
 * The status of content that a user uploads, replaces, or copies from an item that is not approved. With
 * auto_validate_admin, content of reviewers is approved at once. The user's role decides, not the key's permissions: an
 * upload by an upload-only key is still the user's. What comes by a link is nobody's own, so it always waits.
 */
export async function initialStatus(
  db: Database,
  switches: Switches,
  { userId }: Pick<Caller, 'userId'>,
): Promise<ValidationStatus> {
  if (!switches.validation_enabled) return 'approved'
  const isTrusted = userId !== null && switches.auto_validate_admin && (await mayReview(db, userId))
  return isTrusted ? 'approved' : 'pending'
}
