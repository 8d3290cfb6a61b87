/** The routes for the system's switches. */
import * as api from '../api/settings.ts'
import type { Deps } from '../deps.ts'
import { ok } from '../reply.ts'
import { type Route, route } from '../route.ts'
import { listSettings, updateSetting } from './settings.ts'

export const settingRoutes = ({ db }: Deps): Route[] => [
  route(api.listSettings, 'settings:manage', async () => ok(await listSettings(db))),
  route(api.updateSetting, 'settings:manage', async ({ actor, input }) =>
    ok(await updateSetting(db, actor, input.key, input.value), 'Setting updated'),
  ),
]
