/** When what a share gives begins: its user learns nothing of what happened before. */
import type { ShareRow } from '../db/models/shares.ts'

type Terms = Pick<ShareRow, 'level' | 'expires_at'>

/** Whether the time of a share is over. */
export const hasEnded = ({ expires_at }: Terms): boolean => expires_at !== null && expires_at <= Date.now()

/** The `created_at` of a changed share: now if it had ended, or if its user did not see what happened. */
export function beginningOf(before: Terms & Pick<ShareRow, 'created_at'>, after: Terms): number {
  const isRevived = hasEnded(before) && !hasEnded(after)
  const isOpened = before.level === 'upload' && after.level !== 'upload'
  return isRevived || isOpened ? Date.now() : before.created_at
}
