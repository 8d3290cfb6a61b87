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

/** Of this host alone: what stands beside it under the same domain is not ours to bind. */
export const httpsHeaders: Readonly<Record<string, string>> = { 'Strict-Transport-Security': 'max-age=31536000' }

/** Whether all users come over TLS. */
export const isHttps = ({ publicUrl }: Pick<Config, 'publicUrl'>): boolean => publicUrl?.startsWith('https:') ?? false

export function securityHeaders(config: Config) {
  const always = isHttps(config)
  return async (ctx: Context, next: Next): Promise<void> => {
    // koa-session asks for it: cookies are Secure where users come over TLS.
    const secure = always || ctx.protocol === 'https'
    ctx.cookies.secure = secure
    ctx.set(fixedHeaders)
    if (secure) ctx.set(httpsHeaders)
    await next()
  }
}
