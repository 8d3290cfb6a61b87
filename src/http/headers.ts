/** The headers of every response. */
import type { Context, Next } from 'koa'
import type { Config } from '../config.ts'
import { isVisitPath, visitHeaders } from './visit-page.ts'

/** Forbids to load, run or frame anything; for every response that does not set its own policy. */
const noContent = "default-src 'none'; frame-ancestors 'none'"

/** Security headers of every response; the page and users' files replace the policy by their own. */
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
  // Turns off an old filter of browsers that attackers could use to break a page.
  'X-XSS-Protection': '0',
}

/** For this host only (no includeSubDomains), because its subdomains may belong to others. */
export const httpsHeaders: Readonly<Record<string, string>> = { 'Strict-Transport-Security': 'max-age=31536000' }

/** Whether the public URL is HTTPS, so that all users come over TLS. */
export const isHttps = ({ publicUrl }: Pick<Config, 'publicUrl'>): boolean => publicUrl?.startsWith('https:') ?? false

export function securityHeaders(config: Config) {
  const always = isHttps(config)
  return async (ctx: Context, next: Next): Promise<void> => {
    // koa-session reads it: cookies are Secure if users come over TLS.
    const secure = always || ctx.protocol === 'https'
    ctx.cookies.secure = secure
    ctx.set(fixedHeaders)
    if (secure) ctx.set(httpsHeaders)
    if (isVisitPath(ctx.path)) ctx.set(visitHeaders)
    await next()
  }
}
