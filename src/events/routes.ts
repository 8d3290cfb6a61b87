/** The audit log's call; an item's activity is among the calls about files. */
import { listAudit } from '../api/events.ts'
import type { Deps } from '../deps.ts'
import { ok, type Route, route } from '../http/route.ts'
import * as events from './list.ts'

export const eventRoutes = ({ db }: Deps): Route[] => [
  route(listAudit, 'settings:manage', async ({ input }) => ok(await events.listAudit(db, input))),
]
