/** Determines a request's Actor and, before any byte of the body is read, whether it may make the call. */
import type { Context } from 'koa'
import { type Actor, writeActor } from '../access/actor.ts'
import { findKeyActor, openKeyAuthentication, readKeyCredentials } from '../access/authenticate.ts'
import { endedMeanwhile, noteAccess } from '../access/confirm-actor.ts'
import { type Access, mayCall } from '../access/policy.ts'
import { sessionActor } from '../access/sessions.ts'
import { changePassword, getProfile, logout } from '../api/auth.ts'
import { followChanges } from '../api/changes.ts'
import { isSafe } from '../api/endpoint.ts'
import { AppError } from '../base/errors.ts'
import type { Deps } from '../deps.ts'
import type { AnyEndpoint, Route, UserRoute } from '../route.ts'
import { markKnown } from './limits/connection-limits.ts'
import { openDeviceCap } from './limits/device-cap.ts'
import { openKeyCharge } from './limits/key-charge.ts'
import { openUserCap } from './limits/user-cap.ts'
import { checkOrigin } from './origin.ts'
import { findSessionAgain, sessionAccount, sessionCookie } from './session.ts'

/** The only calls open to a user who must change their password first. */
export const beforePasswordChange: readonly AnyEndpoint[] = [getProfile, changePassword, logout]

/** The requirements of a call. */
interface Asked {
  access: Access
  /** The call's name in the audit log. */
  call: string
  /** Whether it goes on for hours. Such calls have limits of their own, and hold none of a user's other requests. */
  isEndless: boolean
  /** Whether a user who must change their password first may make it. */
  isBeforePasswordChange: boolean
}

export const askedOf = ({ endpoint, access }: UserRoute): Asked => ({
  access,
  call: `${endpoint.method} ${endpoint.path}`,
  isEndless: endpoint === followChanges,
  isBeforePasswordChange: beforePasswordChange.includes(endpoint),
})

/** Throws `bad_origin` for a forged request. A request signed only by a key is exempt, if the route accepts keys. */
export function checkForgery(ctx: Context, deps: Deps, { kind }: Route, keyActor: Actor | null): void {
  if (isSafe(ctx.method)) return
  const hasCookie = ctx.cookies.get(sessionCookie(deps.config)) !== undefined
  if (kind !== 'public' && !hasCookie && keyActor !== null) return
  checkOrigin(ctx, deps.config, hasCookie)
}

/** Throws `password_change_required` or `forbidden` if the actor may not make the call. */
function checkAccess(actor: Actor, { access, isBeforePasswordChange }: Asked): void {
  if (actor.mustChangePassword && !isBeforePasswordChange) {
    throw new AppError('password_change_required', 'Choose a new password first')
  }
  if (!mayCall(actor, access)) {
    throw new AppError('forbidden', access === 'session' ? 'Only a signed-in user may do this' : 'You may not do this')
  }
}

interface Admission {
  /**
   * Returns the actor of the key that the request presents, or null without a key. A limited key is charged for every
   * request, whatever its result. Throws 401 for an invalid key, 429 for one without requests left.
   */
  findKeyActor(ctx: Context): Promise<Actor | null>
  /** Admits the actor of a request: that of its key, or else of its session. Throws 401 or 403. */
  admit(ctx: Context, asked: Asked, keyActor: Actor | null): Promise<Actor>
  /**
   * Checks the actor again after a body that arrived later than its head, because access may have ended meanwhile.
   * Throws 401 or 403.
   */
  readmit(ctx: Context, asked: Asked): Promise<Actor>
}

export function openAdmission(deps: Deps): Admission {
  const authenticateKey = openKeyAuthentication(deps)
  const chargeKey = openKeyCharge(deps.budgets)
  const capUser = openUserCap()
  const capDevice = openDeviceCap(deps.devicePermits)

  function findSessionActor(ctx: Context): Actor {
    const found = sessionAccount(ctx)
    if (found === undefined) throw new AppError('unauthenticated', 'Sign in to continue')
    const actor = sessionActor(found.account, String(ctx.state.address))
    noteAccess(actor, found.readAt)
    return actor
  }

  async function findActorAgain(ctx: Context): Promise<Actor | undefined> {
    const address = String(ctx.state.address)
    const credentials = readKeyCredentials(ctx.headers)
    if (credentials !== null) return findKeyActor(deps.db, credentials, address)
    const account = await findSessionAgain(ctx, deps.db)
    return account === undefined ? undefined : sessionActor(account, address)
  }

  /** Records a key's refused request in the audit log; refusals of signed-in people are not recorded. */
  function noteKeyRefusal(actor: Actor, error: unknown, detail?: { call: string }): void {
    if (actor.key === null || !(error instanceof AppError)) return
    const note = { actor: writeActor(actor), itemId: actor.key.id }
    if (error.code === 'rate_limited') deps.journal.refuse({ ...note, action: 'api-key.limit' })
    else deps.journal.refuse({ ...note, action: 'api-key.forbid', detail })
  }

  return {
    async findKeyActor(ctx) {
      const credentials = readKeyCredentials(ctx.headers)
      if (credentials === null) return null
      const readAt = performance.now()
      const actor = await authenticateKey(credentials, String(ctx.state.address))
      noteAccess(actor, readAt)
      ctx.state.actor = actor
      await chargeKey(ctx, actor).catch(error => {
        noteKeyRefusal(actor, error)
        throw error
      })
      return actor
    },
    async admit(ctx, asked, keyActor) {
      const actor = keyActor ?? findSessionActor(ctx)
      // Set now, so that a refused call is logged with its actor too.
      ctx.state.actor = actor
      try {
        checkAccess(actor, asked)
        markKnown(ctx.res)
        if (asked.isEndless) return actor
        capUser(ctx, actor)
        await capDevice(ctx, actor)
      } catch (error) {
        noteKeyRefusal(actor, error, { call: asked.call })
        throw error
      }
      return actor
    },
    async readmit(ctx, asked) {
      const readAt = performance.now()
      const actor = await findActorAgain(ctx)
      if (actor === undefined) throw endedMeanwhile()
      noteAccess(actor, readAt)
      ctx.state.actor = actor
      checkAccess(actor, asked)
      return actor
    },
  }
}
