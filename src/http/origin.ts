/** The rule against forged requests: what changes state with a cookie must come from our own pages. */
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import type { Context } from 'koa'
import { AppError } from '../base/errors.ts'
import type { Config } from '../config.ts'

const badOrigin = (message = 'The request does not come from this site'): AppError =>
  new AppError('bad_origin', message)

const unknownName =
  "The server does not know the name in this address: start it with --public-url and the address, or use the server's IP address"

/** The origin that requests must name: the public URL's, or where none is set the request's own. */
const ownOrigin = (ctx: Context, config: Config): string =>
  config.publicUrl === null ? `${ctx.protocol}://${ctx.host}` : new URL(config.publicUrl).origin

/** The machine's own name, alone and as its neighbours find it (mDNS, RFC 6762). */
const machine = hostname().toLowerCase()
const machineNames = [machine, `${machine}.local`]

/**
 * Whether nobody on the internet can have given a host this name. Any other name may be an attacker's, who lets it lead
 * to this server: his page is of the same origin then (DNS rebinding).
 */
function isOwnHost(host: string): boolean {
  if (!URL.canParse(`http://${host}`)) return false
  const name = new URL(`http://${host}`).hostname.replace(/\.$/, '')
  if (isIP(name.replace(/^\[|\]$/g, '')) > 0) return true
  return name === 'localhost' || name.endsWith('.localhost') || machineNames.includes(name)
}

/**
 * Throws `bad_origin` unless Origin or Sec-Fetch-Site says same-origin, and each that is sent says so. Where no public
 * URL is set the request must name a host that can be nobody else's, too. A request with neither header and without a
 * cookie (a program's sign-in) passes at any name: no browser's page can send it, for browsers add Origin to whatever
 * is not GET or HEAD (Fetch standard, "append a request `Origin` header").
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
