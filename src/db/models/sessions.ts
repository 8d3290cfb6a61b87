/** sessions: who is signed in, by the hash of the cookie's secret. */
import type { Model, ModelStatic, Sequelize } from 'sequelize'
import * as column from './columns.ts'

interface SessionRow {
  id: number
  /** SHA-256, hex, of the 32 random bytes in the cookie. */
  hash: string
  user_id: number
  /** What koa-session keeps, as JSON. */
  data: string
  address: string | null
  user_agent: string | null
  created_at: number
  last_seen_at: number
  expires_at: number
}

export type SessionModel = ModelStatic<Model<SessionRow, Omit<SessionRow, 'id'>>>

export const defineSessions = (sequelize: Sequelize): SessionModel =>
  sequelize.define('sessions', {
    id: column.id(),
    hash: column.text(),
    user_id: column.whole(),
    data: column.text(),
    address: column.maybeText(),
    user_agent: column.maybeText(),
    created_at: column.whole(),
    last_seen_at: column.whole(),
    expires_at: column.whole(),
  })
