/** koa-session over the sessions table: the cookie holds a random secret, the table its hash. */
import type Koa from 'koa'
import type { Context, Middleware } from 'koa'
import koaSession from 'koa-session'
import { newSessionSecret } from '../access/secrets.ts'
import { createSession, deleteSession, findSession, keepSession, type SessionAccount } from '../access/sessions.ts'
import { sessionLifetime } from '../api/limits.ts'
import type { Database } from '../db/database.ts'
import type { SessionControl } from './route.ts'

export const sessionCookie = 'filestore_session'

interface SessionState {
  /** The account of the cookie's session, found when the request began. */
  account?: SessionAccount
  secret?: string
  /** The id that `start` made and that the table does not hold yet. */
  fresh?: string
  /** The hash of the password that signed in. */
  passwordHash?: string
}

interface StoreOptions {
  ctx: Context
}

const stateOf = (ctx: Context): SessionState => {
  ctx.state.session ??= {}
  return ctx.state.session as SessionState
}

function createStore(db: Database) {
  return {
    get: async (secret: string, _maxAge: unknown, { ctx }: StoreOptions) => {
      const account = await findSession(db, secret)
      if (account === undefined) return undefined
      Object.assign(stateOf(ctx), { account, secret })
      return JSON.parse(account.data) as Record<string, unknown>
    },
    set: async (secret: string, data: Record<string, unknown>, _maxAge: unknown, { ctx }: StoreOptions) => {
      const state = stateOf(ctx)
      if (state.fresh === secret && state.passwordHash !== undefined) {
        state.fresh = undefined
        const userId = Number(data.user_id)
        await createSession(db, {
          secret,
          userId,
          passwordHash: state.passwordHash,
          data: JSON.stringify({ user_id: userId }),
          address: String(ctx.state.address),
          userAgent: ctx.get('User-Agent') || null,
        })
      } else if (state.secret === secret && state.account !== undefined) {
        await keepSession(db, secret, state.account.last_seen_at)
      }
    },
    destroy: async (secret: string, { ctx }: StoreOptions) => {
      if (stateOf(ctx).fresh !== secret) await deleteSession(db, secret)
    },
  }
}

/** Loads the session of a request that has the cookie, and keeps, starts or ends it when the request is done. */
export function sessions(app: Koa, db: Database): Middleware {
  return koaSession(
    {
      key: sessionCookie,
      maxAge: sessionLifetime,
      // The secret is 256 random bits: a signature would add nothing.
      signed: false,
      httpOnly: true,
      sameSite: 'lax',
      // The cookie lives as long as the row, which each use prolongs.
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

/** The account of the request's session, if it has a live one. */
export const sessionAccount = (ctx: Context): SessionAccount | undefined => stateOf(ctx).account

/** What a route's function may do with its caller's session. */
export function sessionControl(ctx: Context): SessionControl {
  return {
    start: async ({ userId, passwordHash }) => {
      stateOf(ctx).passwordHash = passwordHash
      // Regenerating removes the old row and gives a new id, so that no id survives a sign-in.
      const session = ctx.session as unknown as { user_id: number; regenerate(): Promise<void> }
      session.user_id = userId
      await session.regenerate().catch(error => {
        // Else koa-session would send the cookie of a session that was not made.
        ctx.session = null as never
        throw error
      })
    },
    end: () => {
      ctx.session = null as never
    },
  }
}
