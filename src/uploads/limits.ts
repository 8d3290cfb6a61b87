/** How many uploads may be unfinished: of a user, of a link, and from the address of a link's visitor. */
import type { Caller } from '../access/actor.ts'
import { networkOf } from '../access/network.ts'
import { maxLinkUploads, maxUnfinishedUploads, maxVisitorUploads } from '../api/limits.ts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { quotaExceeded, requireLinkRoom } from '../files/space.ts'

async function isFull(
  db: Database,
  column: 'user_id' | 'link_id' | 'network',
  value: number | string,
  most: number,
): Promise<boolean> {
  const row = await db.row<{ count: number }>(
    `SELECT COUNT(*) AS count FROM uploads WHERE ${column} = $1 AND state <> 'done'`,
    [value],
  )
  return (row?.count ?? 0) >= most
}

const tooMany = (sentence: string): AppError => new AppError('in_use', sentence)

/**
 * Throws `in_use` if a caller has too many unfinished uploads for another one, and `quota_exceeded` if a visitor's link
 * takes no further one of this length (bytes). On MariaDB an address may get a few more by links of several owners, whose
 * writes do not wait for each other.
 */
export async function refuseFurther(db: Database, caller: Caller, length: number): Promise<void> {
  const { userId, link, address } = caller
  if (link === null) {
    if (!(await isFull(db, 'user_id', userId, maxUnfinishedUploads))) return
    throw tooMany(`You have ${maxUnfinishedUploads} unfinished uploads: finish or discard some`)
  }
  if (await isFull(db, 'network', networkOf(address), maxVisitorUploads)) {
    throw tooMany(`${maxVisitorUploads} uploads from your address are unfinished: finish or discard some`)
  }
  if (await isFull(db, 'link_id', link.id, maxLinkUploads)) {
    throw tooMany(`${maxLinkUploads} uploads by this link are unfinished, try again later`)
  }
  await requireLinkRoom(db, link.id, length)
}

/**
 * Throws `quota_exceeded` if a user's unfinished uploads into a space could take more bytes than its quota: those that
 * replace a file hold only free what it grows by, but until they are finished the old content is there beside the new.
 */
export async function refuseBeyondQuota(
  db: Database,
  { userId }: Caller,
  spaceId: number,
  length: number,
): Promise<void> {
  const row = await db.row(
    `SELECT id FROM spaces WHERE id = $1
       AND (SELECT COALESCE(SUM(x.length), 0) FROM uploads x WHERE x.space_id = $1 AND x.user_id = $3 AND x.state <> 'done') + $2
         <= CASE WHEN storage_used > storage_quota THEN storage_used ELSE storage_quota END`,
    [spaceId, length, userId],
  )
  if (row === undefined) throw quotaExceeded()
}
