/** The routes for groups of users. */
import * as api from '../api/groups.ts'
import type { Deps } from '../deps.ts'
import { created, ok } from '../reply.ts'
import { type Route, route } from '../route.ts'
import { findGroups } from './find.ts'
import { createGroup, deleteGroup, setMember, updateGroup } from './groups.ts'
import { presentGroup, presentGroupDetails } from './present.ts'

export const groupRoutes = ({ db }: Deps): Route[] => {
  const answer = async (id: number) => ({ group: await presentGroupDetails(db, id) })
  return [
    route(api.listGroups, 'users:manage', async () => ok({ groups: (await findGroups(db)).map(presentGroup) })),
    route(api.getGroup, 'users:manage', async ({ input }) => ok(await answer(input.id))),
    route(api.createGroup, 'users:manage', async ({ actor, input }) =>
      created(await answer(await createGroup(db, actor, input)), 'Group created'),
    ),
    route(api.updateGroup, 'users:manage', async ({ actor, input }) => {
      await updateGroup(db, actor, input)
      return ok(await answer(input.id), 'Group updated')
    }),
    route(api.deleteGroup, 'users:manage', async ({ actor, input }) => {
      await deleteGroup(db, actor, input)
      return ok(null, 'Group deleted')
    }),
    route(api.addGroupMember, 'users:manage', async ({ actor, input }) => {
      await setMember(db, actor, input, true)
      return ok(await answer(input.id), 'Member added')
    }),
    route(api.removeGroupMember, 'users:manage', async ({ actor, input }) => {
      await setMember(db, actor, input, false)
      return ok(await answer(input.id), 'Member removed')
    }),
  ]
}
