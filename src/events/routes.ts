/** The routes for the audit log; the one for an item's activity is in src/files/routes.ts. */
import { writeActor } from '../access/actor.ts'
import { confirmActor } from '../access/confirm-actor.ts'
import * as api from '../api/events.ts'
import type { Deps } from '../deps.ts'
import { ok, sendStream } from '../reply.ts'
import { type Route, route } from '../route.ts'
import { exportAudit } from './export.ts'
import { listAudit } from './list.ts'

const texts = (filters: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]])),
  )

export const eventRoutes = ({ db, journal }: Deps): Route[] => [
  route(api.listAudit, 'settings:manage', async ({ input }) => ok(await listAudit(db, input))),
  route(api.exportAudit, 'settings:manage', async ({ actor, input }) => {
    const confirm = () => confirmActor(db, actor, ['settings:manage'])
    return sendStream({
      name: `filestore-audit-${new Date().toISOString().slice(0, 10)}.csv`,
      contentType: 'text/csv; charset=utf-8',
      confirm,
      open: () => {
        journal.note({ actor: writeActor(actor), action: 'audit.export', itemId: null, detail: texts(input) })
        return exportAudit(db, input, { confirm })
      },
    })
  }),
]
