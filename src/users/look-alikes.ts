/** Finds whom a new user could be taken for. */
import type { Database } from '../db/database.ts'

const loadSkeletons = () => import('../db/skeletons.ts')

/** Users whose skeletons come in one write, which holds up all others. */
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

/** Fills in the skeletons of users who were there before the column was, in writes of its own. */
export async function fillSkeletons(db: Database): Promise<void> {
  const query = 'SELECT 1 FROM users WHERE username_skeleton IS NULL LIMIT 1'
  while ((await db.row(query)) !== undefined) await db.touch(() => fillSlice(db))
}

/** The name of a user that another would look like, inside a write behind lockRoles, which comes after fillSkeletons. */
export async function findLookAlike(db: Database, username: string): Promise<string | undefined> {
  const { usernameSkeleton } = await loadSkeletons()
  const row = await db.row<{ username: string }>('SELECT username FROM users WHERE username_skeleton = $1 LIMIT 1', [
    usernameSkeleton(username),
  ])
  return row?.username
}
