/** api_keys: credentials of scripts and devices. */
import * as z from 'zod/mini'
import type { KeyKind } from '../../api/keys.ts'
import { type Permission, permissionKey } from '../../api/permissions.ts'
import type { StoredForm } from '../stored-json.ts'
import type { Flag } from './columns.ts'
import { model } from './model.ts'

export interface ApiKeyRow {
  id: number
  user_id: number
  name: string
  /** The public half. */
  key_id: string
  /** SHA-256, hex, of the secret half. It has 256 random bits and cannot be guessed, so it needs no slow hash. */
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
  /** The script key that made this key, and whose end also ends it; null if a person made it. */
  made_by: number | null
  /** The folder that the key is for, and its space; both null for a key that is for none, never one alone. */
  scope_space_id: number | null
  scope_item_id: number | null
}

type Optional =
  | 'last_used_at'
  | 'expires_at'
  | 'rate_limit_per_minute'
  | 'rate_limit_per_hour'
  | 'rate_limit_per_day'
  | 'made_by'
  | 'scope_space_id'
  | 'scope_item_id'
type NewApiKey = Omit<ApiKeyRow, 'id' | Optional> & Partial<Pick<ApiKeyRow, Optional>>

/** The form of `permissions`. A key whose list is broken may do nothing. */
export const keyPermissions: StoredForm<Permission[]> = { schema: z.array(permissionKey), otherwise: [] }

export const apiKeys = model<ApiKeyRow, NewApiKey>('api_keys')
