/** The routes for links, as those use them who make them. */
import type { Actor } from '../access/actor.ts'
import * as api from '../api/links.ts'
import { notFound } from '../base/errors.ts'
import type { Deps } from '../deps.ts'
import { listLinkEvents } from '../events/list.ts'
import { created, ok } from '../reply.ts'
import { type Route, route } from '../route.ts'
import { deleteLink, updateLink } from './change.ts'
import { findOwnLink } from './find.ts'
import { listLinks } from './list.ts'
import { createLink } from './make.ts'
import { presentLinks } from './present.ts'

/** Who makes a link shows what it is on, and its events name that; what else its level allows, make.ts and change.ts check. */
const may = { all: ['files:link', 'files:read'] } as const

export const linkRoutes = (deps: Deps): Route[] => {
  const { db, linkUse, removals } = deps
  const answer = async (actor: Actor, id: number) => {
    const [link] = await presentLinks(deps, actor, [await findOwnLink(db, actor, id)])
    if (link === undefined) throw notFound('Link')
    return { link }
  }
  return [
    route(api.createLink, may, async ({ actor, input }) =>
      created(await answer(actor, await createLink(deps, actor, input)), 'Link made'),
    ),
    // listLinks checks which of the two is needed.
    route(api.listLinks, { any: ['files:link', 'settings:manage'] }, async ({ actor, input }) => {
      await linkUse.flush()
      return ok(await listLinks(deps, actor, input))
    }),
    route(api.updateLink, may, async ({ actor, input }) => {
      await updateLink(deps, actor, input)
      return ok(await answer(actor, input.id), 'Link changed')
    }),
    // Who administers all links may end each; deleteLink checks that.
    route(api.deleteLink, { any: ['files:link', 'settings:manage'] }, async ({ actor, input }) => {
      await removals.add(await deleteLink(db, actor, input.id))
      return ok(null, 'Link ended')
    }),
    route(api.listLinkEvents, may, async ({ actor, input }) => {
      await findOwnLink(db, actor, input.id)
      return ok(await listLinkEvents(db, actor, input))
    }),
  ]
}
