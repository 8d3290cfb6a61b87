/** Creates, changes and deletes roles. */
import type { Principal } from '../access/actor.ts'
import { confirmedWrite } from '../access/confirmed-write.ts'
import { refuseEmpowering, refuseGift, refuseOverruling } from '../access/refuse.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import { maxRoles } from '../api/limits.ts'
import type { Permission } from '../api/permissions.ts'
import { adminRole, type createRole as createEndpoint, type updateRole as updateEndpoint } from '../api/roles.ts'
import { AppError, invalidField, nameTaken } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { isOneOf } from '../db/values.ts'
import { findPermissions, findRole, findRoles, isRoleInUse, permissionsOfRole, type RoleDetailsRow } from './find.ts'

/**
 * Creates a role and returns its id. Throws `name_taken`, `invalid_input`, and `forbidden` if the actor lacks one of
 * the permissions or as `refuseEmpowering`.
 */
export function createRole(
  db: Database,
  actor: Principal,
  input: ParsedInputOf<typeof createEndpoint>,
): Promise<number> {
  return confirmedWrite(db, actor, async record => {
    const permissions = await findChosen(db, input.permission_ids)
    refuseEmpowering(actor)
    refuseGift(actor, permissions)
    await refuseTaken(db, input.name, null)
    if ((await findRoles(db)).length >= maxRoles) {
      throw invalidField('name', `There are ${maxRoles} roles, and more there cannot be: delete one first`)
    }
    const now = Date.now()
    const id = await db.insert(db.roles, {
      name: input.name,
      description: input.description || null,
      is_system: 0,
      created_at: now,
      updated_at: now,
    })
    await savePermissions(db, id, permissions)
    record('role.create', { id }, { name: input.name, permissions })
    return id
  })
}

/**
 * Changes the given fields; users with the role have the new permissions from their next request. Throws as
 * `createRole`, `not_found`, `protected`, and `forbidden` if the role has a permission that the actor lacks; otherwise
 * the actor could take it away and then manage the users with the role freely.
 */
export function updateRole(db: Database, actor: Principal, input: ParsedInputOf<typeof updateEndpoint>): Promise<void> {
  return confirmedWrite(db, actor, async record => {
    const role = await findRole(db, input.id)
    refuseOverruling(actor, permissionsOfRole(role), 'role')
    const name = await newName(db, role, input.name)
    const description = input.description === undefined ? role.description : input.description || null
    const permissions = await newPermissions(db, actor, role, input.permission_ids)
    if (name === undefined && permissions === undefined && description === role.description) return record.nothing()
    await db.update(db.roles, { name: name ?? role.name, description, updated_at: Date.now() }, role.id)
    if (permissions !== undefined) {
      await db.change('DELETE FROM role_permissions WHERE role_id = $1', [role.id])
      await savePermissions(db, role.id, permissions)
    }
    record('role.update', { id: role.id }, { from: role.name, name, description, permissions })
  })
}

/**
 * A role that the actor may delete. Throws `not_found`, `forbidden` as `updateRole`, `protected` for a system role, and
 * `in_use` if a user has it.
 */
export async function findDeletable(db: Database, actor: Principal, id: number): Promise<RoleDetailsRow> {
  const role = await findRole(db, id)
  refuseOverruling(actor, permissionsOfRole(role), 'role')
  if (role.is_system === 1) throw new AppError('protected', 'A system role cannot be deleted')
  if (await isRoleInUse(db, role.id)) throw new AppError('in_use', 'Somebody still has this role')
  return role
}

/** Throws as `findDeletable`. */
export function deleteRole(db: Database, actor: Principal, id: number): Promise<void> {
  return confirmedWrite(db, actor, async record => {
    const role = await findDeletable(db, actor, id)
    await db.change('DELETE FROM roles WHERE id = $1', [role.id])
    record('role.delete', { id: role.id }, { name: role.name })
  })
}

/** The permissions with the given ids, without duplicates. Throws `invalid_input` for an unknown id. */
async function findChosen(db: Database, ids: readonly number[]): Promise<Permission[]> {
  const known = new Map((await findPermissions(db)).map(({ id, key }) => [id, key]))
  return [...new Set(ids)].map(id => {
    const key = known.get(id)
    if (key === undefined) throw invalidField('permission_ids', `There is no permission with the id ${id}`)
    return key
  })
}

/**
 * Throws `name_taken` if a role other than `ownId` has the name or one that looks like it, as 'Admin' and 'admin' do.
 */
async function refuseTaken(db: Database, name: string, ownId: number | null): Promise<void> {
  const others = (await findRoles(db)).filter(role => role.id !== ownId)
  const { skeletonOf } = await import('../db/skeletons.ts')
  const skeletons = others.map(role => skeletonOf(role.name))
  if (skeletons.includes(skeletonOf(name))) throw nameTaken(name)
}

/** The name to set; undefined for no change. */
async function newName(db: Database, role: RoleDetailsRow, name: string | undefined): Promise<string | undefined> {
  if (name === undefined || name === role.name) return undefined
  if (role.is_system === 1) throw new AppError('protected', 'A system role cannot be renamed')
  await refuseTaken(db, name, role.id)
  return name
}

/** The permissions to set; undefined for no change. */
async function newPermissions(
  db: Database,
  actor: Principal,
  role: RoleDetailsRow,
  ids: readonly number[] | undefined,
): Promise<Permission[] | undefined> {
  if (ids === undefined) return undefined
  const chosen = await findChosen(db, ids)
  const held = permissionsOfRole(role)
  if (chosen.length === held.length && chosen.every(key => held.includes(key))) return undefined
  if (role.name === adminRole) throw new AppError('protected', `The role '${adminRole}' keeps every permission`)
  refuseGift(actor, chosen)
  if (chosen.some(key => !held.includes(key))) refuseEmpowering(actor)
  return chosen
}

async function savePermissions(db: Database, roleId: number, permissions: readonly Permission[]): Promise<void> {
  const chosen = isOneOf('`key`', permissions, 2)
  await db.change(
    `INSERT INTO role_permissions (role_id, permission_id) SELECT $1, id FROM permissions WHERE ${chosen}`,
    [roleId, ...permissions],
  )
}
