/** Changes to roles. */
import type { OutputOf } from '../../../src/api/endpoint.ts'
import type { Permission } from '../../../src/api/permissions.ts'
import { createRole, deleteRole, type listPermissions, type Role, updateRole } from '../../../src/api/roles.ts'
import { useAuth } from '../../lib/server/auth-store.ts'
import { call } from '../../lib/server/call.ts'
import { log } from '../../lib/server/log-failure.ts'
import { queryClient } from '../../lib/server/query-client.ts'
import { refreshProfile } from '../../lib/server/session.ts'

/** A permission with the id that the server expects. */
export type PermissionEntry = OutputOf<typeof listPermissions>['permissions'][number]

/** The content of a role's form. */
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

const isSame = (some: ReadonlySet<Permission>, others: ReadonlySet<Permission>): boolean =>
  some.size === others.size && [...some].every(permission => others.has(permission))

/** Whether a draft differs from the role it started from. */
export function isChanged(draft: RoleDraft, role: Role | null): boolean {
  const before = draftOf(role)
  return (
    draft.name !== before.name ||
    draft.description !== before.description ||
    !isSame(draft.permissions, before.permissions)
  )
}

async function refreshRoles(): Promise<void> {
  await queryClient.invalidateQueries({ predicate: ({ queryKey: [first] }) => first === 'roles' || first === 'users' })
}

/** The current permissions of a role, plus those that a draft has added, minus those it has removed. */
function mergePermissions(draft: RoleDraft, base: Role, latest: Role): ReadonlySet<Permission> {
  const before = new Set(base.permissions)
  return new Set([
    ...latest.permissions.filter(permission => draft.permissions.has(permission) || !before.has(permission)),
    ...[...draft.permissions].filter(permission => !before.has(permission)),
  ])
}

/** Permissions as the ids that the server expects. */
const idsOf = (permissions: ReadonlySet<Permission>, catalogue: readonly PermissionEntry[]): number[] =>
  catalogue.filter(({ key }) => permissions.has(key)).map(({ id }) => id)

/** Creates a role and returns it. */
export async function addRole(draft: RoleDraft, catalogue: readonly PermissionEntry[]): Promise<Role> {
  const { role } = await call(createRole, {
    name: draft.name,
    description: draft.description.trim() || null,
    permission_ids: idsOf(draft.permissions, catalogue),
  })
  await refreshRoles()
  return role
}

/** Saves what differs from `base`, from which the draft started; keeps what others have changed meanwhile. */
export async function editRole(
  draft: RoleDraft,
  base: Role,
  latest: Role,
  catalogue: readonly PermissionEntry[],
): Promise<Role> {
  const before = draftOf(base)
  const { role } = await call(updateRole, {
    id: base.id,
    name: draft.name === before.name ? undefined : draft.name,
    description: draft.description === before.description ? undefined : draft.description.trim() || null,
    permission_ids: isSame(draft.permissions, before.permissions)
      ? undefined
      : idsOf(mergePermissions(draft, base, latest), catalogue),
  })
  await refreshRoles()
  if (base.name === useAuth.getState().user?.role) {
    // Saving has succeeded, even if the page cannot refresh its own profile.
    await refreshProfile().catch(error => log('Failed to load the profile', error))
  }
  return role
}

export async function removeRole({ id }: Role): Promise<void> {
  await call(deleteRole, { id })
  await refreshRoles()
}
