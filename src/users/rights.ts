/** What an administrator may do to other users; asked inside the write, behind lockRoles. */
import type { Principal } from '../access/actor.ts'
import { refuseGift } from '../access/refuse.ts'
import { adminRole } from '../api/roles.ts'
import { AppError, invalidField } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { findRoleByName, permissionsOfRole, type RoleDetailsRow } from '../roles/find.ts'
import { hasOtherAdmin, type ProfileRow } from './find.ts'

/** The role of a name that the input gives. Throws `invalid_input` where there is none. */
export async function findGivenRole(db: Database, name: string): Promise<RoleDetailsRow> {
  const role = await findRoleByName(db, name)
  if (role === undefined) throw invalidField('role', `There is no role '${name}'`)
  return role
}

/**
 * The role of a name, as one that the actor may give. Throws `invalid_input` where there is none, and `forbidden` where
 * it allows what the actor may not.
 */
export async function findGiftRole(db: Database, actor: Principal, name: string): Promise<RoleDetailsRow> {
  const role = await findGivenRole(db, name)
  refuseGift(actor, permissionsOfRole(role))
  return role
}

/** Throws `protected` where it is about the actor's own account. */
export function refuseOwn(actor: Principal, user: ProfileRow, message: string): void {
  if (actor.userId === user.id) throw new AppError('protected', message)
}

/** Throws `protected` where nobody else could administer the server. */
export async function refuseLastAdmin(db: Database, user: ProfileRow): Promise<void> {
  if (user.role !== adminRole || user.is_active === 0 || (await hasOtherAdmin(db, user.id))) return
  throw new AppError('protected', 'The last active administrator stays one')
}
