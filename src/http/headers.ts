/** The headers that every answer has. */
import type { Context, Next } from 'koa'
import type { Config } from '../config.ts'

/** Nothing may load, run or frame it: what is no page of ours brings no other policy. */
const noContent = "default-src 'none'; frame-ancestors 'none'"

/** What browsers are told of every answer, whatever it is; the page and the bytes of users set policies of their own. */
export const fixedHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': noContent,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  'X-Frame-Options': 'DENY',
  'X-Permitted-Cross-Domain-Policies': 'none',
  // The filter that it turns off could be made to break a page.
  'X-XSS-Protection': '0',
}

export function securityHeaders(config: Config) {
  const isHttps = config.publicUrl?.startsWith('https:') ?? false
  return async (ctx: Context, next: Next): Promise<void> => {
    // koa-session asks for it: cookies are Secure where users come over TLS.
    const secure = isHttps || ctx.protocol === 'https'
    ctx.cookies.secure = secure
    ctx.set(fixedHeaders)
    // Of this host alone: what stands beside it under the same domain is not ours to bind.
    if (secure) ctx.set('Strict-Transport-Security', 'max-age=31536000')
    await next()
  }
}
