/** How many uploads may be unfinished: of a user, of a link, and from the address of a link's visitor. */
import type { Actor, Caller, Visitor } from '../access/actor.ts'
import { networkOf } from '../access/network.ts'
import { maxLinkUploads, maxUnfinishedUploads, maxVisitorUploads } from '../api/limits.ts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { quotaExceeded } from '../files/space.ts'
import { findRoom, type LesserUpload } from '../files/visitor-room.ts'
import { findLesserUpload } from './lesser.ts'

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

/** Throws `in_use` if a user has too many unfinished uploads for another one. */
export async function refuseFurther(db: Database, { userId }: Actor): Promise<void> {
  if (!(await isFull(db, 'user_id', userId, maxUnfinishedUploads))) return
  throw tooMany(`You have ${maxUnfinishedUploads} unfinished uploads: finish or discard some`)
}

/**
 * The same for a visitor, and `quota_exceeded` if the link or the space takes no further upload of this length (bytes).
 * Returns the uploads that give way to a further one; none if there is room. On MariaDB an address may get a few more by
 * links of several owners, whose writes do not wait for each other.
 */
export async function findRoomByLink(
  db: Database,
  visitor: Visitor,
  spaceId: number,
  length: number,
  now: number,
): Promise<LesserUpload[]> {
  const { link, address } = visitor
  const network = networkOf(address)
  if (await isFull(db, 'network', network, maxVisitorUploads)) {
    throw tooMany(`${maxVisitorUploads} uploads from your address are unfinished: finish or discard some`)
  }
  const room = await findRoom(db, visitor, spaceId, length, now)
  if (room.some(({ link_id }) => link_id === link.id)) return room
  if (!(await isFull(db, 'link_id', link.id, maxLinkUploads))) return room
  const lesser = await findLesserUpload(db, link.id, network, now)
  if (lesser !== undefined) return [...room, lesser]
  throw tooMany(`${maxLinkUploads} uploads by this link are unfinished, try again later`)
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
