/** The headers that every answer has. */
import type { Context, Next } from 'koa'
import type { Config } from '../config.ts'

/** A browser that opens an API answer as a page may show nothing of it; bytes bring a policy of their own. */
export async function apiHeaders(ctx: Context, next: Next): Promise<void> {
  ctx.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
  await next()
}

export function securityHeaders(config: Config) {
  const isHttps = config.publicUrl?.startsWith('https:') ?? false
  return async (ctx: Context, next: Next): Promise<void> => {
    // koa-session asks for it: cookies are Secure where users come over TLS.
    const secure = isHttps || ctx.protocol === 'https'
    ctx.cookies.secure = secure
    ctx.set({
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'same-origin',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'X-Frame-Options': 'DENY',
      'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
    })
    if (secure) ctx.set('Strict-Transport-Security', 'max-age=31536000')
    await next()
  }
}
