/** The columns of a list: chosen in its head, made wider and narrower, left out where there is no room for them. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { getProfile, updatePreferences } from '../../src/api/auth.ts'
import { tagFiles } from '../../src/api/tags.ts'
import { type BuiltUser, buildFile, buildTag, buildUser } from '../support/factories.ts'
import { findBarriersInBothThemes } from './accessible.ts'
import { enter, phone, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

async function buildOwner(): Promise<BuiltUser> {
  const user = await buildUser(server)
  const file = await buildFile(user, { name: 'a.txt' }, 'x'.repeat(1024))
  const tag = await buildTag(user, 'Final')
  await user.call(tagFiles, { tag_id: tag.id, file_ids: [file.id] })
  return user
}

/** The headings between the name and the actions. */
const headings = (page: Page) =>
  page.getByRole('columnheader').evaluateAll(cells => cells.map(cell => cell.textContent.trim()).slice(2, -1))
const widthOf = async (page: Page, column: string) =>
  (await page.getByRole('columnheader', { name: column }).boundingBox())?.width ?? 0
const edge = (page: Page, column: string) => page.getByRole('separator', { name: `Width of ${column}` })
const choice = (page: Page, column: string) => page.getByRole('menuitemcheckbox', { name: column })
const openChoice = (page: Page) => page.getByRole('button', { name: 'Columns' }).click()
const preferencesOf = async (user: BuiltUser) => (await user.call(getProfile, {})).preferences

/** Whether the cells of a row stand below their headings. */
async function expectAligned(page: Page): Promise<void> {
  const starts = (role: 'columnheader' | 'gridcell') =>
    page
      .locator(`[role="${role}"][data-column]:not([data-column="name"])`)
      .evaluateAll(cells => cells.map(cell => Math.round(cell.getBoundingClientRect().left)))
  await expect.poll(async () => (await starts('gridcell')).join()).toBe((await starts('columnheader')).join())
}

test('columns are hidden and shown in a menu that stays open, and are remembered', async () => {
  const user = await buildOwner()
  const { page, offences } = await browser.open()
  await enter(page, user)
  await row(page, 'a.txt').waitFor()
  expect(await headings(page)).toEqual(['Type', 'Size', 'Date'])
  await openChoice(page)
  await choice(page, 'Type').click()
  await choice(page, 'Created').click()
  await choice(page, 'Tags').click()
  await expect.poll(() => headings(page)).toEqual(['Size', 'Date', 'Created'])
  expect(await choice(page, 'Type').getAttribute('aria-checked')).toBe('false')
  expect(await choice(page, 'Created').getAttribute('aria-checked')).toBe('true')
  expect(await findBarriersInBothThemes(page)).toEqual([])
  await page.keyboard.press('Escape')
  await choice(page, 'Type').waitFor({ state: 'detached' })
  await expectAligned(page)
  expect(await row(page, 'a.txt').getByText('Final').count()).toBe(0)
  await expect
    .poll(async () => (await preferencesOf(user)).columns)
    .toEqual(['location', 'owner', 'size', 'date', 'created'])
  await page.reload()
  await row(page, 'a.txt').waitFor()
  expect(await headings(page)).toEqual(['Size', 'Date', 'Created'])
  await openChoice(page)
  await page.getByRole('menuitem', { name: 'Usual columns and widths' }).click()
  await expect.poll(() => headings(page)).toEqual(['Type', 'Size', 'Date'])
  await row(page, 'a.txt').getByText('Final').waitFor()
  expect(offences).toEqual([])
})

test('a list without any further column has names and actions', async () => {
  const user = await buildOwner()
  await user.call(updatePreferences, { columns: [] })
  const { page } = await browser.open()
  await enter(page, user)
  await row(page, 'a.txt').waitFor()
  expect(await headings(page)).toEqual([])
  const name = await page.getByRole('columnheader', { name: 'Name' }).boundingBox()
  const toggles = await page.getByRole('columnheader').last().boundingBox()
  expect(Math.round((name?.x ?? 0) + (name?.width ?? 0))).toBe(Math.round(toggles?.x ?? 0))
})

