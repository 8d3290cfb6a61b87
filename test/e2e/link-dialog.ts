/** What the tests of links in the browser share. */
import type { Locator, Page } from 'playwright-core'
import { beforeAll, beforeEach } from 'vitest'
import { listLinks } from '../../src/api/links.ts'
import { updateSharingSettings } from '../../src/api/shares.ts'
import type { SharingSettings } from '../../src/api/sharing-settings.ts'
import { type BuiltUser, buildUser } from '../support/factories.ts'
import { newLinkRules } from '../support/visitor.ts'
import { desktop, enter, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

/** Set from the file's first `beforeAll` after openLinkSite on. */
export let admin: BuiltUser

/** Changes the rules of sharing. */
export async function setRules(rules: Partial<SharingSettings>): Promise<void> {
  await admin.call(updateSharingSettings, rules)
}

/** Starts server and browser for the calling file, and an administrator; each test begins with links that may do all. */
export function openLinkSite(): void {
  openSite()
  beforeAll(async () => {
    admin = await buildUser(server, { role: 'admin' })
  })
  beforeEach(() => setRules({ people: true, ...newLinkRules }))
}

const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] }
export const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
export const address = /^http:\/\/127\.0\.0\.1:\d+\/s\/[\w-]{22}$/

export const dialogOf = (page: Page) => page.getByRole('dialog', { name: /^(Share|Members)/ })
/** The dialog's part about links, and the links in it. */
export const part = (page: Page) => dialogOf(page).getByRole('region', { name: 'Links' })
export const links = (page: Page) => part(page).getByRole('list', { name: 'Links' }).locator(':scope > li')
/** Chooses from the menu of a link, with a mouse or on a phone. */
export async function chooseFor(link: Locator, action: string): Promise<void> {
  await link.getByRole('button', { name: /^More actions/ }).click()
  await link.page().getByRole('menuitem', { name: action }).or(sheetItem(link.page(), action)).click()
}
const sheetItem = (page: Page, action: string) =>
  page.getByRole('dialog', { name: /^Actions for/ }).getByRole('button', { name: action })

export const linksOf = async (user: BuiltUser, item_id: number) => (await user.call(listLinks, { item_id })).links

export async function enterAs(user: BuiltUser, path: string, options = desktop) {
  const opened = await browser.open({ ...options, ...clipboard })
  await enter(opened.page, user, path)
  return opened
}

/** Opens the dialog on a row with the key for it. */
export async function openDialog(page: Page, name: string): Promise<void> {
  await row(page, name).click()
  await page.keyboard.press('p')
  await part(page).waitFor()
}
