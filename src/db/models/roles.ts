/** roles: named sets of permissions. */
import type { Flag } from './columns.ts'
import { model } from './model.ts'

export interface RoleRow {
  id: number
  name: string
  description: string | null
  is_system: Flag
  created_at: number
  updated_at: number
}

export const roles = model<RoleRow, Omit<RoleRow, 'id'>>('roles')
