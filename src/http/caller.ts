/** Makes a request's Actor and decides, before one byte of the body is read, whether it may make the call. */
import type { Context } from 'koa'
import type { Actor } from '../access/actor.ts'
import { authenticateKey, readKeyCredentials, sessionActor } from '../access/authenticate.ts'
import { mayCall } from '../access/policy.ts'
import { changePassword, getProfile, logout } from '../api/auth.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { checkOrigin } from './origin.ts'
import type { AnyEndpoint, Route } from './route.ts'
import { sessionAccount, sessionCookie } from './session.ts'

/** All that is left to somebody who must change their password first. */
const beforePasswordChange: readonly AnyEndpoint[] = [getProfile, changePassword, logout]

const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** The actor of a request. Throws `unauthenticated` where it presents nothing that is valid. */
async function authenticate(ctx: Context, deps: Deps): Promise<Actor> {
  const address = String(ctx.state.address)
  const credentials = readKeyCredentials(ctx.headers)
  if (credentials !== null) return authenticateKey(deps.db, deps.limits, credentials, address)
  const account = sessionAccount(ctx)
  if (account === undefined) throw new AppError('unauthenticated', 'Sign in to continue')
  return sessionActor(account, address)
}

/** Throws `bad_origin` for a forged request; one that only a key signs is exempt. */
export function checkForgery(ctx: Context, deps: Deps): void {
  if (isSafe(ctx.method)) return
  const hasCookie = ctx.cookies.get(sessionCookie) !== undefined
  if (!hasCookie && readKeyCredentials(ctx.headers) !== null) return
  checkOrigin(ctx, deps.config, hasCookie)
}

/** The actor of a call that it may make. Throws 401 or 403. */
export async function admitCaller(
  ctx: Context,
  deps: Deps,
  route: Route & { kind: 'call' | 'upload' },
): Promise<Actor> {
  const actor = await authenticate(ctx, deps)
  if (actor.mustChangePassword && !beforePasswordChange.includes(route.endpoint)) {
    throw new AppError('password_change_required', 'Choose a new password first')
  }
  if (!mayCall(actor, route.access)) {
    throw new AppError(
      'forbidden',
      route.access === 'session' ? 'Only a signed-in user may do this' : 'You may not do this',
    )
  }
  return actor
}
