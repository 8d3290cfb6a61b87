/** What keys act on: the selection, else the row that shows the focus ring, else nothing. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { updatePreferences } from '../../src/api/auth.ts'
import { listFiles } from '../../src/api/files.ts'
import { listTrash, trashFile } from '../../src/api/trash.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { plantFiles } from '../support/planted.ts'
import { desktop, enter, row, tablet } from './browser.ts'
import { clickBlank, itemOf, rings } from './list-items.ts'
import { browser, openSite, server } from './site.ts'

openSite()

const names = ['note a.txt', 'note b.txt', 'note c.txt']
const [a = '', b = '', c = ''] = names

async function buildOwner(): Promise<BuiltUser> {
  const user = await buildUser(server)
  // A search shows the latest first, so that both lists have the same order.
  for (const name of [...names].reverse()) await buildFile(user, { name })
  return user
}

async function buildDeleter(): Promise<BuiltUser> {
  const user = await buildOwner()
  for (const { id } of (await user.call(listFiles, {})).files.reverse()) await user.call(trashFile, { id })
  return user
}

const filesOf = async (user: BuiltUser) => (await user.call(listFiles, {})).files.map(({ name }) => name)
const trashOf = async (user: BuiltUser) => (await user.call(listTrash, {})).files.map(({ name }) => name).sort()

/** Every key that acts on items, in the list or in the trash. */
const itemKeys = [
  'Delete',
  'F2',
  'Enter',
  ' ',
  'Control+ ',
  's',
  'd',
  't',
  'm',
  'p',
  'r',
  'i',
  'ContextMenu',
  'Shift+F10',
]

/** Presses every key that acts on items, and checks that nothing opens and nothing is sent. */
async function expectNoAct(page: Page): Promise<void> {
  const sent: string[] = []
  const note = (request: { method: () => string; url: () => string }) => {
    // The view that the test has chosen is saved half a second later.
    if (request.url().endsWith(updatePreferences.path)) return
    if (request.method() !== 'GET' || /download|archive/.test(request.url())) sent.push(request.url())
  }
  page.on('request', note)
  for (const key of itemKeys) await page.keyboard.press(key)
  page.off('request', note)
  expect(sent).toEqual([])
  for (const role of ['dialog', 'menu', 'alert', 'textbox'] as const) {
    expect(await page.getByRole(role).and(page.locator(':not([type="search"], [aria-label^="Search"])')).count()).toBe(
      0,
    )
  }
  expect(await page.getByText(/selected$/).count()).toBe(0)
  expect(await page.getByRole('complementary', { name: 'Details' }).count()).toBe(0)
}

const places: [place: string, path: string, view: 'List view' | 'Grid view', size: typeof desktop][] = [
  ['a folder as a list', '/files', 'List view', desktop],
  ['a folder as a grid', '/files', 'Grid view', desktop],
  ['the results of a search as a list', '/search?q=note', 'List view', desktop],
  ['the results of a search as a grid', '/search?q=note', 'Grid view', desktop],
  ['a folder in a window of 768 pixels', '/files', 'List view', { viewport: { width: 768, height: 1024 } }],
  ['a folder in a window as narrow as a phone', '/files', 'List view', { viewport: { width: 390, height: 844 } }],
]

test.each(places)('after a click beside all items of %s, keys act on nothing', async (_place, path, view, size) => {
  const user = await buildOwner()
  const { page } = await browser.open(size)
  await enter(page, user, path)
  await page.getByRole('button', { name: view }).click()
  await itemOf(page, a).waitFor()
  await clickBlank(page)
  await page.keyboard.press('ArrowDown')
  await rings(page, a)
  await clickBlank(page)
  await rings(page)
  await expectNoAct(page)
  // The arrow keys go on from the item that had the focus.
  await page.keyboard.press(view === 'Grid view' ? 'ArrowRight' : 'ArrowDown')
  await rings(page, b)
  await page.keyboard.press('Delete')
  await page.getByText(`${b} was moved to the trash`).waitFor()
  expect(await filesOf(user)).toEqual([a, c])
})

test('after a click beside all rows of the trash, keys act on nothing', async () => {
  const user = await buildDeleter()
  const { page } = await browser.open()
  await enter(page, user, '/trash')
  await row(page, a).click()
  await rings(page, a)
  await clickBlank(page)
  await rings(page)
  await expectNoAct(page)
  await page.keyboard.press('ArrowDown')
  await rings(page, b)
  await page.keyboard.press('r')
  await page.getByText(`${b} was restored`).waitFor()
  expect(await trashOf(user)).toEqual([a, c])
})

test('a click shows the focus ring on its item, and keys act on that item', async () => {
  const user = await buildOwner()
  const { page } = await browser.open()
  await enter(page, user)
  for (const [view, name] of [
    ['List view', a],
    ['Grid view', b],
  ] as const) {
    await page.getByRole('button', { name: view }).click()
    await itemOf(page, name).locator('[title]').first().click()
    await rings(page, name)
    await page.keyboard.press('Delete')
    await page.getByText(`${name} was moved to the trash`).waitFor()
  }
  await rings(page, c)
  expect(await filesOf(user)).toEqual([c])
})

