/** Roles: named sets of permissions. */
import * as z from 'zod/mini'
import { about } from './about.ts'
import { endpoint } from './endpoint.ts'
import { id, lineOfText, nothing, onlyId, textBlock, textId, time } from './fields.ts'
import { maxDescriptionLength, maxRoleNameLength } from './limits.ts'
import { permissionKey, permissionKeys } from './permissions.ts'

/** The role that always has every permission; at least one active user always has it. */
export const adminRole = 'admin'

export const role = z.object({
  id: z.int(),
  name: z.string(),
  description: z.nullable(z.string()),
  permissions: z.array(permissionKey),
  /** True for `admin` and `user`, which cannot be deleted or renamed. */
  is_system: z.boolean(),
  created_at: time,
  updated_at: time,
})
export type Role = z.output<typeof role>

/** A permission; `permission_ids` takes its `id`. */
export const permission = z.object({
  id: z.int(),
  key: permissionKey,
  name: z.string(),
  description: z.string(),
  category: z.string(),
})

const name = lineOfText('Role name', maxRoleNameLength)
const description = z.optional(z.nullable(textBlock('Description', maxDescriptionLength)))
const permissionIds = z
  .array(id)
  .check(
    z.minLength(1, 'Select at least one permission'),
    z.maxLength(permissionKeys.length, 'Give each permission once'),
  )
const roleAnswer = z.object({ role })

export const listRoles = endpoint('GET', '/roles', nothing).returns(
  z.object({ roles: z.array(role) }),
  about('List the roles'),
)
export const listPermissions = endpoint('GET', '/roles/permissions', nothing).returns(
  z.object({ permissions: z.array(permission) }),
  about('List the permissions that roles can have'),
)
export const createRole = endpoint(
  'POST',
  '/roles',
  z.strictObject({ name, description, permission_ids: permissionIds }),
).returns(roleAnswer, about('Make a role', { errors: ['name_taken'], statuses: [201] }))
export const updateRole = endpoint(
  'PUT',
  '/roles/:id',
  z.strictObject({
    id: textId,
    name: z.optional(name),
    description,
    permission_ids: z.optional(permissionIds),
  }),
).returns(roleAnswer, about('Change a role', { errors: ['name_taken', 'protected'] }))
/** Deletes a role; 409 while a user has it. */
export const deleteRole = endpoint('DELETE', '/roles/:id', onlyId).returns(
  z.null(),
  about('Delete a role that nobody has', { errors: ['in_use', 'protected'] }),
)
