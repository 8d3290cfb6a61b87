/** The routes for team folders. */
import type { Actor } from '../access/actor.ts'
import { type Access, mayCall } from '../access/policy.ts'
import * as api from '../api/spaces.ts'
import { AppError } from '../base/errors.ts'
import type { Deps } from '../deps.ts'
import { created, ok } from '../reply.ts'
import { type Route, route } from '../route.ts'
import { deleteSpace } from './delete-space.ts'
import { findTeam, findTeams, findTeamsOf } from './find.ts'
import { presentSpaces } from './present.ts'
import { createSpace, updateSpace } from './spaces.ts'

function require(actor: Actor, access: Access): void {
  if (!mayCall(actor, access)) throw new AppError('forbidden', 'You may not do this')
}

export const spaceRoutes = (deps: Deps): Route[] => {
  const { db } = deps
  const answer = async (actor: Actor, id: number) => {
    const [space] = await presentSpaces(db, actor, [await findTeam(db, id)])
    return { space: space as api.Space }
  }
  return [
    // Which of the two is needed depends on `all`.
    route(api.listSpaces, { any: ['files:read', 'spaces:manage'] }, async ({ actor, input }) => {
      const isAll = input.all === 'true'
      require(actor, isAll ? 'spaces:manage' : 'files:read')
      const rows = await (isAll ? findTeams(db) : findTeamsOf(db, actor.userId))
      return ok({ spaces: await presentSpaces(db, actor, rows) })
    }),
    route(api.createSpace, 'spaces:manage', async ({ actor, input }) =>
      created(await answer(actor, await createSpace(db, actor, input)), 'Team folder created'),
    ),
    // Which of the two is needed depends on the fields; updateSpace checks that.
    route(api.updateSpace, { any: ['files:share', 'spaces:manage'] }, async ({ actor, input }) => {
      await updateSpace(db, actor, input)
      return ok(await answer(actor, input.id), 'Team folder changed')
    }),
    route(api.deleteSpace, 'spaces:manage', async ({ actor, input }) => {
      await deleteSpace(deps, actor, input)
      return ok(null, 'Team folder deleted')
    }),
  ]
}
