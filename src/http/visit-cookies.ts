/**
 * The cookies of a link's visitor. One is the visit, which holds for a day. The other says that the browser has given the
 * password before ("device cookies" of OWASP's cheat sheets): whoever has it is not kept out by what others guess. It
 * opens nothing, and a new password ends it.
 */
import type { Context } from 'koa'
import { hashSecret, newSessionSecret } from '../access/secrets.ts'
import { linkKnownLifetime, linkVisitLifetime } from '../api/limits.ts'
import type { Deps } from '../deps.ts'
import type { LockedLink, VisitControl } from '../route.ts'
import { basePath } from './client-address.ts'

const visitCookie = 'filestore_link'
const knownCookie = 'filestore_link_known'

const noteOf = ({ password_hash }: LockedLink): string => hashSecret(password_hash ?? '')

/** The cookies of a request by a link's token. */
export function visitOf({ config, seal }: Pick<Deps, 'config' | 'seal'>, ctx: Context, token: string): VisitControl {
  const secret = ctx.cookies.get(visitCookie)
  const set = (name: string, value: string, maxAge: number): unknown =>
    ctx.cookies.set(name, value, {
      // As the browser sees it.
      path: `${basePath(config)}/api/s/${token}`,
      httpOnly: true,
      sameSite: 'lax',
      maxAge,
      overwrite: true,
    })
  return {
    hash: secret === undefined ? null : hashSecret(secret),
    begin: () => {
      const made = newSessionSecret()
      set(visitCookie, made, linkVisitLifetime)
      return hashSecret(made)
    },
    isKnown: async link => {
      const note = ctx.cookies.get(knownCookie)
      return note !== undefined && (await seal()).open('known visitor', link.id, note) === noteOf(link)
    },
    remember: async link => {
      set(knownCookie, (await seal()).close('known visitor', link.id, noteOf(link)), linkKnownLifetime)
    },
  }
}
