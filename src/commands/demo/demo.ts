/** `serve --demo`: creates two accounts that anybody may try, and their files. */

import { callerOf } from '../../access/network.ts'
import type { DemoAccount } from '../../api/page.ts'
import { adminRole } from '../../api/roles.ts'
import { AppError } from '../../base/errors.ts'
import { findNodes } from '../../db/nodes.ts'
import { systemActor } from '../../db/write-actor.ts'
import type { Deps } from '../../deps.ts'
import { createUser } from '../../users/create-user.ts'
import { findByUsername, hasUsers } from '../../users/find.ts'
import { fillAndShare } from './sharing.ts'

const accounts: readonly (DemoAccount & { email: string; fullName: string })[] = [
  { role: 'Admin', username: 'admin', password: 'demo-admin-2026', email: 'admin@demo.example', fullName: 'Ada Admin' },
  {
    role: 'User',
    username: 'jana',
    password: 'demo-user-2026',
    email: 'jana@demo.example',
    fullName: 'Jana Dvořáková',
  },
]

/** Throws `in_use` while another server works on the database: everybody could sign in at that one, too. */
async function refuseBesideOthers({ db }: Deps): Promise<void> {
  const other = (await findNodes(db)).find(({ isAlive }) => isAlive)
  if (other === undefined) return
  const where = `${other.name} (${other.address})`
  throw new AppError('in_use', `--demo needs a database of its own: the server on ${where} uses this one`)
}

/**
 * Fills an empty database. Returns the demo's accounts that still have their published password. Throws `in_use` beside
 * another server, and `invalid_input` if the administrator's password is configured, or if the database has users but
 * none of these accounts: the sign-in screen must not show an account of somebody's own database.
 */
export async function prepareDemo(deps: Deps): Promise<DemoAccount[]> {
  if (deps.config.adminPassword !== null) {
    throw new AppError('invalid_input', '--demo has passwords of its own: unset FILESTORE_ADMIN_PASSWORD')
  }
  await refuseBesideOthers(deps)
  if (!(await hasUsers(deps.db))) await fillDatabase(deps)
  const open: DemoAccount[] = []
  for (const { role, username, password } of accounts) {
    const user = await findByUsername(deps.db, username)
    if (user !== undefined && (await deps.passwords.verify(user.password_hash, password, callerOf(username, null)))) {
      open.push({ role, username, password })
    }
  }
  if (open.length > 0) return open
  throw new AppError(
    'invalid_input',
    '--demo needs a database of its own, and this one has users: choose an empty folder with --data-dir',
  )
}

async function fillDatabase(deps: Deps): Promise<void> {
  const { db, passwords } = deps
  for (const { role, username, password, email, fullName } of accounts) {
    const passwordHash = await passwords.hash(password, callerOf(username, null))
    const roleName = role === 'Admin' ? adminRole : 'user'
    await createUser(db, systemActor, { username, email, fullName, passwordHash, role: roleName })
  }
  await fillAndShare(deps)
  const switches = ['validation_enabled', 'auto_validate_admin']
  await db.touch(() => db.change("UPDATE settings SET value = 'true' WHERE `key` IN ($1, $2)", switches))
}
