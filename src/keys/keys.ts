/** Creates and changes API keys. */
import type { Actor, Principal } from '../access/actor.ts'
import { confirmedWrite } from '../access/confirmed-write.ts'
import { hashSecret, newKeyId, newKeySecret } from '../access/secrets.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import type {
  ApiKey,
  CreatedApiKey,
  createApiKey as createEndpoint,
  updateApiKey as updateEndpoint,
} from '../api/keys.ts'
import { folderPermissions } from '../api/keys.ts'
import { AppError, invalidField, notFound } from '../base/errors.ts'
import { maybeIsoTime } from '../base/iso-time.ts'
import type { Database } from '../db/database.ts'
import { toFlag } from '../db/models/columns.ts'
import { findKeyOf, type KeyRow } from './find.ts'
import { checkGrant, type KeyPowers } from './grant.ts'
import { makeRoomForKey } from './key-limit.ts'
import { permissionsOfKey, presentKey } from './present.ts'

type NewKey = ParsedInputOf<typeof createEndpoint>

const msPerDay = 24 * 60 * 60 * 1000

/**
 * Throws `invalid_input` if a device key is given limits: its requests are not counted, so they would have no effect.
 */
export function refuseDeviceLimits(input: NewKey): void {
  const field = (['rate_limit_per_minute', 'rate_limit_per_hour', 'rate_limit_per_day'] as const).find(
    name => input[name] !== undefined,
  )
  if (input.kind === 'device' && field !== undefined) throw invalidField(field, 'A device key has no request limits')
}

const powersOf = (input: NewKey, now: number): KeyPowers => ({
  kind: input.kind ?? 'script',
  permissions: [...new Set(input.permissions)],
  expires_at: input.expires_in === undefined ? null : now + input.expires_in * msPerDay,
  rate_limit_per_minute: input.rate_limit_per_minute ?? null,
  rate_limit_per_hour: input.rate_limit_per_hour ?? null,
  rate_limit_per_day: input.rate_limit_per_day ?? null,
})

/**
 * The maker to store; null for sessions and device keys. Keys made with a device key outlive it, as it stands for a
 * user.
 */
const makerOf = ({ key }: Principal): number | null => (key?.kind === 'script' ? key.id : null)

/**
 * Throws `forbidden` if `key` has another maker than keys made by the actor: its requests would not count against that.
 */
function refuseEnabling(actor: Principal, key: KeyRow): void {
  if (key.made_by === makerOf(actor)) return
  throw new AppError('forbidden', 'A key may enable only those that it made')
}

/** Throws `invalid_input` for permissions that are about no folder. */
function refuseBeyondFolder({ permissions }: NewKey): void {
  if (permissions.every(permission => folderPermissions.includes(permission))) return
  throw invalidField('permissions', `A key for one folder has only these: ${folderPermissions.join(', ')}`)
}

interface KeyOptions {
  confirm?: () => Promise<void>
  now?: number
  /** The folder that the key is for; null for none. */
  scope?: { spaceId: number; folderId: number } | null
}

/**
 * Creates a key for a user. `confirm` runs in the write and throws if the key may not be made any more; `now` is in ms.
 * Throws `forbidden` if it could do more than the actor, and `invalid_input` for limits of a
 * device key or if the user already has the maximum number of keys.
 */
export async function createApiKey(
  db: Database,
  actor: Principal,
  ownerId: number,
  input: NewKey,
  { confirm = async () => undefined, now = Date.now(), scope = null }: KeyOptions = {},
): Promise<CreatedApiKey> {
  refuseDeviceLimits(input)
  if (scope !== null) refuseBeyondFolder(input)
  const powers = powersOf(input, now)
  const secret = newKeySecret()
  const id = await confirmedWrite(db, actor, async record => {
    await confirm()
    checkGrant(actor, powers)
    await makeRoomForKey(db, record, ownerId, now)
    const keyId = await db.insert(db.apiKeys, {
      user_id: ownerId,
      name: input.name,
      key_id: newKeyId(),
      secret_hash: hashSecret(secret),
      ...powers,
      permissions: JSON.stringify(powers.permissions),
      is_active: 1,
      created_at: now,
      made_by: makerOf(actor),
      scope_space_id: scope?.spaceId ?? null,
      scope_item_id: scope?.folderId ?? null,
    })
    const expires_at = maybeIsoTime(powers.expires_at)
    record('api-key.create', { id: keyId }, { name: input.name, ...powers, expires_at, scope_id: scope?.folderId })
    return keyId
  })
  return { ...presentKey(await findKeyOf(db, ownerId, id)), secret }
}

/**
 * Renames, disables or enables a key; fields that are not given stay. Throws `forbidden` if the actor uses a key and
 * enables one that it could not have made; otherwise it could restore access that somebody took away. Throws
 * `not_found`.
 */
export async function updateApiKey(
  db: Database,
  actor: Actor,
  { id, name, is_active }: ParsedInputOf<typeof updateEndpoint>,
): Promise<ApiKey> {
  const flag = is_active === undefined ? null : toFlag(is_active)
  await confirmedWrite(db, actor, async record => {
    const key = await findKeyOf(db, actor.userId, id)
    if (actor.key !== null && flag === 1) {
      refuseEnabling(actor, key)
      checkGrant(actor, { ...key, permissions: permissionsOfKey(key) })
    }
    const changed = await db.change(
      `UPDATE api_keys SET name = COALESCE($1, name), is_active = COALESCE($2, is_active)
       WHERE id = $3 AND user_id = $4`,
      [name ?? null, flag, id, actor.userId],
    )
    if (changed === 0) throw notFound('API key')
    if ((name ?? key.name) === key.name && (flag ?? key.is_active) === key.is_active) record.nothing()
    else record('api-key.update', { id }, { name, is_active })
  })
  return presentKey(await findKeyOf(db, actor.userId, id))
}
