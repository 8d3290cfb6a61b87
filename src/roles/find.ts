/** Looks up roles and permissions; only this file reads a role by id or name. */
import { type Permission, permissionKeys } from '../api/permissions.ts'
import { notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import type { RoleRow } from '../db/models/roles.ts'

export interface RoleDetailsRow extends RoleRow {
  /** Permission keys joined by commas; null for a role without any. */
  permissions: string | null
}

const query = `SELECT r.id, r.name, r.description, r.is_system, r.created_at, r.updated_at,
  (SELECT GROUP_CONCAT(p.\`key\`) FROM role_permissions rp JOIN permissions p ON p.id = rp.permission_id
    WHERE rp.role_id = r.id) AS permissions
  FROM roles r`

/** The permissions of a role, in the catalogue's order. */
export function permissionsOfRole(role: RoleDetailsRow): Permission[] {
  const held = new Set(role.permissions?.split(','))
  return permissionKeys.filter(key => held.has(key))
}

/** All roles: system roles first, then the others in order of creation. */
export const findRoles = (db: Database): Promise<RoleDetailsRow[]> =>
  db.rows<RoleDetailsRow>(`${query} ORDER BY r.is_system DESC, r.id`)

/** Throws `not_found`. */
export async function findRole(db: Database, id: number): Promise<RoleDetailsRow> {
  const row = await db.row<RoleDetailsRow>(`${query} WHERE r.id = $1`, [id])
  if (row === undefined) throw notFound('Role')
  return row
}

export const findRoleByName = (db: Database, name: string): Promise<RoleDetailsRow | undefined> =>
  db.row<RoleDetailsRow>(`${query} WHERE r.name = $1`, [name])

/** The rows of the permission catalogue; roles refer to permissions by these ids. */
export const findPermissions = (db: Database): Promise<{ id: number; key: Permission }[]> =>
  db.rows<{ id: number; key: Permission }>('SELECT id, `key` FROM permissions')

export async function isRoleInUse(db: Database, id: number): Promise<boolean> {
  return (await db.row('SELECT id FROM users WHERE role_id = $1 LIMIT 1', [id])) !== undefined
}