test('an edge is dragged to make its column wider, and the width comes back after a reload', async () => {
  const user = await buildOwner()
  const { page, offences } = await browser.open()
  await enter(page, user)
  await row(page, 'a.txt').waitFor()
  const before = await widthOf(page, 'Size')
  const box = await edge(page, 'Size').boundingBox()
  if (box === null) throw new Error('The edge is not shown')
  await page.mouse.move(box.x + 6, box.y + 10)
  await page.mouse.down()
  await page.mouse.move(box.x - 40, box.y + 10, { steps: 4 })
  await expectAligned(page)
  await page.mouse.up()
  await expect.poll(() => widthOf(page, 'Size')).toBeGreaterThan(before + 30)
  const wide = await widthOf(page, 'Size')
  expect(await page.getByRole('columnheader', { name: 'Size' }).getAttribute('aria-sort')).toBe('none')
  await expect.poll(async () => (await preferencesOf(user)).column_widths).toEqual({ size: Math.round(wide) })
  await page.reload()
  await row(page, 'a.txt').waitFor()
  await expect.poll(() => widthOf(page, 'Size')).toBe(wide)
  await expectAligned(page)
  await edge(page, 'Size').dblclick()
  await expect.poll(() => widthOf(page, 'Size')).toBe(before)
  expect(offences).toEqual([])
})

test('an edge is moved by the arrow keys, which leave the list alone', async () => {
  const user = await buildOwner()
  const { page } = await browser.open()
  await enter(page, user)
  await row(page, 'a.txt').waitFor()
  const before = await widthOf(page, 'Date')
  await edge(page, 'Date').focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => widthOf(page, 'Date')).toBe(before + 8)
  await page.keyboard.press('Shift+ArrowRight')
  await expect.poll(() => widthOf(page, 'Date')).toBe(before - 24)
  expect(await edge(page, 'Date').getAttribute('aria-valuenow')).toBe(String(before - 24))
  for (let press = 0; press < 8; press++) await page.keyboard.press('Shift+ArrowRight')
  await expect.poll(() => widthOf(page, 'Date')).toBe(64)
  await page.keyboard.press('Enter')
  await expect.poll(() => widthOf(page, 'Date')).toBe(before)
  expect(await edge(page, 'Date').evaluate(element => element === document.activeElement)).toBe(true)
})

test('names keep their room: wide columns end there, and a narrow window leaves columns out', async () => {
  const user = await buildOwner()
  await user.call(updatePreferences, {
    columns: ['type', 'size', 'date', 'created'],
    column_widths: { type: 300, size: 300, date: 300, created: 300 },
  })
  const { page } = await browser.open()
  await enter(page, user)
  await row(page, 'a.txt').waitFor()
  await expect.poll(() => widthOf(page, 'Name')).toBeGreaterThan(160)
  await page.setViewportSize({ width: 800, height: 700 })
  await expect.poll(() => headings(page)).toEqual(['Size', 'Date'])
  await expect.poll(() => widthOf(page, 'Name')).toBeGreaterThan(160)
  await expectAligned(page)
})

test('a search shows the location in place of the type', async () => {
  const user = await buildOwner()
  const { page } = await browser.open()
  await enter(page, user, '/search?q=a.txt')
  await row(page, 'a.txt').waitFor()
  expect(await headings(page)).toEqual(['Location', 'Size', 'Date'])
  await openChoice(page)
  expect(await choice(page, 'Type').count()).toBe(0)
  await choice(page, 'Location').click()
  await expect.poll(() => headings(page)).toEqual(['Size', 'Date'])
})

test('on a phone the choice is what stands below a name', async () => {
  const user = await buildOwner()
  const { page } = await browser.open(phone)
  await enter(page, user)
  const item = row(page, 'a.txt')
  await item.getByText(/KB$/).waitFor()
  expect(await page.getByRole('button', { name: 'Columns' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Show below the name' }).tap()
  const sheet = page.getByRole('dialog', { name: 'Show below the name' })
  await expect
    .poll(() => sheet.getByRole('checkbox').evaluateAll(boxes => boxes.map(box => box.textContent)))
    .toEqual(['Tags', 'Size', 'Date'])
  await sheet.getByRole('checkbox', { name: 'Size' }).tap()
  await expect.poll(() => item.getByText(/KB$/).count()).toBe(0)
  await sheet.getByRole('checkbox', { name: 'Size', checked: false }).waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
})
