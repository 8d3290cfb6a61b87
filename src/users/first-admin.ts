/** The administrator that an empty database starts with. */
import { newPassword } from '../access/secrets.ts'
import { systemActor } from '../db/write.ts'
import type { Deps } from '../deps.ts'
import { createUser } from './create-user.ts'
import { hasUsers } from './find.ts'

export interface FirstAdmin {
  username: string
  /** Generated, to be changed at first sign-in; null where FILESTORE_ADMIN_PASSWORD gave one. */
  password: string | null
}

/** Makes `admin` where nobody is there yet; null where somebody is. */
export async function createFirstAdmin({ db, config, passwords }: Deps): Promise<FirstAdmin | null> {
  if (await hasUsers(db)) return null
  const generated = config.adminPassword === null ? newPassword() : null
  const username = 'admin'
  await createUser(db, systemActor, {
    username,
    email: 'admin@localhost',
    passwordHash: await passwords.hash(config.adminPassword ?? generated ?? ''),
    role: 'admin',
    mustChangePassword: generated !== null,
  })
  return { username, password: generated }
}
