/** A new user, as an administrator adds one. */
import { type Actor, writeActor } from '../access/actor.ts'
import { newPassword } from '../access/secrets.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import type { createUser as endpoint } from '../api/users.ts'
import type { Deps } from '../deps.ts'
import { lockRoles } from '../roles/find.ts'
import { createUser } from './create-user.ts'
import { refuseGift } from './rights.ts'

const defaultRole = 'user'

interface AddedUser {
  id: number
  /** Known to nobody but the answer: made here where the administrator typed none. */
  tempPassword: string | null
}

/**
 * Adds a user. A generated password must be changed at the first sign-in, a typed one need not. Throws as `createUser`,
 * and `forbidden` for a role that allows what the actor may not.
 */
export async function addUser(
  { db, passwords }: Deps,
  actor: Actor,
  input: ParsedInputOf<typeof endpoint>,
): Promise<AddedUser> {
  const tempPassword = input.password === undefined ? newPassword() : null
  const passwordHash = await passwords.hash(input.password ?? tempPassword ?? '')
  const role = input.role ?? defaultRole
  const id = await db.write(writeActor(actor), async () => {
    await lockRoles(db)
    await refuseGift(db, actor, role)
    return createUser(db, writeActor(actor), {
      username: input.username,
      email: input.email,
      fullName: input.full_name || null,
      passwordHash,
      role,
      storageQuota: input.storage_quota,
      mustChangePassword: tempPassword !== null,
    })
  })
  return { id, tempPassword }
}
