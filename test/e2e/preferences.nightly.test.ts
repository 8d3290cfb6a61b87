/** How a person likes to see files: remembered after a reload, and on every device where the person signs in. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { getProfile, updatePreferences } from '../../src/api/auth.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { enter, listedNames, onlyFirst, phone, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

const card = (page: Page, name: string) => page.getByRole('gridcell', { name, exact: true })
const isListing = (url: string): boolean => /\/api\/files\?(?!.*only=)/.test(url)
const isSaving = (url: string): boolean => url.endsWith('/api/auth/preferences')
const names = (page: Page) => expect.poll(() => listedNames(page))

/** A user with three files: by name a, b, c; by size c, a, b. */
async function buildOwner(): Promise<BuiltUser> {
  const user = await buildUser(server)
  for (const [name, size] of [
    ['a.txt', 20],
    ['b.txt', 30],
    ['c.txt', 10],
  ] as const) {
    await buildFile(user, { name }, 'x'.repeat(size))
  }
  return user
}

const sort = (page: Page, by: string) =>
  page.getByRole('columnheader', { name: by }).getByRole('button', { name: by }).click()
const saved = (page: Page) => page.waitForResponse(response => isSaving(response.url()))
const preferencesOf = async (user: BuiltUser) => (await user.call(getProfile, {})).preferences

test('sorting, view and the open details panel come back after a reload, and on another device', async () => {
  const user = await buildOwner()
  const { page, offences } = await browser.open()
  await enter(page, user)
  const told = saved(page)
  await sort(page, 'Size')
  await names(page).toEqual(['c.txt', 'a.txt', 'b.txt'])
  await page.getByRole('button', { name: 'Show details' }).click()
  await told
  await page.reload()
  await names(page).toEqual(['c.txt', 'a.txt', 'b.txt'])
  await page.getByRole('complementary', { name: 'Details' }).waitFor()

  const other = await browser.open()
  await enter(other.page, user)
  await names(other.page).toEqual(['c.txt', 'a.txt', 'b.txt'])
  await other.page.getByRole('complementary', { name: 'Details' }).waitFor()
  const toldAgain = saved(other.page)
  await other.page.getByRole('button', { name: 'Grid view' }).click()
  await toldAgain
  await page.reload()
  await card(page, 'c.txt').waitFor()
  expect([...offences, ...other.offences]).toEqual([])
})

test('a reload at once after a change shows the change, and the server gets it', async () => {
  const user = await buildOwner()
  const { page } = await browser.open()
  await enter(page, user)
  await row(page, 'a.txt').waitFor()
  await page.getByRole('button', { name: 'Grid view' }).click()
  await card(page, 'a.txt').waitFor()
  await page.reload()
  await card(page, 'a.txt').waitFor()
  await expect.poll(async () => (await preferencesOf(user)).view).toBe('grid')
})

test('several changes one after the other are sent together, and what is unchanged is not', async () => {
  const user = await buildOwner()
  const { page } = await browser.open()
  await page.clock.install()
  await enter(page, user)
  await row(page, 'a.txt').waitFor()
  const bodies: unknown[] = []
  page.on('request', request => void (isSaving(request.url()) && bodies.push(request.postDataJSON())))
  // On a busy machine the clicks would take longer than changes wait for each other.
  await page.clock.pauseAt(Date.now() + 60_000)
  for (const by of ['Size', 'Date', 'Type']) {
    await sort(page, by)
    await page.clock.runFor(300)
  }
  await page.clock.resume()
  await expect.poll(() => bodies).toEqual([{ sort: 'type', order: 'asc' }])
})

test('the first list is sorted as remembered, by the one listing that was requested before the page', async () => {
  const user = await buildOwner()
  await user.call(updatePreferences, { sort: 'size', order: 'desc' })
  const { page } = await browser.open()
  await enter(page, user)
  await names(page).toEqual(['b.txt', 'a.txt', 'c.txt'])
  const asked: string[] = []
  page.on('request', request => void (isListing(request.url()) && asked.push(request.url())))
  await page.reload()
  await names(page).toEqual(['b.txt', 'a.txt', 'c.txt'])
  expect(asked).toEqual([expect.stringContaining('sort=size&order=desc')])
})

test('what another device has changed is shown at once, without a first list in the old order', async () => {
  const user = await buildOwner()
  const { page } = await browser.open()
  await enter(page, user)
  await names(page).toEqual(['a.txt', 'b.txt', 'c.txt'])
  await user.call(updatePreferences, { sort: 'size', order: 'asc' })
  await page.addInitScript(() => {
    const seen: string[] = []
    Object.assign(window, { seen })
    const look = () => {
      const first = document.querySelector('[role="grid"] [data-index="0"]')?.getAttribute('aria-label')
      if (first && seen.at(-1) !== first) seen.push(first)
      requestAnimationFrame(look)
    }
    look()
  })
  await page.reload()
  await names(page).toEqual(['c.txt', 'a.txt', 'b.txt'])
  expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual(['c.txt'])
})

test('a choice stays in its own tab until the other is opened anew', async () => {
  const user = await buildOwner()
  const { page } = await browser.open()
  await enter(page, user)
  await row(page, 'a.txt').waitFor()
  const other = await page.context().newPage()
  await other.goto('/files')
  await row(other, 'a.txt').waitFor()
  const told = saved(page)
  await page.getByRole('button', { name: 'Grid view' }).click()
  await told
  await row(other, 'a.txt').waitFor()
  await other.getByRole('button', { name: 'Refresh' }).click()
  await row(other, 'a.txt').waitFor()
  await other.reload()
  await card(other, 'a.txt').waitFor()
})

test('a change that the server could not take is sent once it answers again', async () => {
  const user = await buildOwner()
  const { page } = await browser.open()
  await enter(page, user)
  await row(page, 'a.txt').waitFor()
  await page.route(
    '**/api/auth/preferences',
    onlyFirst(route => route.abort()),
  )
  await page.getByRole('button', { name: 'Grid view' }).click()
  await expect.poll(async () => (await preferencesOf(user)).view).toBe('grid')
})

test('the next person at the same browser sees files as they like them', async () => {
  const [user, other] = [await buildOwner(), await buildUser(server)]
  await buildFolder(other, 'Theirs')
  const { page } = await browser.open()
  await enter(page, user)
  await row(page, 'a.txt').waitFor()
  await page.getByRole('button', { name: 'Grid view' }).click()
  await card(page, 'a.txt').waitFor()
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL('**/login')
  expect((await preferencesOf(user)).view).toBe('grid')
  await enter(page, other)
  await row(page, 'Theirs').waitFor()
  expect((await preferencesOf(other)).view).toBe('list')
})

test('a phone takes over sorting and view; its details stay closed at first', async () => {
  const user = await buildOwner()
  await user.call(updatePreferences, { sort: 'size', order: 'desc', details: true })
  const { page } = await browser.open(phone)
  await enter(page, user)
  await names(page).toEqual(['b.txt', 'a.txt', 'c.txt'])
  expect(await page.getByRole('complementary', { name: 'Details' }).count()).toBe(0)
})
