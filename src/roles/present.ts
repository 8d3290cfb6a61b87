/** Builds the API form of roles and permissions: only fields listed here leave the server. */
import { type Permission, permissionCatalogue } from '../api/permissions.ts'
import type { Role } from '../api/roles.ts'
import { isoTime } from '../base/iso-time.ts'
import { permissionsOfRole, type RoleDetailsRow } from './find.ts'

export const presentRole = (row: RoleDetailsRow): Role => ({
  id: row.id,
  name: row.name,
  description: row.description,
  permissions: permissionsOfRole(row),
  is_system: row.is_system === 1,
  created_at: isoTime(row.created_at),
  updated_at: isoTime(row.updated_at),
})

/** The whole catalogue, in its order, with the row ids. */
export function presentPermissions(rows: readonly { id: number; key: Permission }[]) {
  const ids = new Map(rows.map(row => [row.key, row.id]))
  return permissionCatalogue.flatMap(({ key, name, description, category }) => {
    const id = ids.get(key)
    return id === undefined ? [] : [{ id, key, name, description, category }]
  })
}
