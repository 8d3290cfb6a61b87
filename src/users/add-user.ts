/** Adds a user on behalf of an administrator. */
import type { Principal } from '../access/actor.ts'
import { confirmedWrite } from '../access/confirmed-write.ts'
import { callerOf } from '../access/network.ts'
import { refuseEmpowering } from '../access/refuse.ts'
import { newPassword } from '../access/secrets.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import type { createUser as endpoint } from '../api/users.ts'
import type { RowDeps } from '../deps.ts'
import { insertUser } from './create-user.ts'
import { fillSkeletons } from './look-alikes.ts'
import { findGiftRole } from './rights.ts'

const defaultRole = 'user'

interface AddedUser {
  id: number
  /** The generated password, returned only in this answer; null if the administrator gave one. */
  tempPassword: string | null
}

/**
 * Adds a user. A generated password must be changed at the first sign-in; a given one need not. Throws as `insertUser`
 * and `findGiftRole`, and `forbidden` as `refuseEmpowering`.
 */
export async function addUser(
  { db, passwords }: RowDeps,
  actor: Principal,
  input: ParsedInputOf<typeof endpoint>,
): Promise<AddedUser> {
  const tempPassword = input.password ? null : newPassword()
  const passwordHash = await passwords.hash(
    tempPassword ?? input.password ?? '',
    callerOf(actor.username, actor.address),
  )
  await fillSkeletons(db)
  const id = await confirmedWrite(db, actor, async record => {
    refuseEmpowering(actor)
    const role = await findGiftRole(db, actor, input.role ?? defaultRole)
    const user = {
      username: input.username,
      email: input.email,
      fullName: input.full_name || null,
      passwordHash,
      storageQuota: input.storage_quota,
      mustChangePassword: tempPassword !== null,
    }
    return insertUser(db, record, user, role)
  })
  return { id, tempPassword }
}
