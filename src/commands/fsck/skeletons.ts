/**
 * Checks that no user lacks the form by which look-alike names are found. All lack it after an upgrade, until the next
 * user is created, who has it from then on with all others; so where somebody has it, nobody lacks it.
 */
import type { Database } from '../../db/database.ts'
import { usernameSkeleton } from '../../db/skeletons.ts'
import { systemActor } from '../../db/write-actor.ts'
import type { Check } from './finding.ts'

export const lacksSkeleton = 'it has no username_skeleton, by which look-alike names are found'

interface User {
  id: number
  username: string
}

const findLacking = (db: Database, condition = '1 = 1', values: number[] = []): Promise<User[]> =>
  db.rows<User>(
    `SELECT id, username FROM users WHERE username_skeleton IS NULL AND ${condition}
       AND EXISTS (SELECT 1 FROM users other WHERE other.username_skeleton IS NOT NULL) ORDER BY id`,
    values,
  )

export async function checkSkeletons({ deps: { db }, report }: Check): Promise<void> {
  for (const { id } of await findLacking(db)) {
    // A server that creates a user fills them in meanwhile.
    const [user] = await findLacking(db, 'id = $1', [id])
    if (user === undefined) continue
    const finding = { verdict: 'repairable', problem: 'row-value', name: `users ${id} '${user.username}'` } as const
    await report({ ...finding, detail: lacksSkeleton }, () =>
      db.write(systemActor, async record => {
        record.nothing()
        const [current] = await findLacking(db, 'id = $1', [id])
        if (current === undefined) return false
        const columns = { username_skeleton: usernameSkeleton(String(current.username)) }
        await db.update(db.users, columns, id)
        record('user.repair', { id }, { name: current.username, columns: Object.keys(columns) })
        return true
      }),
    )
  }
}
