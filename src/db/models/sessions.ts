/** sessions: signed-in browsers, by the hash of the cookie's secret. */
import { model } from './model.ts'

interface SessionRow {
  id: number
  /** SHA-256, hex, of the 32 random bytes in the cookie. */
  hash: string
  user_id: number
  /** koa-session's data as JSON. Nobody reads it; the row's own columns say whose session it is. */
  data: string
  address: string | null
  user_agent: string | null
  created_at: number
  last_seen_at: number
  expires_at: number
}

export const sessions = model<SessionRow, Omit<SessionRow, 'id'>>('sessions')
