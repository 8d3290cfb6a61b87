/**
 * The page of a link's visitors, `/s/<token>`. Its head says what the link is on, for the previews of messengers; of a
 * link that is locked or does not work it says the product's name alone.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from 'koa'
import { findLinkByToken, isLinkToken, openLink } from '../access/link-account.ts'
import { linkSees } from '../api/link-levels.ts'
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
}

const headOf = ({ title, description }: Shown): string =>
  [
    `<title>${escapeHtml(title)}</title>`,
    `<meta property="og:title" content="${escapeHtml(title)}">`,
    ...(description === null ? [] : [`<meta property="og:description" content="${escapeHtml(description)}">`]),
  ].join('')

const nothing: Shown = { title: 'filestore', description: null }

/** What the head tells of a link. Throws `rate_limited` for an address that tries too many unknown ones. */
async function findShown({ db, linkLimits }: Deps, token: string, address: string): Promise<Shown> {
  const link = isLinkToken(token) ? await findLinkByToken(db, token) : undefined
  if (link === undefined) {
    await linkLimits.missToken(address)
    return nothing
  }
  try {
    const { isUsedUp } = await openLink(db, link, address)
    if (isUsedUp || link.password_hash !== null) return nothing
    const isFile = link.is_directory === 0
    return { title: link.item_name, description: isFile && linkSees(link.level) ? formatSize(link.size) : null }
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
    fill(
      ctx,
      template,
      { token },
      { HEAD: headOf(shown), DOWNLOAD: escapeHtml(`api/s/${encodeURIComponent(token)}/download`) },
    )
  }
}
