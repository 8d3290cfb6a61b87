/**
 * Brings the target of each request to the one form that everything behind expects: a path. A client may name the server
 * in it as well (RFC 9112 section 3.2.2); Node's parser of URLs throws for some such names.
 */
import type { Context, Next } from 'koa'

const absolute = /^https?:\/\/([^/?#]*)([/?].*)?$/i

/** The path of a target; undefined for any other form, and where it names another server than the Host header. */
function pathOfTarget(target: string, host: string): string | undefined {
  if (target.startsWith('/')) return target
  const [, authority, path = '/'] = absolute.exec(target) ?? []
  if (authority === undefined || authority.toLowerCase() !== host.toLowerCase()) return undefined
  return path.startsWith('?') ? `/${path}` : path
}

/** Sets `ctx.state.hasBadTarget` for a target that leads nowhere; proper-requests.ts refuses it. */
export function readTarget(ctx: Context, next: Next): Promise<void> {
  const { req } = ctx
  const path = pathOfTarget(req.url ?? '', req.headers.host ?? '')
  ctx.state.hasBadTarget = path === undefined
  req.url = path ?? '/'
  return next()
}
