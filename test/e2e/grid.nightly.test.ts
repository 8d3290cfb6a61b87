/** The grid view: cards for files, bars for folders, arrow keys in two directions, and the actions of the list. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { favoriteFile } from '../../src/api/files.ts'
import { tagFiles } from '../../src/api/tags.ts'
import { type BuiltUser, buildFile, buildFolder, buildTag, buildUser } from '../support/factories.ts'
import { plantFiles } from '../support/planted.ts'
import { findBarriersInBothThemes } from './accessible.ts'
import { desktop, enter, phone, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

const card = (page: Page, name: string) => page.getByRole('gridcell', { name, exact: true })
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
const showGrid = (page: Page) => page.getByRole('button', { name: 'Grid view' }).click()

/** Builds two folders and nine files. The first file is a favourite with three tags. */
async function buildOwner(): Promise<BuiltUser> {
  const user = await buildUser(server)
  for (const name of ['Left', 'Right']) await buildFolder(user, name)
  const [first] = await Promise.all(Array.from({ length: 9 }, (_, n) => buildFile(user, { name: `file ${n + 1}.txt` })))
  for (const name of ['Final', 'Press', 'Urgent']) {
    const tag = await buildTag(user, name)
    await user.call(tagFiles, { tag_id: tag.id, file_ids: [first?.id ?? 0] })
  }
  await user.call(favoriteFile, { id: first?.id ?? 0, is_favorite: true })
  return user
}

test('the grid is remembered after a reload, sorts by its buttons, and shows at most two tags and the star of a card', async () => {
  const user = await buildOwner()
  const { page, offences } = await browser.open()
  await enter(page, user)
  await showGrid(page)
  const first = card(page, 'file 1.txt')
  await first.getByRole('img', { name: 'Favorite' }).waitFor()
  await expect.poll(() => first.getByRole('img', { name: /^Tag / }).count()).toBe(2)
  await expect.poll(() => first.getByText('+1').getAttribute('title')).toBe('Final, Press, Urgent')
  const names = () =>
    page.getByRole('gridcell').evaluateAll(cells => cells.map(cell => cell.getAttribute('aria-label')))
  expect((await names()).slice(0, 3)).toEqual(['Left', 'Right', 'file 1.txt'])
  await page.getByRole('group', { name: 'Sort' }).getByRole('button', { name: 'Name' }).click()
  await expect.poll(async () => (await names()).slice(0, 3)).toEqual(['Right', 'Left', 'file 9.txt'])
  await page.reload()
  await card(page, 'Left').waitFor()
  await page.getByRole('button', { name: 'List view' }).click()
  await row(page, 'Left').waitFor()
  expect(offences).toEqual([])
})

test('while the grid loads, its placeholders have the size of the cards to come', async () => {
  const user = await buildUser(server)
  for (const name of ['a.txt', 'b.txt']) await buildFile(user, { name })
  for (const options of [desktop, phone]) {
    const { page } = await browser.open(options)
    await enter(page, user, '/files')
    await page.getByRole('button', { name: 'Grid view' }).click()
    await card(page, 'b.txt').waitFor()
    await page.waitForLoadState('networkidle')
    let release = () => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    await page.route('**/api/files?*', async route => {
      await released
      await route.continue()
    })
    await page.reload()
    const waiting = page.getByRole('status', { name: 'Loading' })
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    const pictures = waiting.locator('> * > :first-child')
    const boxes = [await pictures.nth(0).boundingBox(), await pictures.nth(1).boundingBox()]
    release()
    const shown = (name: string) => card(page, name).locator('> :first-child').boundingBox()
    await card(page, 'b.txt').waitFor()
    for (const [box, name] of [
      [boxes[0], 'a.txt'],
      [boxes[1], 'b.txt'],
    ] as const) {
      const real = await shown(name)
      for (const side of ['x', 'y', 'width', 'height'] as const) {
        expect([name, side, Math.abs((box?.[side] ?? 0) - (real?.[side] ?? 99)) <= 1]).toEqual([name, side, true])
      }
    }
  }
})

