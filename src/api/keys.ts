/** API keys: credentials for scripts and for a user's own terminal. */
import * as z from 'zod/mini'
import { about } from './about.ts'
import { endpoint } from './endpoint.ts'
import { givenPassword, id, lineOfText, nothing, onlyId, textId, time } from './fields.ts'
import { fileItem } from './items.ts'
import { maxKeyExpiryDays, maxKeyNameLength, maxRateLimits } from './limits.ts'
import { type Permission, permissionKey, permissionKeys } from './permissions.ts'

/**
 * `device` keys have no request budget, only a cap on concurrent requests. Only a session can make one, and it must
 * give the password.
 */
const keyKind = z.enum(['script', 'device'])
export type KeyKind = z.output<typeof keyKind>

const setLimit = z.nullable(z.int())

export const apiKey = z.object({
  id: z.int(),
  name: z.string(),
  /** The public half; starts with `gk_`. */
  key_id: z.string(),
  kind: keyKind,
  permissions: z.array(permissionKey),
  is_active: z.boolean(),
  created_at: time,
  last_used_at: z.nullable(time),
  /** Null for a key that never expires. */
  expires_at: z.nullable(time),
  /** Null: the default in limits.ts applies. */
  rate_limit_per_minute: setLimit,
  rate_limit_per_hour: setLimit,
  rate_limit_per_day: setLimit,
  /** The script key that made this one: requests count against both, and this key stops working when its maker does. */
  made_by: z.nullable(z.int()),
  /** The folder that the key is for; null for a key that is for everything of its owner. */
  scope_id: z.nullable(z.int()),
})
/** What a key for one folder can be given. */
export const folderPermissions: readonly Permission[] = [
  'files:read',
  'files:search',
  'files:upload',
  'files:write',
  'files:delete',
]
export type ApiKey = z.output<typeof apiKey>

/** The answer to creating a key. No other answer contains the secret, which starts with `gs_`. */
export const createdApiKey = z.extend(apiKey, { secret: z.string() })
export type CreatedApiKey = z.output<typeof createdApiKey>

const name = lineOfText('Name', maxKeyNameLength)
const newName = lineOfText('Name', maxKeyNameLength, 'Please enter a name for the API key')
const rateLimit = (max: number) =>
  z.optional(
    z
      .int(`Expected a whole number from 1 to ${max}`)
      .check(
        z.gte(1, `Expected a whole number from 1 to ${max}`),
        z.lte(max, `Expected a whole number from 1 to ${max}`),
      ),
  )

export const createApiKey = endpoint(
  'POST',
  '/auth/api-keys',
  z.strictObject({
    name: newName,
    permissions: z
      .array(permissionKey)
      .check(
        z.minLength(1, 'Please select at least one permission'),
        z.maxLength(permissionKeys.length, 'Give each permission once'),
      ),
    kind: z.optional(keyKind),
    /** The caller's password; a session must give it to make a device key. */
    current_password: z.optional(givenPassword),
    /** Days. */
    expires_in: z.optional(
      z
        .int('Expected a whole number of days')
        .check(
          z.gte(1, 'Expected at least 1 day'),
          z.lte(maxKeyExpiryDays, `Expected at most ${maxKeyExpiryDays} days`),
        ),
    ),
    rate_limit_per_minute: rateLimit(maxRateLimits.minute),
    rate_limit_per_hour: rateLimit(maxRateLimits.hour),
    rate_limit_per_day: rateLimit(maxRateLimits.day),
    /** A folder that the caller sees: the key is for this one alone. */
    scope_id: z.optional(id),
  }),
).returns(
  createdApiKey,
  about('Make an API key; its secret is in this answer and never again', {
    remark: 'A key gets no permission that its maker lacks. Making a device key needs the password.',
    errors: ['forbidden', 'not_found'],
    statuses: [201],
  }),
)

export const listApiKeys = endpoint('GET', '/auth/api-keys', nothing).returns(
  z.object({
    api_keys: z.array(apiKey),
    /** The folders that keys are for, each once; those that are gone are missing. Null without `files:read`. */
    folders: z.nullable(z.array(fileItem)),
  }),
  about("List the caller's API keys, and the folders that keys are for"),
)

/** Permissions, limits and expiry of a key cannot be changed. */
export const updateApiKey = endpoint(
  'PUT',
  '/auth/api-keys/:id',
  z.strictObject({ id: textId, name: z.optional(name), is_active: z.optional(z.boolean()) }),
).returns(z.object({ api_key: apiKey }), about('Rename, disable or enable an API key'))

export const deleteApiKey = endpoint('DELETE', '/auth/api-keys/:id', onlyId).returns(
  z.null(),
  about('Delete an API key for good'),
)

/** The permissions of the caller, which are those that a new key may get. */
export const listKeyPermissions = endpoint('GET', '/auth/api-keys/permissions', nothing).returns(
  z.array(z.object({ key: permissionKey, name: z.string(), description: z.string() })),
  about('List the permissions that the caller can give to a key'),
)
