/**
 * Checks that no user says the name or the address of another one. The key by which that is found is the other's, so the
 * user's own key tells the right one.
 */

import type { Database } from '../../db/database.ts'
import { readPages } from '../../db/read-on.ts'
import { usernameSkeleton } from '../../db/skeletons.ts'
import { userKey } from '../../db/user-key.ts'
import { systemActor } from '../../db/write-actor.ts'
import type { Check } from './finding.ts'
import { email, username } from './text-rules.ts'

interface User {
  id: number
  username: string
  username_key: string
  email: string
  email_key: string
}

type Column = 'username' | 'email'
type KeyColumn = `${Column}_key`

const keyOf = (column: Column): KeyColumn => `${column}_key`
const query = 'SELECT id, username, username_key, email, email_key FROM users'
const pageSize = 1000

/** Whether another user has the key of what this one says. */
async function isTaken(db: Database, user: User, column: Column): Promise<boolean> {
  const key = userKey(String(user[column]))
  if (key === String(user[keyOf(column)])) return false
  return (await db.row(`SELECT id FROM users WHERE ${keyOf(column)} = $1 AND id <> $2`, [key, user.id])) !== undefined
}

/** What the user's own key says, or else a name or an address that nobody has. */
function ownValue(user: User, column: Column): string {
  const key = String(user[keyOf(column)])
  const rule = column === 'email' ? email : username
  if (rule.fits(key, {}) && userKey(key) === key) return key
  return column === 'email' ? `user-${user.id}@damaged.invalid` : `user-${user.id}`
}

function columnsOf(user: User, column: Column): Record<string, string> {
  const value = ownValue(user, column)
  const columns = { [column]: value, [keyOf(column)]: userKey(value) }
  return column === 'email' ? columns : { ...columns, username_skeleton: usernameSkeleton(value) }
}

async function reportTaken({ deps: { db }, report }: Check, user: User, column: Column): Promise<void> {
  const name = `users ${user.id} '${user.username}'`
  const detail = `its ${column} is that of another user; --repair makes it what its ${keyOf(column)} says`
  await report({ verdict: 'repairable', problem: 'row-value', name, detail }, () =>
    db.write(systemActor, async record => {
      record.nothing()
      const current = await db.row<User>(`${query} WHERE id = $1`, [user.id])
      if (current === undefined || !(await isTaken(db, current, column))) return false
      const columns = columnsOf(current, column)
      await db.update(db.users, columns, user.id)
      record('user.repair', { id: user.id }, { name: columns.username ?? user.username, columns: Object.keys(columns) })
      return true
    }),
  )
}

/** Call it before the rows are checked: a key that is made from such a name is the other user's. */
export async function checkTakenNames(check: Check): Promise<void> {
  const { db } = check.deps
  const pages = readPages<User>(db, {
    read: ([after]) => db.rows(`${query} WHERE id > $1 ORDER BY id LIMIT ${pageSize}`, [Number(after)]),
    keyOf: ({ id }) => [id],
    start: [0],
    size: pageSize,
  })
  for await (const users of pages) {
    check.signal.throwIfAborted()
    for (const user of users) {
      for (const column of ['username', 'email'] as const) {
        if (await isTaken(db, user, column)) await reportTaken(check, user, column)
      }
    }
  }
}
