/** The routes for sharing with people. */
import type { Actor } from '../access/actor.ts'
import { findSharing } from '../access/sharing-settings.ts'
import * as api from '../api/shares.ts'
import { notFound } from '../base/errors.ts'
import type { Deps } from '../deps.ts'
import { created, ok } from '../reply.ts'
import { type Route, route } from '../route.ts'
import { updateSharing } from '../settings/sharing.ts'
import { listAccess } from './access.ts'
import { findSharedItem, requireGrant } from './find.ts'
import { createShare, deleteShare, updateShare } from './give.ts'
import { listGiven, listReceived } from './lists.ts'
import { hideShare, markSharesSeen } from './own-list.ts'
import { findPeople } from './people.ts'
import { presentShare, presentShared } from './present.ts'

export const shareRoutes = ({ db }: Deps): Route[] => {
  const answer = async (actor: Actor, id: number) => {
    const row = await findSharedItem(db, id)
    const item = (await presentShared(db, actor, [row])).get(row.id)
    if (item === undefined) throw notFound('Share')
    return { share: presentShare(await requireGrant(db, id), item) }
  }
  return [
    route(api.listAccess, 'files:share', async ({ actor, input }) =>
      ok({ access: await listAccess(db, actor, input.id) }),
    ),
    route(api.createShare, 'files:share', async ({ actor, input }) => {
      const { id, isNew } = await createShare(db, actor, input)
      return isNew ? created(await answer(actor, id), 'Shared') : ok(await answer(actor, id), 'Share changed')
    }),
    route(api.updateShare, 'files:share', async ({ actor, input }) => {
      await updateShare(db, actor, input)
      return ok(await answer(actor, input.id), 'Share changed')
    }),
    // Who has a share may end it without being allowed to share; deleteShare checks that.
    route(api.deleteShare, { any: ['files:share', 'files:read'] }, async ({ actor, input }) => {
      await deleteShare(db, actor, input.id)
      return ok(null, 'Share ended')
    }),
    route(api.hideShare, 'files:read', async ({ actor, input }) => {
      await hideShare(db, actor, input.id, input.hidden)
      return ok(null, input.hidden ? 'Hidden' : 'Shown again')
    }),
    route(api.listReceived, 'files:read', async ({ actor, input }) => ok(await listReceived(db, actor, input))),
    route(api.listGiven, 'files:share', async ({ actor, input }) => ok(await listGiven(db, actor, input))),
    route(api.markSharesSeen, 'files:read', async ({ actor }) => {
      await markSharesSeen(db, actor)
      return ok(null)
    }),
    // Who makes team folders appoints their managers.
    route(api.findPeople, { any: ['files:share', 'spaces:manage'] }, async ({ actor, input }) =>
      ok(await findPeople(db, actor, input.q)),
    ),
    route(api.getSharingSettings, 'settings:manage', async () => ok(await findSharing(db))),
    route(api.updateSharingSettings, 'settings:manage', async ({ actor, input }) => {
      await updateSharing(db, actor, input)
      return ok(await findSharing(db), 'Settings changed')
    }),
  ]
}
