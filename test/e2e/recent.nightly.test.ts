/** The recent files as a screen: grouped by day, with the keys and menus of every list. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { getFile, renameFile } from '../../src/api/files.ts'
import { buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { findBarriersInBothThemes } from './accessible.ts'
import { desktop, enter, phone, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

const day = 24 * 60 * 60 * 1000

const age = (id: number, days: number) =>
  server.deps.db.touch(() =>
    server.deps.db.change('UPDATE files SET updated_at = updated_at - $1 WHERE id = $2', [days * day, id]),
  )

async function buildOwner() {
  const user = await buildUser(server)
  const folder = await buildFolder(user, 'Papers')
  const old = await buildFile(user, { name: 'old.txt', parent_id: folder.id })
  const yesterday = await buildFile(user, { name: 'yesterday.txt' })
  await buildFile(user, { name: 'today.txt', parent_id: folder.id })
  await age(old.id, 40)
  await age(yesterday.id, 1)
  return { user, folder, old }
}

/** The headings and names from top to bottom. */
const linesOf = (page: Page) =>
  page
    .getByRole('grid', { name: 'Files' })
    .locator('[role="row"]')
    .evaluateAll(rows =>
      rows
        .map(one => [one, one.getBoundingClientRect().top] as const)
        .sort(([, a], [, b]) => a - b)
        .map(([one]) => one.getAttribute('aria-label') ?? one.querySelector('[role="rowheader"]')?.textContent)
        .filter(Boolean),
    )

/** The headings from top to bottom. */
const headsOf = (page: Page) => page.getByRole('rowheader').allInnerTexts()

test('files stand under their days, and keys act on them as in every list', async () => {
  const { user, folder, old } = await buildOwner()
  const { page, offences } = await browser.open()
  await enter(page, user, '/overview')
  await page.getByRole('region', { name: 'Recent Files' }).getByRole('link', { name: 'Show all' }).click()
  await page.getByRole('heading', { name: 'Recent', exact: true }).waitFor()
  const lines = ['Today', 'today.txt', 'Yesterday', 'yesterday.txt', 'Earlier', 'old.txt']
  await expect.poll(() => linesOf(page)).toEqual(lines)
  expect(await findBarriersInBothThemes(page)).toEqual([])

  // A change brings a file to the top, under its new heading.
  await user.call(renameFile, { id: old.id, name: 'renamed.txt' })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect.poll(() => linesOf(page)).toEqual(['Today', 'renamed.txt', 'today.txt', 'Yesterday', 'yesterday.txt'])

  await row(page, 'renamed.txt').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('yesterday.txt')
  await page.keyboard.press('Delete')
  await row(page, 'yesterday.txt').waitFor({ state: 'detached' })
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await row(page, 'yesterday.txt').waitFor()
  await row(page, 'today.txt').focus()
  await page.keyboard.press('f')
  await page.waitForURL(`**/files/${folder.id}**`)
  await row(page, 'today.txt').waitFor()
  expect(offences).toEqual([])
})

test('in the grid, too, files stand under their days, and keys lead from day to day', async () => {
  const { user } = await buildOwner()
  await buildFile(user, { name: 'also today.txt' })
  const { page } = await browser.open()
  await enter(page, user, '/recent')
  await page.getByRole('button', { name: 'Grid view' }).click()
  await expect.poll(() => headsOf(page)).toEqual(['Today', 'Yesterday', 'Earlier'])
  const cardOf = (name: string) => page.getByRole('gridcell', { name, exact: true })
  const topOf = async (name: string) => (await cardOf(name).boundingBox())?.y ?? 0
  const headTop = async (name: string) => (await page.getByRole('rowheader', { name }).boundingBox())?.y ?? 0
  expect(await topOf('also today.txt')).toBe(await topOf('today.txt'))
  expect(await topOf('today.txt')).toBeLessThan(await headTop('Yesterday'))
  expect(await topOf('yesterday.txt')).toBeGreaterThan(await headTop('Yesterday'))
  expect(await topOf('old.txt')).toBeGreaterThan(await headTop('Earlier'))
  expect(await findBarriersInBothThemes(page)).toEqual([])
  await cardOf('today.txt').focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('yesterday.txt')
  await page.keyboard.press('ArrowUp')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('also today.txt')
})

test('the menu of a recent file shows it in its folder, on a phone too', async () => {
  const { user, folder, old } = await buildOwner()
  const { page, offences } = await browser.open(phone)
  await enter(page, user)
  await page.getByRole('button', { name: 'Menu', exact: true }).tap()
  await page.getByRole('link', { name: 'Recent' }).tap()
  await expect.poll(() => linesOf(page)).toContain('Yesterday')
  expect(await findBarriersInBothThemes(page)).toEqual([])
  await page.getByRole('button', { name: 'More actions for old.txt' }).tap()
  await page.getByRole('button', { name: 'Show in folder' }).tap()
  await page.waitForURL(`**/files/${folder.id}**`)
  expect((await user.call(getFile, { id: old.id })).file.parent_id).toBe(folder.id)
  expect(offences).toEqual([])
})

test('an account without files is told so, and a list that fails to load offers a retry', async () => {
  const user = await buildUser(server)
  const { page } = await browser.open(desktop)
  await enter(page, user, '/recent')
  await page.getByText('No files yet').waitFor()
  await page.route('**/api/files/recent*', route => route.fulfill({ status: 500, body: '' }))
  await page.reload()
  await page.getByRole('alert').getByText('Failed to load recent files').waitFor()
  await page.unroute('**/api/files/recent*')
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('No files yet').waitFor()
})
