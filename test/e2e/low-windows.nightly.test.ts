/** Low windows: zoomed to 200 %, phones held sideways, and the smallest that accessibility asks for. */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { favoriteFile } from '../../src/api/files.ts'
import { trashFile } from '../../src/api/trash.ts'
import { type BuiltUser, buildFile, buildTag, buildUser, turnSettings } from '../support/factories.ts'
import { createOpener } from './admin-pages.ts'
import { phone, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

let user: BuiltUser
let open: ReturnType<typeof createOpener>

openSite()

beforeAll(async () => {
  open = createOpener(browser)
  user = await buildUser(server, { role: 'admin' })
  const owners = [await buildUser(server), await buildUser(server)]
  for (let index = 0; index < 12; index++) {
    const { id } = await buildFile(user, { name: `paper ${index}.txt` })
    await user.call(favoriteFile, { id, is_favorite: true })
    await user.call(trashFile, { id: (await buildFile(user, { name: `gone ${index}.txt` })).id })
    await buildTag(user)
  }
  await turnSettings(user, { validation_enabled: true })
  for (let index = 0; index < 12; index++) await buildFile(owners[index % 2] ?? user, { name: `wait ${index}.txt` })
})

/** How many of the elements are in view as a whole, and covered by nothing. */
const inView = (elements: Locator): Promise<number> =>
  elements.evaluateAll(
    all =>
      all.filter(element => {
        const { left, width, top, bottom } = element.getBoundingClientRect()
        const isSeen = (y: number) => element.contains(document.elementFromPoint(left + width / 2, y))
        return top >= 0 && bottom <= innerHeight && isSeen(top + 2) && isSeen(bottom - 3)
      }).length,
  )

const zoomed: BrowserContextOptions = { viewport: { width: 640, height: 400 } }
const sideways: BrowserContextOptions = { ...phone, viewport: { width: 844, height: 390 } }

const rows = (page: Page) => page.getByRole('row').and(page.locator('[aria-rowindex]:not([aria-rowindex="1"])'))
const lists: [screen: string, path: string, rows: (page: Page) => Locator][] = [
  ['the files', '/files', rows],
  ['a search', '/search?q=paper', rows],
  ['the trash', '/trash', rows],
  ['the tags', '/tags', rows],
  ['the audit log', '/settings/audit', rows],
  ['the validation queue', '/validation', page => page.getByRole('listitem')],
  ['the favorites', '/favorites', page => page.getByRole('article')],
]

describe.each([
  ['zoomed to 200 %', zoomed],
  ['of a phone held sideways', sideways],
])('in a window %s', (_, options) => {
  test.each(lists)('at least six rows of %s are in view', async (_screen, path, rowsOf) => {
    const { page, offences } = await open(user, path, options)
    await rowsOf(page).nth(5).waitFor()
    await expect.poll(() => inView(rowsOf(page))).toBeGreaterThanOrEqual(6)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(options.viewport?.width)
    expect(offences).toEqual([])
  })
})

test('in a low window everything of the bars stays in reach, also during a selection', async () => {
  const { page } = await open(user, '/files', zoomed)
  for (const name of ['Folders', 'New Folder', 'Upload', 'Folder actions', 'Grid view']) {
    expect(await inView(page.getByRole('button', { name, exact: true }))).toBe(1)
  }
  await page.getByRole('checkbox', { name: 'Select paper 0.txt' }).click()
  const before = await row(page, 'paper 1.txt').boundingBox()
  await page.getByText('1 selected').waitFor()
  for (const name of ['Clear selection', 'Select all', 'Tag', 'Download', 'Move', 'Delete', 'More']) {
    expect(await inView(page.getByRole('button', { name, exact: true }))).toBe(1)
  }
  expect(await row(page, 'paper 1.txt').boundingBox()).toEqual(before)
})

test('at 400 % the bars scroll away with the page, and the keyboard brings its row into view', async () => {
  const { page } = await open(user, '/files', { viewport: { width: 320, height: 256 } })
  await row(page, 'paper 0.txt').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  await row(page, 'paper 0.txt').focus()
  for (let step = 0; step < 8; step++) {
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => inView(page.locator('[data-index]:focus'))).toBe(1)
  }
  expect(await inView(rows(page))).toBeGreaterThanOrEqual(4)
})

test('in the viewer of a low window most of the height is for the file', async () => {
  for (const options of [zoomed, sideways]) {
    const { page } = await open(user, '/files', options)
    await page.getByText('paper 0.txt').first().click()
    const dialog = page.getByRole('dialog', { name: 'paper 0.txt' })
    await (options === zoomed ? dialog : dialog.or(row(page, 'paper 0.txt'))).first().waitFor()
    if (options === sideways) await page.keyboard.press('Enter')
    const stage = await dialog.getByRole('region', { name: 'Text of paper 0.txt' }).boundingBox()
    expect((stage?.height ?? 0) / (options.viewport?.height ?? 1)).toBeGreaterThan(0.6)
  }
})
