/** The routes for the validation queue. */
import * as api from '../api/validation.ts'
import type { Deps } from '../deps.ts'
import { withStanding } from '../files/find.ts'
import { presentDetails } from '../files/present.ts'
import { ok } from '../reply.ts'
import { type Route, route } from '../route.ts'
import { decideFile } from './decide.ts'
import { countPending, findPendingOwners, listPending } from './queue.ts'

export const validationRoutes = ({ db }: Deps): Route[] => [
  route(api.listPending, 'validation:review', async ({ actor, input }) => ok(await listPending(db, actor, input))),
  route(api.countPending, 'validation:review', async () => ok({ count: await countPending(db) })),
  route(api.listPendingOwners, 'validation:review', async () => ok({ owners: await findPendingOwners(db) })),
  route(api.decideFile, 'validation:review', async ({ actor, input }) => {
    const row = await decideFile(db, actor, input)
    return ok(
      { file: await presentDetails(db, actor, await withStanding(db, actor, row)) },
      input.status === 'approved' ? 'File approved' : 'File rejected',
    )
  }),
]
