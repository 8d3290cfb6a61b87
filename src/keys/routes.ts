/** The calls about API keys. */
import { createApiKey, deleteApiKey, listApiKeys, listKeyPermissions, updateApiKey } from '../api/keys.ts'
import { permissionCatalogue } from '../api/permissions.ts'
import type { Deps } from '../deps.ts'
import { created, ok, type Route, route } from '../http/route.ts'
import { findKeys } from './find.ts'
import * as keys from './keys.ts'
import { presentKey } from './present.ts'

export const keyRoutes = ({ db }: Deps): Route[] => [
  route(createApiKey, 'api-keys:manage', async ({ actor, input }) =>
    created(await keys.createApiKey(db, actor, actor.userId, input), 'API key created'),
  ),
  route(listApiKeys, 'api-keys:manage', async ({ actor }) =>
    ok({ api_keys: (await findKeys(db, actor.userId)).map(presentKey) }),
  ),
  route(updateApiKey, 'api-keys:manage', async ({ actor, input }) =>
    ok({ api_key: await keys.updateApiKey(db, actor, input) }, 'API key updated'),
  ),
  route(deleteApiKey, 'api-keys:manage', async ({ actor, input }) => {
    await keys.deleteApiKey(db, actor, actor.userId, input.id)
    return ok(null, 'API key deleted')
  }),
  route(listKeyPermissions, 'api-keys:manage', async ({ actor }) =>
    ok(
      permissionCatalogue
        .filter(entry => actor.permissions.has(entry.key))
        .map(({ key, name, description }) => ({ key, name, description })),
    ),
  ),
]
