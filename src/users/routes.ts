/** The routes for signing in, the caller's own account, and user management. */
import type { Actor } from '../access/actor.ts'
import { countWhenFull } from '../access/change-limits.ts'
import { findSessions } from '../access/sessions.ts'
import { findSharing } from '../access/sharing-settings.ts'
import * as auth from '../api/auth.ts'
import * as api from '../api/users.ts'
import type { Deps } from '../deps.ts'
import { created, ok } from '../reply.ts'
import { publicRoute, type Route, route } from '../route.ts'
import { addUser } from './add-user.ts'
import { deleteUser } from './delete-user.ts'
import { endSession } from './end-session.ts'
import { findUser } from './find.ts'
import { listUsers } from './list-users.ts'
import { changePassword } from './password.ts'
import { updatePreferences } from './preferences.ts'
import { presentProfile, presentSession, presentUser } from './present.ts'
import { updateProfile } from './profile.ts'
import { verifySignIn } from './sign-in.ts'
import { updateUser } from './update-user.ts'

const ownProfile = async ({ db }: Deps, actor: Actor): Promise<auth.Profile> =>
  presentProfile(await findUser(db, actor.userId), await findSharing(db), actor.permissions)

const signInRoutes = (deps: Deps): Route[] => [
  publicRoute(auth.login, async ({ input, request, session }) => {
    const user = await verifySignIn(deps, input, request.address)
    await countWhenFull(deps, user.user_id)
    await session.start({ userId: user.user_id, username: user.username, passwordHash: user.password_hash })
    return ok({ user: presentProfile(user, await findSharing(deps.db)) }, 'Signed in')
  }),
  route(auth.logout, 'session', async ({ session }) => {
    session.end()
    return ok(null, 'Signed out')
  }),
]

const accountRoutes = (deps: Deps): Route[] => [
  route(auth.getProfile, 'signed-in', async ({ actor }) => ok(await ownProfile(deps, actor))),
  route(auth.updateProfile, 'session', async ({ actor, input }) => {
    await updateProfile(deps, actor, input)
    return ok(await ownProfile(deps, actor), 'Profile updated')
  }),
  route(auth.updatePreferences, 'session', async ({ actor, input }) =>
    ok(await updatePreferences(deps.db, actor, input), 'Preferences updated'),
  ),
  route(auth.changePassword, 'session', async ({ actor, input }) => {
    await changePassword(deps, actor, input)
    return ok(await ownProfile(deps, actor), 'Password changed')
  }),
  route(auth.listSessions, 'session', async ({ actor }) => {
    const rows = await findSessions(deps.db, actor.userId)
    return ok({ sessions: rows.map(row => presentSession(row, actor.sessionId)) })
  }),
  route(auth.endSession, 'session', async ({ actor, input, session }) => {
    await endSession(deps.db, actor, input.id)
    if (input.id === actor.sessionId) session.end()
    return ok(null, 'Session ended')
  }),
]

const managementRoutes = (deps: Deps): Route[] => [
  route(api.listUsers, 'users:manage', async ({ input }) => ok(await listUsers(deps.db, input))),
  route(api.createUser, 'users:manage', async ({ actor, input }) => {
    const { id, tempPassword } = await addUser(deps, actor, input)
    const user = presentUser(await findUser(deps.db, id))
    const once = tempPassword === null ? {} : { show_temp_password: true as const, temp_password: tempPassword }
    return created({ user, ...once }, 'User created')
  }),
  route(api.updateUser, 'users:manage', async ({ actor, input }) => {
    const unmanaged = await updateUser(deps, actor, input)
    const user = presentUser(await findUser(deps.db, input.id))
    return ok({ user, unmanaged_spaces: unmanaged.map(({ id, name }) => ({ id, name })) }, 'User updated')
  }),
  route(api.deleteUser, 'users:manage', async ({ actor, input }) => {
    await deleteUser(deps, actor, input)
    return ok(null, 'User deleted')
  }),
]

export const userRoutes = (deps: Deps): Route[] => [
  ...signInRoutes(deps),
  ...accountRoutes(deps),
  ...managementRoutes(deps),
]
