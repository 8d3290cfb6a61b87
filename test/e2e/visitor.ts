/** Helpers for tests of the page that visitors of links see. */
import type { FileChooser, Page } from 'playwright-core'
import type { InputOf } from '../../src/api/endpoint.ts'
import { createLink } from '../../src/api/links.ts'
import type { TestClient } from '../support/client.ts'
import { desktop, type TestPage } from './browser.ts'
import { browser } from './site.ts'
import { button } from './viewer.ts'

type LinkOptions = Partial<Omit<InputOf<typeof createLink>, 'item_id'>>

/** Makes a link, for viewing by default. Returns the path of its page. */
export async function buildLinkPath(
  maker: TestClient,
  item: { id: number },
  options: LinkOptions = {},
): Promise<string> {
  const { link } = await maker.call(createLink, { item_id: item.id, level: 'view', ...options })
  return `/s/${link.token}`
}

/** Opens a page as somebody without an account. */
export async function visit(path: string, options = desktop): Promise<TestPage> {
  const opened = await browser.open(options)
  await opened.page.goto(path)
  return opened
}

/** Chooses files on the page of a link that takes some. */
export async function choose(page: Page, files: Parameters<FileChooser['setFiles']>[0]): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await button(page, 'Choose files').click()
  await (await chooser).setFiles(files)
}

/** Pixels by which the page is wider than the window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
