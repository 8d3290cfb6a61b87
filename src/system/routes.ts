/** The route for information about the server. */
import { getSystem } from '../api/system.ts'
import type { Deps } from '../deps.ts'
import { ok } from '../reply.ts'
import { type Route, route } from '../route.ts'
import { describeSystem } from './describe-system.ts'

export const systemRoutes = (deps: Deps): Route[] => [
  route(getSystem, 'settings:manage', async () => ok(await describeSystem(deps))),
]
