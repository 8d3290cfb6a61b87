/** The rule against forged requests: what changes state with a cookie must come from our own pages. */
import type { Context } from 'koa'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'

const badOrigin = (): AppError => new AppError('bad_origin', 'The request does not come from this site')

/** The origin that requests must name: the public URL's, or where none is set the request's own. */
const ownOrigin = (ctx: Context, config: Config): string =>
  config.publicUrl === null ? `${ctx.protocol}://${ctx.host}` : new URL(config.publicUrl).origin

/**
 * Throws `bad_origin` unless Origin or Sec-Fetch-Site says same-origin, and each that is sent says so. Without a
 * cookie (a sign-in) neither need be sent, but what is sent must not be foreign.
 */
export function checkOrigin(ctx: Context, config: Config, hasCookie: boolean): void {
  const origin = ctx.get('Origin')
  const site = ctx.get('Sec-Fetch-Site')
  if (origin === '' && site === '') {
    if (hasCookie) throw badOrigin()
    return
  }
  if (origin !== '' && origin !== ownOrigin(ctx, config)) throw badOrigin()
  if (site !== '' && site !== 'same-origin') throw badOrigin()
}
