/** The roles and permissions in the cache, and what the signed-in user may do with them. */
import { queryOptions } from '@tanstack/react-query'
import type { Permission } from '../../../src/api/permissions.ts'
import { listPermissions, listRoles } from '../../../src/api/roles.ts'
import { useAuth } from '../../lib/server/auth-store.ts'
import { call } from '../../lib/server/call.ts'

export const rolesQuery = queryOptions({
  queryKey: ['roles'],
  queryFn: async () => (await call(listRoles, {})).roles,
})

export const permissionsQuery = queryOptions({
  queryKey: ['permissions'],
  queryFn: async () => (await call(listPermissions, {})).permissions,
})

/** Whether the user has every permission of a role: nobody can give, remove or manage a permission they lack. */
export function useMayGive(): (role: { permissions: readonly Permission[] }) => boolean {
  const held = useAuth(({ user }) => user?.permissions)
  return ({ permissions }) => permissions.every(permission => held?.includes(permission))
}
