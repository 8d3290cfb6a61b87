/** /metrics: the figures for Prometheus, to this machine and to listed addresses alone. */
import type { Context, Next } from 'koa'
import proxyAddress from 'proxy-addr'
import type { Deps } from '../deps.ts'

/** What proxies add to the requests of others. */
const proxyHeaders = ['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Real-IP', 'Via']

const isLoopback = proxyAddress.compile('loopback')
/** A page of another host that resolves to this machine would name that host; so do most proxies. */
const localHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/**
 * Whether the client may read the figures. A proxy on this machine speaks for the world, so what bears a proxy's headers
 * never counts as local, and counts at all only where the proxy is one of those that are believed.
 */
function openGate({ trustProxy, metricsFrom }: Deps['config']): (ctx: Context) => boolean {
  const isTrusted = proxyAddress.compile([...trustProxy])
  const isListed = proxyAddress.compile([...metricsFrom])
  return ctx => {
    const peer = ctx.req.socket.remoteAddress ?? ''
    const address = String(ctx.state.address)
    if (peer === '' || address === '') return false
    const isForwarded = proxyHeaders.some(name => ctx.get(name) !== '')
    if (isLoopback(address, 0)) return !isForwarded && localHost.test(ctx.req.headers.host ?? '')
    return (!isForwarded || isTrusted(peer, 0)) && isListed(address, 0)
  }
}

export function answerMetrics({ config, metrics, figures }: Deps) {
  const mayRead = openGate(config)
  return async (ctx: Context, next: Next): Promise<void> => {
    if (ctx.path !== '/metrics') return next()
    ctx.set('Cache-Control', 'no-store')
    if ((ctx.method !== 'GET' && ctx.method !== 'HEAD') || !mayRead(ctx)) {
      ctx.status = 404
      return
    }
    ctx.body = await figures()
    ctx.set('Content-Type', metrics.contentType)
  }
}
