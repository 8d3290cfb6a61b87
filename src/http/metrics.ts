/** /metrics: the figures for Prometheus, only for this machine and listed addresses. */
import type { Context, Next } from 'koa'
import proxyAddress from 'proxy-addr'
import type { Deps } from '../deps.ts'

/** Headers that proxies add to the requests of their clients. */
const proxyHeaders = ['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Real-IP', 'Via']

const isLoopback = proxyAddress.compile('loopback')
/** Checks the Host header: a web page of another host that resolves to this machine would send that host's name. */
const localHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/**
 * Whether the client may read the figures. A proxy on this machine forwards requests from anywhere. So a request with a
 * proxy's headers never counts as local, and is accepted only through a trusted proxy.
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
