/** Creates the first administrator in an empty database. */
import { callerOf } from '../access/network.ts'
import { newPassword } from '../access/secrets.ts'
import { adminRole } from '../api/roles.ts'
import { lockRoles } from '../db/lock-roles.ts'
import { systemActor } from '../db/write-actor.ts'
import type { Deps } from '../deps.ts'
import { createUser } from './create-user.ts'
import { hasUsers } from './find.ts'

export const firstAdminName = 'admin'

/** Stores the generated password for the server's owner before the account exists; `undo` removes an unused one. */
export interface PasswordKeeper {
  keep(password: string): Promise<void>
  undo(): Promise<void>
}

/**
 * Creates `admin` if there are no users yet. The password is FILESTORE_ADMIN_PASSWORD, or else a generated one that
 * must be changed at the first sign-in. Returns whether it created the user; of several processes only one does.
 */
export async function createFirstAdmin({ db, config, passwords }: Deps, keeper: PasswordKeeper): Promise<boolean> {
  if (await hasUsers(db)) return false
  const password = config.adminPassword ?? newPassword()
  const isGenerated = config.adminPassword === null
  const passwordHash = await passwords.hash(password, callerOf(firstAdminName, null))
  if (isGenerated) await keeper.keep(password)
  const isMade = await db.write(systemActor, async record => {
    await lockRoles(db)
    if (await hasUsers(db)) {
      record.nothing()
      return false
    }
    const email = 'admin@localhost'
    const admin = { username: firstAdminName, email, passwordHash, role: adminRole, mustChangePassword: isGenerated }
    await createUser(db, systemActor, admin)
    return true
  })
  if (isGenerated && !isMade) await keeper.undo()
  return isMade
}
