/** users: who may sign in. Names and addresses are unique by their *_key columns (see db/user-key.ts). */
import type { Model, ModelStatic, Sequelize } from 'sequelize'
import * as column from './columns.ts'

interface UserRow {
  id: number
  username: string
  username_key: string
  email: string
  email_key: string
  full_name: string | null
  password_hash: string
  role_id: number
  is_active: column.Flag
  must_change_password: column.Flag
  last_login_at: number | null
  created_at: number
  updated_at: number
}

export type UserModel = ModelStatic<Model<UserRow, Omit<UserRow, 'id' | 'last_login_at'>>>

export const defineUsers = (sequelize: Sequelize): UserModel =>
  sequelize.define('users', {
    id: column.id(),
    username: column.text(),
    username_key: column.text(),
    email: column.text(),
    email_key: column.text(),
    full_name: column.maybeText(),
    password_hash: column.text(),
    role_id: column.whole(),
    is_active: column.flag(),
    must_change_password: column.flag(),
    last_login_at: column.maybeWhole(),
    created_at: column.whole(),
    updated_at: column.whole(),
  })
