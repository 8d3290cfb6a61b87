/** The routes for roles. */
import * as api from '../api/roles.ts'
import type { Deps } from '../deps.ts'
import { created, ok } from '../reply.ts'
import { type Route, route } from '../route.ts'
import { findPermissions, findRole, findRoles } from './find.ts'
import { presentPermissions, presentRole } from './present.ts'
import { createRole, deleteRole, updateRole } from './roles.ts'

export const roleRoutes = ({ db }: Deps): Route[] => [
  // A caller who assigns roles to users must be able to list them.
  route(api.listRoles, { any: ['roles:manage', 'users:manage'] }, async () =>
    ok({ roles: (await findRoles(db)).map(presentRole) }),
  ),
  route(api.listPermissions, 'roles:manage', async () =>
    ok({ permissions: presentPermissions(await findPermissions(db)) }),
  ),
  route(api.createRole, 'roles:manage', async ({ actor, input }) => {
    const id = await createRole(db, actor, input)
    return created({ role: presentRole(await findRole(db, id)) }, 'Role created')
  }),
  route(api.updateRole, 'roles:manage', async ({ actor, input }) => {
    await updateRole(db, actor, input)
    return ok({ role: presentRole(await findRole(db, input.id)) }, 'Role updated')
  }),
  route(api.deleteRole, 'roles:manage', async ({ actor, input }) => {
    await deleteRole(db, actor, input.id)
    return ok(null, 'Role deleted')
  }),
]
