/** api_keys: credentials of scripts and devices. */
import type { KeyKind } from '../../api/keys.ts'
import type { Flag } from './columns.ts'
import { model } from './model.ts'

export interface ApiKeyRow {
  id: number
  user_id: number
  name: string
  /** The public half. */
  key_id: string
  /** SHA-256, hex, of the secret half, which is 256 random bits: nothing to guess, so nothing to slow down. */
  secret_hash: string
  kind: KeyKind
  /** JSON list of permission keys. */
  permissions: string
  is_active: Flag
  created_at: number
  last_used_at: number | null
  /** Null: never. */
  expires_at: number | null
  /** Null: the default of api/limits.ts. */
  rate_limit_per_minute: number | null
  rate_limit_per_hour: number | null
  rate_limit_per_day: number | null
}

type Optional = 'last_used_at' | 'expires_at' | 'rate_limit_per_minute' | 'rate_limit_per_hour' | 'rate_limit_per_day'
type NewApiKey = Omit<ApiKeyRow, 'id' | Optional> & Partial<Pick<ApiKeyRow, Optional>>

export const apiKeys = model<ApiKeyRow, NewApiKey>('api_keys')
