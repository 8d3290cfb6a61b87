/** Protection against forged requests: a request with a cookie that changes state must come from our own pages. */
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import type { Context } from 'koa'
import { AppError } from '../base/errors.ts'
import { parseUrl } from '../base/parse-url.ts'
import type { Config } from '../config.ts'

const badOrigin = (message = 'The request does not come from this site'): AppError =>
  new AppError('bad_origin', message)

const unknownName =
  "The server does not know the name in this address: start it with --public-url and the address, or use the server's IP address"

/** The origin that requests must name: that of the public URL, or the request's own if none is set. */
const ownOrigin = (ctx: Context, config: Config): string =>
  config.publicUrl === null ? `${ctx.protocol}://${ctx.host}` : new URL(config.publicUrl).origin

/** The machine's own name, alone and as its network knows it (mDNS, RFC 6762). */
const machine = hostname().toLowerCase()
const machineNames = [machine, `${machine}.local`]

/**
 * Whether nobody on the internet can register this host name. An attacker could point any other name to this server;
 * their page would then have the same origin (DNS rebinding).
 */
function isOwnHost(host: string): boolean {
  const url = parseUrl(`http://${host}`)
  if (url === null) return false
  const name = url.hostname.replace(/\.$/, '')
  if (isIP(name.replace(/^\[|\]$/g, '')) > 0) return true
  return name === 'localhost' || name.endsWith('.localhost') || machineNames.includes(name)
}

/**
 * Throws `bad_origin` unless Origin or Sec-Fetch-Site says same-origin; if both are sent, both must. Without a public
 * URL the request must also name a host that can only be this machine. A request with neither header and no cookie (a
 * program's sign-in) passes under any name. A browser's page cannot send it, because browsers add Origin to every
 * request except GET and HEAD (Fetch standard, "append a request `Origin` header").
 */
export function checkOrigin(ctx: Context, config: Config, hasCookie: boolean): void {
  const origin = ctx.get('Origin')
  const site = ctx.get('Sec-Fetch-Site')
  const isProgram = origin === '' && site === '' && !hasCookie
  if (isProgram) return
  if (config.publicUrl === null && !isOwnHost(ctx.host)) throw badOrigin(unknownName)
  if (origin === '' && site === '') throw badOrigin()
  if (origin !== '' && origin !== ownOrigin(ctx, config)) throw badOrigin()
  if (site !== '' && site !== 'same-origin') throw badOrigin()
}
