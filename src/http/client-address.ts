/** Determines the client's address: the socket's peer, unless a trusted proxy forwards another. */
import { isIP } from 'node:net'
import type { Context, Next } from 'koa'
import proxyAddress from 'proxy-addr'
import { plainAddress } from '../access/network.ts'
import type { Config } from '../config.ts'
import type { Deps } from '../deps.ts'

/**
 * Sets `ctx.state.address` and, from X-Forwarded-Proto and -Host, the protocol and host, but only when the peer is in
 * `proxies` (addresses or CIDR ranges). Anybody else's headers are ignored. `ctx.state.isForwarded` says whether a
 * trusted proxy forwards a client's request, instead of sending its own.
 */
export function resolveClient({ config, log }: Pick<Deps, 'config' | 'log'>) {
  const isTrusted = proxyAddress.compile([...config.trustProxy])
  let isTold = config.trustProxy.length > 0
  const warn = (peer: string) => {
    isTold = true
    log.warn(
      { peer },
      'X-Forwarded-For is not believed: where a proxy sends it, name the proxy with --trust-proxy, or all its users count as one address',
    )
  }
  return async (ctx: Context, next: Next): Promise<void> => {
    const peer = ctx.req.socket.remoteAddress ?? ''
    if (!isTold && ctx.req.headers['x-forwarded-for'] !== undefined) warn(peer)
    const client = proxyAddress(ctx.req, isTrusted)
    // A proxy may write anything there, such as `unknown`, or a port after the address.
    ctx.state.address = plainAddress(isIP(client) > 0 ? client : peer)
    if (peer !== '' && isTrusted(peer, 0)) {
      ctx.state.isForwarded = ctx.get('X-Forwarded-For') !== ''
      const protocol = ctx.get('X-Forwarded-Proto').split(',')[0]?.trim()
      const host = ctx.get('X-Forwarded-Host').split(',')[0]?.trim()
      if (protocol === 'https' || protocol === 'http')
        Object.defineProperty(ctx.request, 'protocol', { value: protocol })
      if (host) Object.defineProperty(ctx.request, 'host', { value: host })
    }
    await next()
  }
}

/** The path of the public URL, without a slash at its end: what browsers have in front of the server's own paths. */
export const basePath = ({ publicUrl }: Pick<Config, 'publicUrl'>): string =>
  publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/$/, '')

/** If the public URL has a path, requests may come with it (when a proxy passes it on) or without. */
export function stripBasePath(config: Pick<Config, 'publicUrl'>) {
  const base = basePath(config)
  return async (ctx: Context, next: Next): Promise<void> => {
    if (base !== '' && (ctx.path === base || ctx.path.startsWith(`${base}/`)))
      ctx.path = ctx.path.slice(base.length) || '/'
    await next()
  }
}
