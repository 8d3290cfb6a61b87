/** `filestore admin role …`. */
import { terminalActor } from '../../access/actor.ts'
import type { Permission } from '../../api/permissions.ts'
import * as api from '../../api/roles.ts'
import { parseInput } from '../../base/parse-input.ts'
import type { Flags } from '../../config-options.ts'
import type { Database } from '../../db/database.ts'
import { findPermissions, findRole, findRoles } from '../../roles/find.ts'
import { presentRole } from '../../roles/present.ts'
import * as roles from '../../roles/roles.ts'
import { withRows } from '../open.ts'
import { findNamedRole } from './names.ts'

interface RoleInput {
  name?: string
  description?: string
  permissions?: readonly Permission[]
}

/** Returns the ids of permissions, because the API's calls take ids. */
async function idsOf(db: Database, wanted: readonly Permission[] | undefined): Promise<number[] | undefined> {
  if (wanted === undefined) return undefined
  return (await findPermissions(db)).filter(({ key }) => wanted.includes(key)).map(({ id }) => id)
}

const inputOf = async (db: Database, { permissions, ...input }: RoleInput) => ({
  ...input,
  permission_ids: await idsOf(db, permissions),
})

export const listRoles = (flags: Flags): Promise<api.Role[]> =>
  withRows(flags, async ({ db }) => (await findRoles(db)).map(presentRole))

/** Throws `not_found`. */
export const showRole = (flags: Flags, name: string): Promise<api.Role> =>
  withRows(flags, async ({ db }) => presentRole(await findNamedRole(db, name)))

/** Creates a role. Throws `invalid_input` and `name_taken`. */
export const createRole = (flags: Flags, input: RoleInput): Promise<api.Role> =>
  withRows(flags, async ({ db }) => {
    const parsed = parseInput(api.createRole.input, await inputOf(db, input))
    const id = await roles.createRole(db, terminalActor, parsed)
    return presentRole(await findRole(db, id))
  })

/** Changes only the given properties. Throws `not_found`, `invalid_input`, `name_taken` and `protected`. */
export const setRole = (flags: Flags, name: string, input: RoleInput): Promise<api.Role> =>
  withRows(flags, async ({ db }) => {
    const { id } = await findNamedRole(db, name)
    await roles.updateRole(db, terminalActor, parseInput(api.updateRole.input, { id, ...(await inputOf(db, input)) }))
    return presentRole(await findRole(db, id))
  })

/** Returns the role that `deleteRole` would delete. Throws like `deleteRole`. */
export const checkDeletion = (flags: Flags, name: string): Promise<api.Role> =>
  withRows(flags, async ({ db }) => {
    const { id } = await findNamedRole(db, name)
    return presentRole(await roles.findDeletable(db, terminalActor, id))
  })

/** Deletes a role. Returns the deleted role. Throws `not_found`, `protected` and `in_use`. */
export const deleteRole = (flags: Flags, name: string): Promise<api.Role> =>
  withRows(flags, async ({ db }) => {
    const role = await findNamedRole(db, name)
    await roles.deleteRole(db, terminalActor, role.id)
    return presentRole(role)
  })
