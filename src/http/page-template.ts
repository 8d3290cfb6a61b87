/** Fills the templates of the pages, whose scripts and styles are allowed by a nonce that is new each time. */
import { randomBytes } from 'node:crypto'
import type { Context } from 'koa'
import type { Config } from '../config.ts'
import { basePath } from './client-address.ts'

const pagePolicy = (nonce: string): string =>
  [
    "default-src 'self'",
    "script-src 'self' 'wasm-unsafe-eval'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Makes JSON that is safe inside a script element: without `<` it cannot close the element. */
const scriptJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

/**
 * Sends a page: its template with the nonce, the base of its addresses, its settings as JSON, and further parts, which
 * are HTML, by the names of their places (`%HEAD%`).
 */
export type FillPage = (ctx: Context, html: string, settings: unknown, parts?: Readonly<Record<string, string>>) => void

export function openTemplates(config: Pick<Config, 'publicUrl'>): FillPage {
  const base = `${basePath(config)}/`
  return (ctx, html, settings, parts = {}) => {
    const nonce = randomBytes(16).toString('base64')
    const values: Record<string, string> = { NONCE: nonce, BASE: base, CONFIG: scriptJson(settings), ...parts }
    ctx.set('Content-Security-Policy', pagePolicy(nonce))
    ctx.set('Cache-Control', 'no-store')
    ctx.type = 'html'
    // In one pass, so that a name that looks like a place to fill stays a name.
    ctx.body = html.replace(/%([A-Z]+)%/g, (place, name: string) => values[name] ?? place)
  }
}
