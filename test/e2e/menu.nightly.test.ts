/** The menu of an item in wide windows: its keyboard, its position, and how it closes. */
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { buildChain, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { enter, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

/** Opens a folder of twelve files, with the keyboard on the first one. */
async function openFolder(): Promise<Page> {
  const user = await buildUser(server)
  for (const letter of 'abcdefghijkl') await buildFile(user, { name: `${letter}.txt` })
  const { page } = await browser.open()
  await enter(page, user)
  await row(page, 'l.txt').waitFor()
  await page.keyboard.press('ArrowDown')
  return page
}

const menuOf = (page: Page) => page.getByRole('menu', { name: 'Actions for a.txt' })
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent)
/** Waits for an element, and returns its edges. */
async function edgesOf(found: Locator) {
  const box = await found.boundingBox()
  if (box === null) throw new Error('it is not shown')
  return { left: box.x, top: box.y, right: box.x + box.width, bottom: box.y + box.height }
}

/**
 * Moves through the whole menu by keyboard, and checks that each item is inside the menu and the menu inside the
 * window.
 */
async function expectWithinReach(page: Page, menu: Locator): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  const outer = await edgesOf(menu)
  expect(outer.left).toBeGreaterThanOrEqual(0)
  expect(outer.top).toBeGreaterThanOrEqual(0)
  expect(outer.right).toBeLessThanOrEqual(width)
  expect(outer.bottom).toBeLessThanOrEqual(height)
  const items = await menu.getByRole('menuitem').all()
  for (const item of items) {
    await expect.poll(() => item.evaluate(element => element === document.activeElement)).toBe(true)
    const edges = await edgesOf(item)
    expect(edges.left).toBeGreaterThanOrEqual(outer.left)
    expect(edges.top).toBeGreaterThanOrEqual(outer.top)
    expect(edges.right).toBeLessThanOrEqual(outer.right)
    expect(edges.bottom).toBeLessThanOrEqual(outer.bottom)
    await page.keyboard.press('ArrowDown')
  }
}

const reaches = (page: Page, name: RegExp) => expect.poll(() => focused(page)).toMatch(name)

test('arrow keys wrap around the menu, Home and End reach its ends, a letter finds an item, and Tab does nothing', async () => {
  const page = await openFolder()
  await page.keyboard.press('Shift+F10')
  await menuOf(page).waitFor()
  for (const [key, name] of [
    ['ArrowDown', /^Download/],
    ['Home', /^Preview/],
    ['ArrowUp', /^Delete/],
    ['ArrowDown', /^Preview/],
    ['End', /^Delete/],
    ['Tab', /^Delete/],
    ['c', /^Copy/],
    ['Home', /^Preview/],
  ] as const) {
    await page.keyboard.press(key)
    await reaches(page, name)
  }
})

test('letters typed quickly search for a word, and a repeated letter moves through the items that begin with it', async () => {
  const page = await openFolder()
  await page.keyboard.press('Shift+F10')
  await menuOf(page).waitFor()
  await page.keyboard.type('de')
  // "Download" also begins with d, but not with "de".
  await reaches(page, /^Details/)
  await page.keyboard.press('Escape')
  await menuOf(page).waitFor({ state: 'detached' })
  await page.keyboard.press('Shift+F10')
  await reaches(page, /^Preview/)
  await page.keyboard.type('ddd')
  await reaches(page, /^Delete/)
})

test('the menu opens to the left of and above the pointer in the bottom right corner of the window', async () => {
  const page = await openFolder()
  await page.setViewportSize({ width: 900, height: 660 })
  const box = await row(page, 'l.txt').boundingBox()
  if (box === null) throw new Error('no row')
  const at = { x: box.x + box.width - 2, y: box.y + box.height - 2 }
  await page.mouse.click(at.x, at.y, { button: 'right' })
  const menu = page.getByRole('menu', { name: 'Actions for l.txt' })
  await menu.waitFor()
  const shown = await menu.boundingBox()
  if (shown === null) throw new Error('no menu')
  expect(shown.x).toBeGreaterThanOrEqual(0)
  expect(shown.y).toBeGreaterThanOrEqual(0)
  // It ends at the pointer, to the left and above.
  expect(shown.x + shown.width).toBeCloseTo(at.x, 0)
  expect(at.y - (shown.y + shown.height)).toBeCloseTo(4, 0)
})

test('the menu opens at the side, in full, when it fits neither below nor above', async () => {
  const page = await openFolder()
  await page.setViewportSize({ width: 900, height: 640 })
  const opener = page.getByRole('button', { name: 'More actions for f.txt' })
  await row(page, 'f.txt').hover()
  await opener.click()
  const menu = page.getByRole('menu', { name: 'Actions for f.txt' })
  await menu.waitFor()
  const [shown, button] = [await edgesOf(menu), await edgesOf(opener)]
  expect(button.left - shown.right).toBeCloseTo(4, 0)
  await expectWithinReach(page, menu)
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
  await row(page, 'f.txt').click({ button: 'right' })
  await expectWithinReach(page, menu)
})

test('the menu scrolls in a window that is lower than the menu', async () => {
  const page = await openFolder()
  await page.setViewportSize({ width: 900, height: 300 })
  await page.keyboard.press('Shift+F10')
  await menuOf(page).waitFor()
  expect(await menuOf(page).evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)).toBe(true)
  await expectWithinReach(page, menuOf(page))
})

test('the menu of outer folders scrolls, shortens a long name, and returns the focus when it closes', async () => {
  const user = await buildUser(server)
  const long = await buildFolder(user, 'Wy'.repeat(120))
  const inner = await buildChain(user, 14, long.id)
  const { page } = await browser.open({ viewport: { width: 900, height: 400 } })
  await enter(page, user, `/files/${inner.at(-1)}`)
  await page.getByRole('button', { name: 'More folders' }).click()
  const menu = page.getByRole('menu', { name: 'More folders' })
  await menu.getByRole('menuitem', { name: long.name }).waitFor()
  expect(await menu.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)).toBe(true)
  await expectWithinReach(page, menu)
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
  await reaches(page, /^More folders$/)
})

test("the menu opens at the pointer when positions count from the page's main part", async () => {
  const page = await openFolder()
  const main = page.getByRole('main')
  // Chromium up to 128 does this with containers whose parts query their width.
  await main.evaluate(element => element.style.setProperty('contain', 'layout'))
  expect((await edgesOf(main)).top).toBeGreaterThan(0)
  await row(page, 'a.txt').click({ button: 'right', position: { x: 100, y: 10 } })
  const [shown, under] = [await edgesOf(menuOf(page)), await edgesOf(row(page, 'a.txt'))]
  expect(shown.left - under.left).toBeCloseTo(100, 0)
  expect(shown.top - under.top).toBeCloseTo(14, 0)
})

test('the menu closes on Escape, on a click beside it, and when an item is chosen', async () => {
  const page = await openFolder()
  await page.keyboard.press('Shift+F10')
  await reaches(page, /^Preview/)
  await page.keyboard.press('Escape')
  await menuOf(page).waitFor({ state: 'detached' })
  await reaches(page, /^a\.txt$/)
  await row(page, 'a.txt').click({ button: 'right' })
  await menuOf(page).waitFor()
  await page.getByRole('button', { name: 'New Folder' }).click()
  await menuOf(page).waitFor({ state: 'detached' })
  await page.getByRole('dialog', { name: 'Create New Folder' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await row(page, 'a.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await menuOf(page).waitFor({ state: 'detached' })
  await page.getByRole('textbox', { name: 'New name' }).waitFor()
})
