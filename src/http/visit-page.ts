/**
 * The page of a link's visitors, `/s/<token>`. Its head says what the link is on, for the previews of messengers; of a
 * link that is locked or does not work it says the product's name alone.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from 'koa'
import { findLinkByToken, isLinkToken, openLink } from '../access/link-account.ts'
import type { LinkAccount } from '../access/link-rows.ts'
import { linkSees } from '../api/link-levels.ts'
import type { VisitConfig } from '../api/page.ts'
import { previewKind } from '../api/preview-kinds.ts'
import { formatSize } from '../api/size.ts'
import { AppError } from '../base/errors.ts'
import type { Deps } from '../deps.ts'
import type { FillPage } from './page-template.ts'

export const visitPath = '/s/'

/** Headers of everything about links: search engines forget it, and no other site is told the address. */
export const visitHeaders: Readonly<Record<string, string>> = {
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow, noarchive',
}

/** Whether a path is of a link: of its page, or of its visitors' calls. */
export const isVisitPath = (path: string): boolean => path.startsWith(visitPath) || path.startsWith('/api/s/')

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, character => entities[character] ?? '')

interface Shown {
  title: string
  description: string | null
  /** The address of the bytes, for browsers without JavaScript; null where there are none to fetch. */
  download: string | null
  /** The address of a picture that the page shows, so that the browser fetches it while the script loads. */
  picture: string | null
}

const headOf = ({ title, description, picture }: Shown): string =>
  [
    `<title>${escapeHtml(title)}</title>`,
    `<meta property="og:title" content="${escapeHtml(title)}">`,
    ...(description === null ? [] : [`<meta property="og:description" content="${escapeHtml(description)}">`]),
    ...(picture === null ? [] : [`<link rel="preload" href="${picture}" as="image">`]),
  ].join('')

const withoutScript = ({ download }: Shown): string =>
  download === null ? '' : ` Without it you can <a href="${download}">download</a> what was shared.`

const nothing: Shown = { title: 'filestore', description: null, download: null, picture: null }

/** What the page tells of a link that works and has no password; `token` is one, so it needs no escapes. */
function shownOf(token: string, link: LinkAccount): Shown {
  const isFile = link.is_directory === 0
  const sees = linkSees(link.level)
  const hasPicture = isFile && link.max_downloads === null && previewKind(link.mime_type) === 'image'
  return {
    title: link.item_name,
    description: sees && isFile ? formatSize(link.size) : null,
    download: sees ? `api/s/${token}/download` : null,
    picture: sees && hasPicture ? `api/s/${token}/files/${link.item_id}/preview` : null,
  }
}

/** What the page of a token tells. Throws `rate_limited` for an address that tries too many unknown ones. */
async function findShown({ db, linkLimits }: Deps, token: string, address: string): Promise<Shown> {
  const link = isLinkToken(token) ? await findLinkByToken(db, token) : undefined
  if (link === undefined) {
    await linkLimits.missToken(address)
    return nothing
  }
  try {
    const { isUsedUp } = await openLink(db, link, { address, visitHash: null })
    if (isUsedUp || link.password_hash !== null) return nothing
    return shownOf(token, link)
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return nothing
    throw error
  }
}

/** Returns a function that sends the page of a link. */
export function openVisitPage(deps: Deps, folder: string, fill: FillPage): (ctx: Context) => Promise<void> {
  const template = readFileSync(join(folder, 'visit.html'), 'utf8')
  return async ctx => {
    const token = ctx.path.slice(visitPath.length)
    let shown: Shown
    try {
      shown = await findShown(deps, token, String(ctx.state.address))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      ctx.status = error.status
      if (error.retryAfter !== undefined) ctx.set('Retry-After', String(error.retryAfter))
      ctx.type = 'text'
      ctx.body = `${error.message}\n`
      return
    }
    const settings: VisitConfig = { token, hasPicture: shown.picture !== null }
    fill(ctx, template, settings, { HEAD: headOf(shown), NOSCRIPT: withoutScript(shown) })
  }
}
