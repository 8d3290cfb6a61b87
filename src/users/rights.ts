/** What an administrator may do to other users; asked inside the write, behind lockRoles. */
import type { Actor } from '../access/actor.ts'
import { mayGrant, mayOverrule } from '../access/policy.ts'
import { permissionsOf } from '../access/sessions.ts'
import type { Database } from '../db/database.ts'
import { AppError, invalidField } from '../errors.ts'
import { adminRole, findRoleByName, permissionsOfRole, type RoleDetailsRow } from '../roles/find.ts'
import { hasOtherAdmin, type ProfileRow } from './find.ts'

/** The role of a name that the input gives. Throws `invalid_input` where there is none. */
export async function findGivenRole(db: Database, name: string): Promise<RoleDetailsRow> {
  const role = await findRoleByName(db, name)
  if (role === undefined) throw invalidField('role', `There is no role '${name}'`)
  return role
}

/** Throws `forbidden` for a role that allows what the actor may not, and `invalid_input` for an unknown one. */
export async function refuseGift(db: Database, actor: Actor, roleName: string): Promise<void> {
  const role = await findGivenRole(db, roleName)
  if (!mayGrant(actor, permissionsOfRole(role))) {
    throw new AppError('forbidden', 'You may not give a role with a permission that you lack')
  }
}

/** Throws `forbidden` where the user may do what the actor may not. */
export function refuseOverruling(actor: Actor, user: ProfileRow): void {
  if (!mayOverrule(actor, permissionsOf(user))) {
    throw new AppError('forbidden', 'You may not do this to a user with a permission that you lack')
  }
}

/** Throws `protected` where it is about the actor's own account. */
export function refuseOwn(actor: Actor, user: ProfileRow, message: string): void {
  if (actor.userId === user.id) throw new AppError('protected', message)
}

/** Throws `protected` where nobody else could administer the server. */
export async function refuseLastAdmin(db: Database, user: ProfileRow): Promise<void> {
  if (user.role !== adminRole || user.is_active === 0 || (await hasOtherAdmin(db, user.id))) return
  throw new AppError('protected', 'The last active administrator stays one')
}
