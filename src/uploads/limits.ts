/** How many uploads may be unfinished: of a user, of a link, and from the address of a link's visitor. */
import type { Caller } from '../access/actor.ts'
import { networkOf } from '../access/network.ts'
import { maxLinkUploads, maxUnfinishedUploads, maxVisitorUploads } from '../api/limits.ts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { requireLinkRoom } from '../files/space.ts'

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
