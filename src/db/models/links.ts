/** links and link_visits: what people without an account may reach, and what their browsers have unlocked. */
import type { LinkLevel } from '../../api/link-levels.ts'
import type { Flag } from './columns.ts'
import { model } from './model.ts'

export interface LinkRow {
  id: number
  /** The space of the item. */
  space_id: number
  item_id: number
  /** SHA-256 of the token, hex. */
  token_hash: string
  /** The token sealed with the server's secret (access/seal.ts), so that it can be shown again. */
  token_sealed: string
  level: LinkLevel
  label: string | null
  password_hash: string | null
  /** Who answers for it; null if the user is gone. */
  created_by: number | null
  created_at: number
  /** Null: never. */
  expires_at: number | null
  /** Null: no limit. */
  max_downloads: number | null
  /** Bytes; null: no limit. */
  max_bytes: number | null
  ask_name: Flag
  /** 0: paused. */
  is_active: Flag
  opened: number
  downloads: number
  uploads: number
  /** Bytes. */
  bytes_in: number
  last_used_at: number | null
  /** How many times its visits have ended; null: never. */
  visit_round: number | null
}

interface VisitRow {
  /** SHA-256 of the secret in the visitor's cookie, hex; for a ticket, of that and the content (links/downloads.ts). */
  hash: string
  /** 0: the link is unlocked; else the item of which a download was counted. */
  item_id: number
  link_id: number
  /** The link's `visit_round` when it began; it counts as long as that is the same. */
  round: number | null
  expires_at: number
}

export const links = model<LinkRow, Omit<LinkRow, 'id' | 'visit_round'>>('links')
export const linkVisits = model<VisitRow>('link_visits')
