/** Finds existing users whose name looks like that of a new user. */
import type { Database } from '../db/database.ts'

const loadSkeletons = () => import('../db/skeletons.ts')

/** Users per write when skeletons are filled in: each write holds up all others. */
const usersAtOnce = 200

async function fillSlice(db: Database): Promise<void> {
  const { usernameSkeleton } = await loadSkeletons()
  const users = await db.rows<{ id: number; username: string }>(
    `SELECT id, username FROM users WHERE username_skeleton IS NULL LIMIT ${usersAtOnce}`,
  )
  for (const { id, username } of users) {
    await db.update(db.users, { username_skeleton: usernameSkeleton(username) }, id)
  }
}

/** Fills in missing skeletons, of users who are older than the column; uses its own writes. */
export async function fillSkeletons(db: Database): Promise<void> {
  const query = 'SELECT 1 FROM users WHERE username_skeleton IS NULL LIMIT 1'
  while ((await db.row(query)) !== undefined) await db.touch(() => fillSlice(db))
}

/**
 * Finds a user whose name looks like `username`. Call fillSkeletons first, then this inside a write, after lockRoles.
 */
export async function findLookAlike(db: Database, username: string): Promise<string | undefined> {
  const { usernameSkeleton } = await loadSkeletons()
  const row = await db.row<{ username: string }>('SELECT username FROM users WHERE username_skeleton = $1 LIMIT 1', [
    usernameSkeleton(username),
  ])
  return row?.username
}
