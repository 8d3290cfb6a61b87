/** roles: named sets of permissions. */
import type { Model, ModelStatic, Sequelize } from 'sequelize'
import * as column from './columns.ts'

export interface RoleRow {
  id: number
  name: string
  description: string | null
  is_system: column.Flag
  created_at: number
  updated_at: number
}

export type RoleModel = ModelStatic<Model<RoleRow, Omit<RoleRow, 'id'>>>

export const defineRoles = (sequelize: Sequelize): RoleModel =>
  sequelize.define('roles', {
    id: column.id(),
    name: column.text(),
    description: column.maybeText(),
    is_system: column.flag(),
    created_at: column.whole(),
    updated_at: column.whole(),
  })
