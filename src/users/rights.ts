/** Checks what an administrator may do to other users. Call them inside the write, after lockRoles. */
import type { Principal } from '../access/actor.ts'
import { refuseGift } from '../access/refuse.ts'
import { adminRole } from '../api/roles.ts'
import { AppError, invalidField } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { findRoleByName, permissionsOfRole, type RoleDetailsRow } from '../roles/find.ts'
import { hasOtherAdmin, type ProfileRow } from './find.ts'

/** The role with a given name. Throws `invalid_input` if there is none. */
export async function findGivenRole(db: Database, name: string): Promise<RoleDetailsRow> {
  const role = await findRoleByName(db, name)
  if (role === undefined) throw invalidField('role', `There is no role '${name}'`)
  return role
}

/**
 * The role with a given name, if the actor may assign it. Throws `invalid_input` if there is none, and `forbidden` if
 * it has permissions that the actor lacks.
 */
export async function findGiftRole(db: Database, actor: Principal, name: string): Promise<RoleDetailsRow> {
  const role = await findGivenRole(db, name)
  refuseGift(actor, permissionsOfRole(role))
  return role
}

/** Throws `protected` if `user` is the actor. */
export function refuseOwn(actor: Principal, user: ProfileRow, message: string): void {
  if (actor.userId === user.id) throw new AppError('protected', message)
}

/** Throws `protected` if `user` is the last active administrator. */
export async function refuseLastAdmin(db: Database, user: ProfileRow): Promise<void> {
  if (user.role !== adminRole || user.is_active === 0 || (await hasOtherAdmin(db, user.id))) return
  throw new AppError('protected', 'At least one active administrator must remain')
}
