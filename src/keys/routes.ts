/** The routes for API keys. */
import type { Actor } from '../access/actor.ts'
import { checkOwnPassword, requireSamePassword } from '../access/own-password.ts'
import { mayCreateDeviceKey } from '../access/policy.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import * as api from '../api/keys.ts'
import { permissionCatalogue } from '../api/permissions.ts'
import { invalidField } from '../base/errors.ts'
import type { Deps } from '../deps.ts'
import { findFolder } from '../files/find.ts'
import { created, ok } from '../reply.ts'
import { type Route, route } from '../route.ts'
import { deleteApiKey } from './delete.ts'
import { findKeys } from './find.ts'
import { findKeyFolders } from './folders.ts'
import * as keys from './keys.ts'
import { presentKey } from './present.ts'

/**
 * Checks the password for a device key. It has no limits and may never expire, so a stolen session must not suffice.
 * Returns what the write that adds the key must ask again.
 */
async function askForPassword(
  deps: Deps,
  actor: Actor,
  input: ParsedInputOf<typeof api.createApiKey>,
): Promise<() => Promise<void>> {
  if (input.kind !== 'device' || !mayCreateDeviceKey(actor)) return async () => undefined
  keys.refuseDeviceLimits(input)
  if (input.current_password === undefined) throw invalidField('current_password', 'Enter your password')
  const hash = await checkOwnPassword(deps, actor, input.current_password)
  return () => requireSamePassword(deps.db, actor, hash)
}

/** The folder that a key is to be for, which the actor sees. Throws `not_found`. */
async function findScope({ db }: Deps, actor: Actor, id: number | undefined) {
  if (id === undefined) return null
  const { spaceId } = await findFolder(db, actor, id, 'see')
  return { spaceId, folderId: id }
}

export const keyRoutes = (deps: Deps): Route[] => [
  route(api.createApiKey, 'api-keys:manage', async ({ actor, input }) => {
    const confirm = await askForPassword(deps, actor, input)
    const scope = await findScope(deps, actor, input.scope_id)
    return created(await keys.createApiKey(deps.db, actor, actor.userId, input, { confirm, scope }), 'API key created')
  }),
  route(api.listApiKeys, 'api-keys:manage', async ({ actor }) => {
    const rows = await findKeys(deps.db, actor.userId)
    return ok({ api_keys: rows.map(presentKey), folders: await findKeyFolders(deps.db, actor, rows) })
  }),
  route(api.updateApiKey, 'api-keys:manage', async ({ actor, input }) =>
    ok({ api_key: await keys.updateApiKey(deps.db, actor, input) }, 'API key updated'),
  ),
  route(api.deleteApiKey, 'api-keys:manage', async ({ actor, input }) => {
    await deleteApiKey(deps.db, actor, actor.userId, input.id)
    return ok(null, 'API key deleted')
  }),
  route(api.listKeyPermissions, 'api-keys:manage', async ({ actor }) =>
    ok(
      permissionCatalogue
        .filter(entry => actor.permissions.has(entry.key))
        .map(({ key, name, description }) => ({ key, name, description })),
    ),
  ),
]
