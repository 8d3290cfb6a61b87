/** API keys: credentials for scripts, and for a person's own terminal. */
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { nothing, onlyId } from './fields.ts'
import { maxKeyNameLength } from './limits.ts'
import { type Permission, permissionKeys } from './permissions.ts'

/** `device` keys have no request budget, but a cap on requests at once; only a session can make one. */
export type KeyKind = 'script' | 'device'

export interface ApiKey {
  id: number
  name: string
  /** The public half; starts with `gk_`. */
  key_id: string
  kind: KeyKind
  permissions: Permission[]
  is_active: boolean
  created_at: string
  last_used_at: string | null
}

/** The answer to creation, the only one that ever holds the secret. */
export interface CreatedApiKey extends ApiKey {
  /** Starts with `gs_`. */
  secret: string
}

interface PermissionOption {
  key: Permission
  name: string
  description: string
}

export const createApiKey = endpoint(
  'POST',
  '/auth/api-keys',
  z.strictObject({
    name: z
      .string()
      .check(
        z.trim(),
        z.minLength(1, 'Please enter a name for the API key'),
        z.maxLength(maxKeyNameLength, `Name is longer than ${maxKeyNameLength} characters`),
      ),
    permissions: z
      .array(z.enum(permissionKeys, 'Unknown permission'))
      .check(z.minLength(1, 'Please select at least one permission')),
    kind: z.optional(z.enum(['script', 'device'])),
  }),
).returns<CreatedApiKey>()

export const listApiKeys = endpoint('GET', '/auth/api-keys', nothing).returns<{ api_keys: ApiKey[] }>()

export const deleteApiKey = endpoint('DELETE', '/auth/api-keys/:id', onlyId).returns<null>()

/** What the caller holds and may therefore give to a key. */
export const listKeyPermissions = endpoint('GET', '/auth/api-keys/permissions', nothing).returns<PermissionOption[]>()
