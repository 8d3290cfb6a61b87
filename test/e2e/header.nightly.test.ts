/** The header at every width: sections, the menu of the sections that do not fit, the phone's menu, the theme. */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { updateProfile } from '../../src/api/auth.ts'
import {
  type BuiltUser,
  buildFolder,
  buildRole,
  buildShare,
  buildUser,
  userRolePermissions,
} from '../support/factories.ts'
import { plantFiles } from '../support/planted.ts'
import { findBarriers } from './accessible.ts'
import { enter, phone } from './browser.ts'
import { browser, openSite, server } from './site.ts'

let admin: BuiltUser

openSite()

beforeAll(async () => {
  admin = await buildUser(server, { role: 'admin' })
  await admin.call(updateProfile, { full_name: 'Ada Wide Administrator' })
  // The number of files that wait is beside the section's name, or the menu's.
  const { id } = await buildFolder(admin)
  await plantFiles(server, admin, id, 1200)
  const { db } = server.deps
  await db.touch(() =>
    db.change("UPDATE files SET validation_status = 'pending' WHERE parent_id = $1 AND is_directory = 0", [id]),
  )
})

const tabs = (page: Page) => page.getByRole('navigation', { name: 'Sections' }).getByRole('link')
const all = [
  'Files',
  'Team folders',
  'Shared',
  'Favorites',
  'Recent',
  'Trash',
  'Overview',
  'API Keys',
  'Tags',
  'Settings',
  'Validation',
]

describe('sections in the header', () => {
  test("are those that the user's role permits", async () => {
    const tagger = await buildUser(server, { role: await buildRole(server, ['files:read', 'tags:read']) })
    const { page, offences } = await browser.open()
    await enter(page, tagger)
    await expect
      .poll(() => tabs(page).allInnerTexts())
      .toEqual(['Files', 'Team folders', 'Shared', 'Favorites', 'Recent', 'Trash', 'Overview', 'Tags'])
    expect(offences).toEqual([])
  })

  test.each([768, 900, 1024, 1100, 1280])(
    'never overlap at %i pixels, and the More menu holds those that do not fit',
    async width => {
      const { page, offences } = await browser.open({ viewport: { width, height: 600 } })
      await enter(page, admin)
      await page.getByRole('banner').first().getByText('1,080').filter({ visible: true }).waitFor()
      const parts = page.getByRole('banner').first().locator('a:visible, button:visible')
      await expect
        .poll(() =>
          parts.evaluateAll(elements => {
            const boxes = elements.map(element => element.getBoundingClientRect()).sort((a, b) => a.left - b.left)
            return boxes.every((box, index) => box.right <= (boxes[index + 1]?.left ?? window.innerWidth) + 0.5)
          }),
        )
        .toBe(true)
      const shown = await tabs(page).allInnerTexts()
      const more = page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name: 'More' })
      if (shown.length === all.length) return expect(await more.count()).toBe(0)
      await more.click()
      await page.getByRole('menuitem', { name: 'Validation' }).waitFor()
      expect([...shown, ...(await page.getByRole('menuitem').allInnerTexts())]).toEqual(all)
      await page.getByRole('menuitem', { name: 'Settings' }).click()
      await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/settings/)
      expect(offences).toEqual([])
    },
  )
})

test('every section of an administrator fits at 1280 pixels, counts included', async () => {
  const chief = await buildUser(server, { role: 'admin' })
  await chief.call(updateProfile, { full_name: 'Ada Admin' })
  const giver = await buildUser(server)
  await buildShare(giver, await buildFolder(giver), chief, 'view')
  const { page, offences } = await browser.open()
  await enter(page, chief)
  const header = page.getByRole('banner').first()
  await header.getByText('1,080').filter({ visible: true }).waitFor()
  await header.getByRole('link', { name: /^Shared\s*1 new$/ }).waitFor()
  await expect.poll(() => tabs(page).count()).toBe(all.length)
  expect(await header.getByRole('button', { name: 'More' }).count()).toBe(0)
  expect(offences).toEqual([])
})

describe('on a phone', () => {
  test('the menu holds every section, the account, the theme and Logout, each at least 44 pixels high', async () => {
    const { page, offences } = await browser.open(phone)
    await enter(page, admin)
    await page.getByRole('button', { name: 'Menu' }).click()
    const menu = page.getByRole('dialog', { name: 'Menu' })
    await menu.getByRole('button', { name: 'Logout' }).waitFor()
    const links = menu.getByRole('navigation').getByRole('link')
    await expect
      .poll(async () => (await links.allInnerTexts()).map(text => text.replace(/\s*1,080.*/s, '')))
      .toEqual(all)
    const heights = await menu.locator('a, button').evaluateAll(items => items.map(item => item.clientHeight))
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)
    expect(await findBarriers(page)).toEqual([])
    await menu.getByRole('link', { name: 'Welcome' }).click()
    await page.getByRole('heading', { name: 'Account' }).waitFor()
    expect(offences).toEqual([])
  })
})

test('the theme follows the system until the user chooses one, and a reload keeps the choice', async () => {
  const user = await buildUser(server, { role: await buildRole(server, userRolePermissions) })
  const { page } = await browser.open({ colorScheme: 'dark' })
  await enter(page, user)
  const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme')
  expect(await scheme()).toBe('dark')
  await page.getByRole('button', { name: 'Light mode' }).click()
  await expect.poll(scheme).toBe('light')
  await page.reload()
  await page.getByRole('button', { name: 'Dark mode' }).waitFor()
  expect(await scheme()).toBe('light')
})
