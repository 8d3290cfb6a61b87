/** Makes a request's Actor and decides, before one byte of the body is read, whether it may make the call. */
import type { Context } from 'koa'
import type { Actor } from '../access/actor.ts'
import { openKeyAuthentication, readKeyCredentials, sessionActor } from '../access/authenticate.ts'
import { openKeyBudgets } from '../access/key-budgets.ts'
import { mayCall } from '../access/policy.ts'
import { changePassword, getProfile, logout } from '../api/auth.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { openDeviceCap } from './device-cap.ts'
import { openKeyCharge } from './key-charge.ts'
import { checkOrigin } from './origin.ts'
import type { AnyEndpoint, Route } from './route.ts'
import { sessionAccount, sessionCookie } from './session.ts'

/** All that is left to somebody who must change their password first. */
const beforePasswordChange: readonly AnyEndpoint[] = [getProfile, changePassword, logout]

type GuardedRoute = Route & { kind: 'call' | 'upload' }

const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** Throws `bad_origin` for a forged request; one that only a key signs is exempt, where a key is asked for at all. */
export function checkForgery(ctx: Context, deps: Deps, { kind }: Route): void {
  if (isSafe(ctx.method)) return
  const hasCookie = ctx.cookies.get(sessionCookie) !== undefined
  if (kind !== 'public' && !hasCookie && readKeyCredentials(ctx.headers) !== null) return
  checkOrigin(ctx, deps.config, hasCookie)
}

/** Throws `password_change_required` or `forbidden` where the actor may not make the call. */
function checkAccess(actor: Actor, { endpoint, access }: GuardedRoute): void {
  if (actor.mustChangePassword && !beforePasswordChange.includes(endpoint)) {
    throw new AppError('password_change_required', 'Choose a new password first')
  }
  if (!mayCall(actor, access)) {
    throw new AppError('forbidden', access === 'session' ? 'Only a signed-in user may do this' : 'You may not do this')
  }
}

type Admit = (ctx: Context, route: GuardedRoute) => Promise<Actor>

/**
 * Gives back a function that finds the actor of a call and lets it in, or throws 401, 403 or 429. A limited key pays
 * for its request before anything else is asked, so that refused ones count too.
 */
export function openAdmission(deps: Deps): Admit {
  const authenticateKey = openKeyAuthentication(deps)
  const chargeKey = openKeyCharge(openKeyBudgets())
  const capDevice = openDeviceCap()

  /** Throws `unauthenticated` where the request presents nothing that is valid. */
  async function authenticate(ctx: Context): Promise<Actor> {
    const address = String(ctx.state.address)
    const credentials = readKeyCredentials(ctx.headers)
    if (credentials !== null) return authenticateKey(credentials, address)
    const account = sessionAccount(ctx)
    if (account === undefined) throw new AppError('unauthenticated', 'Sign in to continue')
    return sessionActor(account, address)
  }

  return async (ctx, route) => {
    const actor = await authenticate(ctx)
    await chargeKey(ctx, actor)
    checkAccess(actor, route)
    capDevice(ctx, actor)
    return actor
  }
}
