/** sessions: who is signed in, by the hash of the cookie's secret. */
import { model } from './model.ts'

interface SessionRow {
  id: number
  /** SHA-256, hex, of the 32 random bytes in the cookie. */
  hash: string
  user_id: number
  /** What koa-session keeps, as JSON; the row itself says whose it is, and nobody reads this. */
  data: string
  address: string | null
  user_agent: string | null
  created_at: number
  last_seen_at: number
  expires_at: number
}

export const sessions = model<SessionRow, Omit<SessionRow, 'id'>>('sessions')
