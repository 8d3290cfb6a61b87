/** The routes of live changes. */
import * as api from '../api/changes.ts'
import type { Deps } from '../deps.ts'
import { ok, sendEvents } from '../reply.ts'
import { type Route, route } from '../route.ts'
import { listChanges } from './list.ts'
import { openStream } from './stream.ts'

export const liveRoutes = (deps: Deps): Route[] => [
  route(api.listChanges, 'files:read', async ({ actor, input }) => ok(await listChanges(deps, actor, input))),
  route(api.followChanges, 'files:read', async ({ actor, input }) =>
    sendEvents(() => openStream(deps, actor, input.age)),
  ),
]
