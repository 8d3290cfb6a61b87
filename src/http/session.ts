/** koa-session over the sessions table: the cookie holds a random secret, the table holds its hash. */
import type Koa from 'koa'
import type { Context, Middleware } from 'koa'
import koaSession from 'koa-session'
import { newSessionSecret } from '../access/secrets.ts'
import { createSession, findSession, keepSession, type SessionAccount, signOut } from '../access/sessions.ts'
import { sessionLifetime } from '../api/limits.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import type { SessionControl, SignedIn } from '../route.ts'
import { isHttps } from './headers.ts'

/**
 * The name of the session cookie. If users come over HTTPS, browsers enforce its prefix (RFC 6265bis section 4.1.3.2):
 * only this very host can set it, so a sibling subdomain cannot plant a session of its own.
 */
export const sessionCookie = (config: Pick<Config, 'publicUrl'>): string =>
  `${isHttps(config) ? '__Host-' : ''}filestore_session`

interface SessionState {
  /** The account of the cookie's session, found when the request began. */
  account?: SessionAccount
  /** When (performance.now()) it was looked up. */
  readAt?: number
  secret?: string
  /** The secret made by `start` that is not in the table yet. */
  fresh?: string
  /** The user who signed in. */
  user?: SignedIn
}

interface StoreOptions {
  ctx: Context
}

const stateOf = (ctx: Context): SessionState => {
  ctx.state.session ??= {}
  return ctx.state.session as SessionState
}

const addressOf = (ctx: Context): string => String(ctx.state.address)

function createStore(db: Database) {
  return {
    get: async (secret: string, _maxAge: unknown, { ctx }: StoreOptions) => {
      const readAt = performance.now()
      const account = await findSession(db, secret)
      if (account === undefined) return undefined
      Object.assign(stateOf(ctx), { account, readAt, secret })
      // The row says whose session it is, so koa-session's own data is not needed.
      return { user_id: account.user_id }
    },
    set: async (secret: string, _data: unknown, _maxAge: unknown, { ctx }: StoreOptions) => {
      const state = stateOf(ctx)
      if (state.fresh === secret && state.user !== undefined) {
        state.fresh = undefined
        await createSession(db, {
          ...state.user,
          secret,
          data: JSON.stringify({ user_id: state.user.userId }),
          address: addressOf(ctx),
          userAgent: ctx.get('User-Agent') || null,
        })
      } else if (state.secret === secret && state.account !== undefined) {
        await keepSession(db, secret, state.account.last_seen_at)
      }
    },
    destroy: async (secret: string, { ctx }: StoreOptions) => {
      const { account, secret: own } = stateOf(ctx)
      if (account !== undefined && own === secret) await signOut(db, account, addressOf(ctx))
    },
  }
}

/** Loads the session of a request with the cookie, and keeps, starts or ends it when the request is done. */
export function sessions(app: Koa, { db, config }: Pick<Deps, 'db' | 'config'>): Middleware {
  return koaSession(
    {
      key: sessionCookie(config),
      maxAge: sessionLifetime,
      // The secret has 256 random bits, so a signature would add nothing.
      signed: false,
      // The cookie's prefix requires this path. It is the default; do not change it.
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      // The cookie lives as long as the row, which each use extends.
      rolling: true,
      genid: (ctx: Context) => {
        const secret = newSessionSecret()
        stateOf(ctx).fresh = secret
        return secret
      },
      store: createStore(db),
    } as never,
    app as never,
  ) as unknown as Middleware
}

/** The account of the request's session, if it has a live one, and when (performance.now()) it was looked up. */
export function sessionAccount(ctx: Context): { account: SessionAccount; readAt: number } | undefined {
  const { account, readAt } = stateOf(ctx)
  return account === undefined || readAt === undefined ? undefined : { account, readAt }
}

/** Finds the account again; undefined if the session has ended since the request began. */
export const findSessionAgain = async (ctx: Context, db: Database): Promise<SessionAccount | undefined> => {
  const { secret } = stateOf(ctx)
  return secret === undefined ? undefined : findSession(db, secret)
}

/** The operations on its caller's session that a route's function may use. */
export function sessionControl(ctx: Context): SessionControl {
  return {
    start: async user => {
      stateOf(ctx).user = user
      // Regenerating removes the old row and gives a new id, so that no id survives a sign-in.
      const session = ctx.session as unknown as { user_id: number; regenerate(): Promise<void> }
      session.user_id = user.userId
      await session.regenerate().catch(error => {
        // Otherwise koa-session would send the cookie of a session that was not created.
        ctx.session = null as never
        throw error
      })
    },
    end: () => {
      ctx.session = null as never
    },
  }
}
