/** The calls about signing in and the own account. */
import type { Actor } from '../access/actor.ts'
import { changePassword, getProfile, login, logout } from '../api/auth.ts'
import type { Profile } from '../api/users.ts'
import type { Deps } from '../deps.ts'
import { notFound } from '../errors.ts'
import { ok, publicRoute, type Route, route } from '../http/route.ts'
import { findProfile } from './find.ts'
import { changePassword as change } from './password.ts'
import { presentProfile } from './present.ts'
import { verifySignIn } from './sign-in.ts'

async function ownProfile(deps: Deps, actor: Actor): Promise<Profile> {
  const row = await findProfile(deps.db, actor.userId)
  if (row === undefined) throw notFound('User')
  return presentProfile(row, actor.permissions)
}

export const userRoutes = (deps: Deps): Route[] => [
  publicRoute(login, async ({ input, request, session }) => {
    const user = await verifySignIn(deps, input, request.address)
    await session.start(user.user_id)
    return ok({ user: presentProfile(user) }, 'Signed in')
  }),
  route(logout, 'session', async ({ session }) => {
    session.end()
    return ok(null, 'Signed out')
  }),
  route(getProfile, 'signed-in', async ({ actor }) => ok(await ownProfile(deps, actor))),
  route(changePassword, 'session', async ({ actor, input, session }) => {
    await change(deps, actor, input, session.secret)
    return ok(await ownProfile(deps, actor), 'Password changed')
  }),
]
