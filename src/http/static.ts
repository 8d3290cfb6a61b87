/** Serves the page and its assets: hashed names cached for good, precompressed files, index.html per request. */
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import type { Context, Middleware } from 'koa'
import type { DemoAccount, PageConfig } from '../api/page.ts'
import { systemCode } from '../base/errors.ts'
import type { Deps } from '../deps.ts'
import { contentType } from './content-type.ts'
import { openTemplates } from './page-template.ts'
import { openVisitPage, visitPath } from './visit-page.ts'

const encodings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
]

const assetPath = '/assets/'

/** A worker uses the policy sent with its own script, not the page's. */
const assetPolicy =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; object-src 'none'; frame-ancestors 'none'"

/** Returns the files below a folder as relative paths with `/`. */
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))

/** Search engines may look at links alone, so that they see that these are not to be listed. */
function sendRobots(ctx: Context): void {
  ctx.type = 'text'
  ctx.body = `User-agent: *\nAllow: ${visitPath}\nDisallow: /\n`
}

/** Answers for an asset whose file is gone: the package was replaced, and the server not yet restarted. */
function sendReplaced(ctx: Context): void {
  for (const name of ['ETag', 'Content-Encoding']) ctx.remove(name)
  ctx.set({ 'Cache-Control': 'no-store', 'Retry-After': '5' })
  ctx.status = 503
  ctx.type = 'text'
  ctx.body = 'filestore was updated, and has to be started again\n'
}

/** Serves the folder of the built page. Looks names up in a list made at the start, so no path leads out of it. */
export function servePage(deps: Deps, folder: string, demoAccounts: readonly DemoAccount[]): Middleware {
  const { config } = deps
  const template = readFileSync(join(folder, 'index.html'), 'utf8')
  const assets = new Set(filesBelow(join(folder, 'assets')))
  const page: PageConfig = {
    max_file_size: config.maxFileSize,
    trash_retention_days: config.trashRetentionDays,
    demo_accounts: demoAccounts,
  }

  const contents = new Map<string, Promise<Buffer>>()

  /** Returns the bytes of an asset, read once; separate copies for many responses would fill the memory. */
  function readAsset(file: string): Promise<Buffer> {
    const known = contents.get(file)
    if (known !== undefined) return known
    const content = readFile(join(folder, 'assets', file))
    contents.set(file, content)
    // While the package is being replaced, a file may be missing for a moment.
    content.catch(() => contents.delete(file))
    return content
  }

  async function sendAsset(ctx: Context, name: string): Promise<void> {
    const twin = encodings.find(
      ({ name: encoding, suffix }) => assets.has(name + suffix) && ctx.acceptsEncodings(encoding),
    )
    // Pass the base name only: a path with a slash would be taken for a content type.
    ctx.set('Content-Type', contentType(basename(name)))
    ctx.set('Content-Security-Policy', assetPolicy)
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable')
    ctx.vary('Accept-Encoding')
    // The name, or its folder's, contains a hash of the bytes or their version.
    ctx.etag = name + (twin?.suffix ?? '')
    ctx.status = 200
    if (ctx.fresh) {
      ctx.status = 304
      return
    }
    if (twin !== undefined) ctx.set('Content-Encoding', twin.name)
    const type = ctx.response.get('Content-Type')
    try {
      ctx.body = await readAsset(name + (twin?.suffix ?? ''))
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error
      return sendReplaced(ctx)
    }
    ctx.set('Content-Type', type)
  }

  const fill = openTemplates(config)
  const sendVisit = openVisitPage(deps, folder, fill)

  return async ctx => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.set('Allow', 'GET, HEAD')
      ctx.status = 405
      return
    }
    if (ctx.path === '/robots.txt') return sendRobots(ctx)
    if (ctx.path.startsWith(visitPath)) return sendVisit(ctx)
    if (!ctx.path.startsWith(assetPath)) return fill(ctx, template, page)
    const name = ctx.path.slice(assetPath.length)
    if (assets.has(name)) return sendAsset(ctx, name)
    ctx.status = 404
  }
}