test("a folder's name takes a second line before it is cut", async () => {
  const user = await buildUser(server)
  const names = ['Holiday pictures of 2026', 'W'.repeat(200)]
  for (const name of names) await buildFolder(user, name)
  const { page } = await browser.open()
  await enter(page, user)
  await showGrid(page)
  const isCut = (name: string) =>
    card(page, name)
      .getByRole('link')
      .evaluate(link => link.scrollHeight > link.clientHeight || link.scrollWidth > link.clientWidth)
  const heightOf = async (name: string) => (await card(page, name).getByRole('link').boundingBox())?.height
  expect(await Promise.all(names.map(isCut))).toEqual([false, true])
  expect(await Promise.all(names.map(heightOf))).toEqual([36, 36])
})

test('arrow keys move in two directions, and from the folders to the files and back', async () => {
  const user = await buildOwner()
  const { page } = await browser.open()
  await enter(page, user)
  await showGrid(page)
  await card(page, 'Left').waitFor()
  const goes = async (key: string, name: string) => {
    await page.keyboard.press(key)
    await expect.poll(() => focused(page)).toBe(name)
  }
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).click()
  await goes('ArrowDown', 'Left')
  await goes('ArrowRight', 'Right')
  await goes('ArrowDown', 'file 2.txt')
  await goes('ArrowDown', 'file 7.txt')
  await goes('ArrowLeft', 'file 6.txt')
  await goes('End', 'file 9.txt')
  await goes('ArrowUp', 'file 4.txt')
  await goes('ArrowUp', 'Right')
  await goes('Home', 'Left')
})