describe('keys act on nothing', () => {
  test('after a click on a button beside the list or inside a row, and after the last item is unselected', async () => {
    const user = await buildOwner()
    const { page } = await browser.open()
    await enter(page, user)
    const first = row(page, a)
    for (const press of [
      () => page.getByRole('button', { name: 'Refresh' }).click(),
      () => page.getByRole('button', { name: 'Size' }).click(),
      () => first.getByRole('button', { name: `Add ${a} to favorites` }).click(),
      async () => {
        await first.getByRole('checkbox').click()
        await page.getByText('1 selected').waitFor()
        await first.getByRole('checkbox').click()
        await page.getByText('1 selected').waitFor({ state: 'detached' })
      },
    ]) {
      await first.click()
      await rings(page, a)
      await press()
      await rings(page)
      await page.keyboard.press('Delete')
      await page.keyboard.press('F2')
      expect(await page.getByRole('textbox', { name: 'New name' }).count()).toBe(0)
    }
    await first.click()
    await page.keyboard.press('Delete')
    await page.getByText(`${a} was moved to the trash`).waitFor()
    expect(await trashOf(user)).toEqual([a])
  })

  test('while the row with the focus is scrolled out of sight', async () => {
    const user = await buildUser(server)
    const folder = await buildFolder(user, 'Hundreds')
    await plantFiles(server, user, folder.id, 300)
    const { page } = await browser.open()
    await enter(page, user, `/files/${folder.id}`)
    await row(page, 'Project 0').click()
    await page.mouse.wheel(0, 3000)
    await expect.poll(async () => (await row(page, 'Project 0').boundingBox())?.y).toBeLessThan(0)
    await page.keyboard.press('Delete')
    await page.keyboard.press('F2')
    expect(await page.getByRole('textbox', { name: 'New name' }).count()).toBe(0)
    await page.keyboard.press('Home')
    await rings(page, 'Project 0')
    await page.keyboard.press('Delete')
    await page.getByText('Project 0 was moved to the trash').waitFor()
    expect(await trashOf(user)).toEqual(['Project 0'])
  })

  test('when the first key follows a touch, which shows no ring; that key shows it', async () => {
    const user = await buildOwner()
    const { page } = await browser.open(tablet)
    await enter(page, user)
    await row(page, a).tap()
    const preview = page.getByRole('dialog', { name: a })
    await preview.waitFor()
    await preview.getByRole('button', { name: 'Close' }).first().tap()
    await preview.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(a)
    await rings(page)
    await page.keyboard.press('Delete')
    await rings(page, a)
    await page.keyboard.press('Delete')
    await page.getByText(`${a} was moved to the trash`).waitFor()
    expect(await trashOf(user)).toEqual([a])
  })
})

describe('with a selection', () => {
  test('of one item, every key acts on it, wherever the focus ring is', async () => {
    const user = await buildOwner()
    const { page } = await browser.open()
    await enter(page, user)
    await row(page, a).click({ modifiers: ['Control'] })
    await page.keyboard.press('ArrowDown')
    await rings(page, b)
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menu', { name: `Actions for ${a}` }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await page.keyboard.press('End')
    await rings(page, c)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: a }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await clickBlank(page)
    await page.keyboard.press('F2')
    await page.getByLabel(`New name for ${a}`).waitFor()
    await page.keyboard.press('Escape')
    await clickBlank(page)
    await page.keyboard.press('Delete')
    await page.getByText(`${a} was moved to the trash`).waitFor()
    expect(await trashOf(user)).toEqual([a])
  })

  test('of several items, keys for one item do nothing, and the menu key opens the menu of all', async () => {
    const user = await buildOwner()
    const { page } = await browser.open()
    await enter(page, user)
    await row(page, a).click({ modifiers: ['Control'] })
    await row(page, b).click({ modifiers: ['Control'] })
    await page.keyboard.press('ArrowDown')
    await rings(page, c)
    for (const key of ['F2', 'Enter', ' ']) await page.keyboard.press(key)
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await page.getByRole('textbox', { name: 'New name' }).count()).toBe(0)
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menu', { name: 'Actions for 2 items' }).getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('2 items were moved to the trash').waitFor()
    expect(await trashOf(user)).toEqual([a, b])
  })
})

test('a click beside all rows makes the details show the folder again, and a click in the details does not', async () => {
  const user = await buildUser(server)
  const folder = await buildFolder(user, 'Holder')
  await buildFile(user, { name: a, parent_id: folder.id })
  const { page } = await browser.open()
  await enter(page, user, `/files/${folder.id}`)
  await page.getByRole('button', { name: 'Show details' }).click()
  const details = page.getByRole('complementary', { name: 'Details' })
  await row(page, a).click()
  await details.getByText('Document · ').waitFor()
  await details.getByText(a).first().click()
  await details.getByText('Document · ').waitFor()
  await clickBlank(page)
  await details.getByText('Holder').first().waitFor()
  await details.getByText('Document · ').waitFor({ state: 'detached' })
  expect(await row(page, a).getAttribute('data-current')).toBe(null)
})
