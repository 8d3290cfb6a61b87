/** Making and deleting API keys. */
import { type Actor, writeActor } from '../access/actor.ts'
import { mayCreateDeviceKey, mayGrant } from '../access/policy.ts'
import { hashSecret, newKeyId, newKeySecret } from '../access/secrets.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import type { CreatedApiKey, createApiKey as endpoint } from '../api/keys.ts'
import type { Database } from '../db/database.ts'
import { AppError, notFound } from '../errors.ts'
import { findKey } from './find.ts'
import { presentKey } from './present.ts'

/** Makes a key of the actor's own. Throws `forbidden` for a permission that the actor lacks. */
export async function createApiKey(
  db: Database,
  actor: Actor,
  input: ParsedInputOf<typeof endpoint>,
): Promise<CreatedApiKey> {
  const kind = input.kind ?? 'script'
  const permissions = [...new Set(input.permissions)]
  if (!mayGrant(actor, permissions)) throw new AppError('forbidden', 'You may not give a permission that you lack')
  if (kind === 'device' && !mayCreateDeviceKey(actor)) {
    throw new AppError('forbidden', 'Only a signed-in user may make a device key')
  }
  const secret = newKeySecret()
  const id = await db.write(writeActor(actor), async record => {
    const keyId = await db.insert(db.apiKeys, {
      user_id: actor.userId,
      name: input.name,
      key_id: newKeyId(),
      secret_hash: hashSecret(secret),
      kind,
      permissions: JSON.stringify(permissions),
      is_active: 1,
      created_at: Date.now(),
    })
    record('api-key.create', { id: keyId }, { name: input.name, kind, permissions })
    return keyId
  })
  return { ...presentKey(await findKey(db, actor.userId, id)), secret }
}

/** Deletes a key for good; requests with it fail from now on. */
export async function deleteApiKey(db: Database, actor: Actor, id: number): Promise<void> {
  await db.write(writeActor(actor), async record => {
    const key = await findKey(db, actor.userId, id)
    const deleted = await db.change('DELETE FROM api_keys WHERE id = $1 AND user_id = $2', [key.id, actor.userId])
    if (deleted === 0) throw notFound('API key')
    record('api-key.delete', { id: key.id }, { name: key.name })
  })
}
