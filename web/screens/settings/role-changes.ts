/** The changes to roles. */
import type { OutputOf } from '../../../src/api/endpoint.ts'
import type { Permission } from '../../../src/api/permissions.ts'
import { createRole, deleteRole, type listPermissions, type Role, updateRole } from '../../../src/api/roles.ts'
import { useAuth } from '../../lib/auth-store.ts'
import { call } from '../../lib/call.ts'
import { queryClient } from '../../lib/query-client.ts'
import { refreshProfile } from '../../lib/session.ts'

/** A permission with the id that the server asks for. */
export type PermissionEntry = OutputOf<typeof listPermissions>['permissions'][number]

/** What the form of a role holds. */
export interface RoleDraft {
  name: string
  description: string
  permissions: ReadonlySet<Permission>
}

export const draftOf = (role: Role | null): RoleDraft => ({
  name: role?.name ?? '',
  description: role?.description ?? '',
  permissions: new Set(role?.permissions),
})

/** Whether a draft differs from what it began with. */
export function isChanged(draft: RoleDraft, role: Role | null): boolean {
  const before = draftOf(role)
  return (
    draft.name !== before.name ||
    draft.description !== before.description ||
    draft.permissions.size !== before.permissions.size ||
    [...draft.permissions].some(permission => !before.permissions.has(permission))
  )
}

async function refreshRoles(): Promise<void> {
  await queryClient.invalidateQueries({ predicate: ({ queryKey: [first] }) => first === 'roles' || first === 'users' })
}

/** Makes a role, or changes one; gives it back. */
export async function saveRole(
  { name, description, permissions }: RoleDraft,
  role: Role | null,
  catalogue: readonly PermissionEntry[],
): Promise<Role> {
  const input = {
    name,
    description: description.trim() || null,
    permission_ids: catalogue.filter(({ key }) => permissions.has(key)).map(({ id }) => id),
  }
  const answer = role === null ? await call(createRole, input) : await call(updateRole, { id: role.id, ...input })
  await refreshRoles()
  if (role !== null && role.name === useAuth.getState().user?.role) await refreshProfile()
  return answer.role
}

export async function removeRole({ id }: Role): Promise<void> {
  await call(deleteRole, { id })
  await refreshRoles()
}