test('the grid selects, renames, shows the menu and opens folders like the list', async () => {
  const user = await buildOwner()
  const { page, offences } = await browser.open()
  await enter(page, user)
  await showGrid(page)
  await card(page, 'file 1.txt').click({ modifiers: ['Control'] })
  await card(page, 'file 3.txt').click({ modifiers: ['Shift'] })
  await page.getByText('3 selected').waitFor()
  await card(page, 'file 9.txt').getByRole('checkbox').click()
  await page.getByText('4 selected').waitFor()
  await page.keyboard.press('Escape')
  await card(page, 'file 2.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByLabel('New name for file 2.txt').fill('file 5.txt')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('Rename failed').waitFor()
  await expect.poll(() => page.getByLabel('New name for file 2.txt').inputValue()).toBe('file 5.txt')
  await page.getByLabel('New name for file 2.txt').fill('free.txt')
  await page.keyboard.press('Enter')
  await card(page, 'free.txt').waitFor()
  // Wait until the alert is gone: the cards move up into its space, and an earlier click would miss.
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await card(page, 'Right').getByRole('link').click()
  await page.getByText('This folder is empty').waitFor()
  expect(offences).toEqual([])
})

test('a name that is being typed stays while a file arrives before it', async () => {
  const user = await buildOwner()
  const { page } = await browser.open()
  await enter(page, user)
  await showGrid(page)
  await card(page, 'file 5.txt').click()
  await page.keyboard.press('F2')
  const field = page.getByLabel('New name for file 5.txt')
  await field.fill('half a na')
  await buildFile(user, { name: 'file 0.txt' })
  // The browser sends this event when the user returns to the tab, and the list reloads.
  await expect
    .poll(async () => {
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
      return card(page, 'file 0.txt').count()
    })
    .toBe(1)
  await expect.poll(() => field.inputValue()).toBe('half a na')
  await page.keyboard.type('me.txt')
  await page.keyboard.press('Enter')
  await card(page, 'half a name.txt').waitFor()
})

test('Alt and Meta with an arrow key stay with the browser, and rows and cells tell their position to screen readers', async () => {
  const user = await buildOwner()
  const { page } = await browser.open()
  await enter(page, user)
  await showGrid(page)
  await card(page, 'file 5.txt').click()
  await page.keyboard.press('Alt+ArrowLeft')
  await page.keyboard.press('Meta+ArrowLeft')
  expect(await focused(page)).toBe('file 5.txt')
  const grid = page.getByRole('grid')
  await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('3')
  await expect.poll(() => grid.getAttribute('aria-colcount')).toBe('5')
  await expect.poll(() => grid.getByRole('row').last().getAttribute('aria-rowindex')).toBe('3')
  await expect.poll(() => card(page, 'file 5.txt').getAttribute('aria-colindex')).toBe('5')
})

test('an item dragged onto a folder moves into it', async () => {
  const user = await buildOwner()
  const { page } = await browser.open()
  await enter(page, user)
  await showGrid(page)
  await card(page, 'file 4.txt').hover()
  await page.mouse.down()
  await card(page, 'Right').hover()
  await card(page, 'Right').hover({ position: { x: 120, y: 20 } })
  await page.mouse.up()
  await page.getByText('was moved to Right').waitFor()
  await card(page, 'file 4.txt').waitFor({ state: 'detached' })
})

test('a grid of 3,000 items draws only the cards in view, and End reaches its last card', async () => {
  const user = await buildUser(server)
  const folder = await buildFolder(user, 'Thousands')
  await plantFiles(server, user, folder.id, 3000)
  const { page } = await browser.open()
  await enter(page, user, `/files/${folder.id}`)
  await showGrid(page)
  await card(page, 'Project 0').waitFor()
  expect(await page.getByRole('gridcell').count()).toBeLessThan(120)
  await page.keyboard.press('End')
  await card(page, 'Report 2999 of the year.pdf').waitFor()
  await expect.poll(() => focused(page)).toBe('Report 2999 of the year.pdf')
  expect(await page.getByRole('gridcell').count()).toBeLessThan(120)
})

test('on a phone the grid has two columns, and cards are selected from their menu', async () => {
  const user = await buildOwner()
  const { page } = await browser.open(phone)
  await enter(page, user)
  await page.getByRole('button', { name: 'Grid view' }).tap()
  const left = await card(page, 'file 1.txt').boundingBox()
  const right = await card(page, 'file 2.txt').boundingBox()
  expect(left?.y).toBe(right?.y)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(await findBarriersInBothThemes(page)).toEqual([])
  await page.getByRole('button', { name: 'More actions for file 1.txt' }).tap()
  await page.getByRole('dialog').getByRole('button', { name: 'Select' }).tap()
  await page.getByText('1 selected').waitFor()
  await card(page, 'file 2.txt').tap()
  await page.getByText('2 selected').waitFor()
  await page.getByRole('button', { name: 'Tag', exact: true }).waitFor()
})

test('on a phone folders have a menu, checkboxes are visible, and menu buttons are 44 pixels large', async () => {
  const user = await buildOwner()
  const { page } = await browser.open(phone)
  await enter(page, user)
  await page.getByRole('button', { name: 'Grid view' }).tap()
  const box = card(page, 'file 1.txt').getByRole('checkbox')
  await box.waitFor()
  expect(await box.evaluate(element => element.closest('span')?.checkVisibility({ opacityProperty: true }))).toBe(true)
  for (const name of ['Left', 'file 1.txt']) {
    const size = await page.getByRole('button', { name: `More actions for ${name}` }).boundingBox()
    expect([size?.width, size?.height]).toEqual([44, 44])
  }
  await page.getByRole('button', { name: 'More actions for Left' }).tap()
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).tap()
  await page.getByLabel('New name for Left').fill('Left side')
  await page.keyboard.press('Enter')
  await card(page, 'Left side').waitFor()
})

test('the grid has no accessibility barriers in either theme', async () => {
  const user = await buildOwner()
  const { page } = await browser.open()
  await enter(page, user)
  await showGrid(page)
  await card(page, 'file 1.txt').hover()
  expect(await findBarriersInBothThemes(page)).toEqual([])
  await card(page, 'file 1.txt').click({ modifiers: ['Control'] })
  await page.getByText('1 selected').waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
})
