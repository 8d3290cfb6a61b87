/** The keyboard: the help, the shortcuts, and a whole visit without the mouse. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { trashFile } from '../../src/api/trash.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { plantFiles } from '../support/planted.ts'
import { onlyNightly } from '../support/rounds.ts'
import { findBarriersInBothThemes } from './accessible.ts'
import { desktop, enter, holdRequests, listedNames, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
const reaches = (page: Page, name: string) => expect.poll(() => focused(page)).toBe(name)

async function buildOwner(): Promise<BuiltUser> {
  const user = await buildUser(server)
  await buildFolder(user, 'Folder')
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await buildFile(user, { name })
  return user
}

test('? opens the help of the keyboard on a screen other than the list', async () => {
  const user = await buildOwner()
  const { page, offences } = await browser.open()
  await enter(page, user, '/trash')
  await page.getByText('Trash is empty').waitFor()
  await press(page, '?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  for (const title of ['Move around', 'Select', 'Act on items', 'In the preview of a waiting file', 'Make']) {
    await help.getByRole('heading', { name: title }).waitFor()
  }
  await expect.poll(() => help.getByRole('term').count()).toBe(26)
  expect(await findBarriersInBothThemes(page)).toEqual([])
  await press(page, 'Escape')
  await help.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await help.waitFor()
  expect(offences).toEqual([])
})

test('a user without a mouse can sign in, make a folder, star, rename, search, delete and undo', async () => {
  const user = await buildOwner()
  const { page, offences } = await browser.open()
  await page.goto('/')
  await page.getByLabel('Username').focus()
  await page.keyboard.type(user.username)
  await press(page, 'Tab')
  await page.keyboard.type(user.password)
  await press(page, 'Enter')
  await row(page, 'a.txt').waitFor()

  await press(page, 'n')
  await page.getByRole('dialog', { name: 'Create New Folder' }).waitFor()
  await page.keyboard.type('New one')
  await press(page, 'Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await reaches(page, 'New one')
  await press(page, 'ArrowDown')
  await reaches(page, 'a.txt')
  await press(page, 's')
  await row(page, 'a.txt').getByRole('img', { name: 'Favorite' }).waitFor()
  await press(page, 'F2', 'Control+a')
  await page.keyboard.type('renamed.txt')
  await press(page, 'Enter')
  await reaches(page, 'renamed.txt')

  await press(page, 'Shift+F10')
  await page.getByRole('menu').waitFor()
  await press(page, 'Escape')
  await reaches(page, 'renamed.txt')
  await press(page, ']')
  await page.getByRole('complementary', { name: 'Details' }).waitFor()
  await press(page, ']')
  await page.getByRole('complementary', { name: 'Details' }).waitFor({ state: 'detached' })

  await press(page, '/')
  await page.keyboard.type('renamed')
  await page.getByText('Found 1 result for "renamed"').waitFor()
  await press(page, 'Escape')
  await row(page, 'b.txt').waitFor()
  await press(page, 'Escape', 'ArrowDown', 'Control+a')
  await page.getByText('5 selected').waitFor()
  await press(page, 'Delete')
  await page.getByText('5 items were moved to the trash').waitFor()
  await page.getByText('This folder is empty').waitFor()
  await press(page, 'Control+z')
  await expect.poll(async () => (await listedNames(page)).length).toBe(5)
  expect((await user.call(listFiles, { parent_id: null })).total).toBe(5)
  expect(offences).toEqual([])
})

test('Ctrl+Space selects, Shift with arrows extends the selection, and keys in a text field are no shortcuts', async () => {
  const user = await buildOwner()
  const { page } = await browser.open()
  await enter(page, user)
  await row(page, 'a.txt').waitFor()
  const counts = (text: string) => page.getByRole('toolbar', { name: 'Selection' }).getByText(text).waitFor()
  await press(page, 'End', 'Control+ ')
  await counts('1 selected')
  await press(page, 'Shift+ArrowUp', 'Shift+ArrowUp')
  await counts('3 selected')
  await press(page, '/')
  await page.keyboard.type('s?')
  await press(page, 'Delete', 'Control+a')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await counts('3 selected')
  expect((await user.call(listFiles, { parent_id: null })).total).toBe(4)
})

test('Shift+F10 opens the menu at the row, not at the entry of the same name in the tree', async () => {
  const user = await buildOwner()
  await buildFolder(user, 'Second')
  const { page } = await browser.open()
  await enter(page, user)
  await page.getByRole('treeitem', { name: 'Second' }).waitFor()
  await row(page, 'Second').waitFor()
  await press(page, 'ArrowDown', 'Shift+F10')
  const menu = page.getByRole('menu')
  await menu.waitFor()
  const [box, at] = [await menu.boundingBox(), await row(page, 'Second').boundingBox()]
  expect(box?.x).toBeGreaterThanOrEqual(at?.x ?? Number.NaN)
})

test("U opens the browser's file dialog", async () => {
  const user = await buildOwner()
  const { page } = await browser.open()
  // Listen before the key is pressed: the dialog opens at once, and a later listener would miss it.
  const chooser = page.waitForEvent('filechooser', { timeout: 30_000 })
  await enter(page, user)
  await row(page, 'a.txt').waitFor()
  await press(page, 'u')
  await (await chooser).setFiles([{ name: 'sent.txt', mimeType: 'text/plain', buffer: Buffer.from('x') }])
  await row(page, 'sent.txt').waitFor()
})

test('keys do nothing to the previous list while a folder loads', async () => {
  const user = await buildUser(server)
  for (const name of ['Aaa', 'Bbb']) await buildFolder(user, name)
  const { page } = await browser.open()
  await enter(page, user)
  await row(page, 'Aaa').waitFor()
  const letThrough = await holdRequests(page, '**/api/files?*parent_id=*')
  await press(page, 'ArrowDown')
  await reaches(page, 'Aaa')
  await press(page, 'Enter', 'ArrowDown', 'Enter', 'm', 'Delete')
  await row(page, 'Aaa').waitFor({ state: 'detached' })
  await press(page, 'Delete', 'Control+a', 'Backspace', 'Delete')
  expect(await page.getByRole('dialog').count()).toBe(0)
  letThrough()
  await page.getByText('This folder is empty').waitFor()
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByText('Aaa').waitFor()
  expect((await user.call(listFiles, { parent_id: null })).total).toBe(2)
})

test('the focus goes back to where it was when a dialog is closed that was never open before', async context => {
  onlyNightly(context)
  const admin = await buildUser(server, { role: 'admin' })
  await buildFile(admin, { name: 'a.txt' })
  const gone = await buildFile(admin, { name: 'gone.txt' })
  await admin.call(trashFile, { id: gone.id })
  const { page, offences } = await browser.open()
  await enter(page, admin)
  const closed = async (title: string | RegExp) => {
    await page.getByRole('dialog', { name: title }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await row(page, 'a.txt').focus()
  for (const [key, title] of [
    ['?', 'Keyboard shortcuts'],
    ['t', 'Manage Tags'],
    ['p', /^Share/],
    ['m', 'Move 1 item'],
    ['n', 'Create New Folder'],
  ] as const) {
    await page.keyboard.press(key)
    await closed(title)
    await expect.poll(() => focused(page), { message: String(title) }).toBe('a.txt')
  }
  await page.goto('/trash')
  await row(page, 'gone.txt').focus()
  await page.keyboard.press('Delete')
  await closed('Delete Permanently')
  await expect.poll(() => focused(page)).toBe('gone.txt')
  await page.goto('/settings/users')
  await page.getByRole('button', { name: `Edit ${admin.username}` }).press('Enter')
  await closed(`Edit ${admin.username}`)
  await expect.poll(() => focused(page)).toBe(`Edit ${admin.username}`)
  expect(offences).toEqual([])
})

test('an item that is renamed by key stays in view and in reach of keys where it is sorted then', async () => {
  const user = await buildUser(server)
  await plantFiles(server, user, (await buildFolder(user, 'Many')).id, 200)
  const { page, offences } = await browser.open()
  await enter(page, user)
  await row(page, 'Many').focus()
  await press(page, 'Enter')
  await page.getByRole('heading', { name: 'Many' }).waitFor({ state: 'attached' })
  await expect.poll(async () => (await listedNames(page)).length).toBeGreaterThan(10)
  await press(page, 'End', 'F2')
  await page.getByRole('textbox', { name: /^New name/ }).fill('!.txt')
  await press(page, 'Enter')
  const top = () => row(page, '!.txt').evaluate(element => element.getBoundingClientRect().top)
  await expect.poll(top).toBeGreaterThan(100)
  await expect.poll(top).toBeLessThan(760)
  await reaches(page, '!.txt')
  await press(page, 'm')
  await page.getByRole('dialog', { name: 'Move 1 item' }).waitFor()
  expect(offences).toEqual([])
})

test('the down arrow leads from the search box to the first result', async () => {
  const user = await buildOwner()
  const { page, offences } = await browser.open()
  await enter(page, user)
  await press(page, '/')
  await page.keyboard.type('txt')
  await page.getByText('Found 3 results for "txt"').waitFor()
  await press(page, 'ArrowDown')
  await expect.poll(async () => (await listedNames(page))[0] === (await focused(page))).toBe(true)
  await press(page, 'f')
  await expect.poll(() => new URL(page.url()).pathname).toBe('/files')
  expect(offences).toEqual([])
})

test('the key of sharing says why it shares no two items at once', async () => {
  const { page } = await browser.open()
  await enter(page, await buildOwner())
  await row(page, 'a.txt').click({ modifiers: ['ControlOrMeta'] })
  await row(page, 'b.txt').click({ modifiers: ['ControlOrMeta'] })
  await page.keyboard.press('p')
  await page.getByText('Files and folders are shared one by one').waitFor()
})

test('a key that follows the end of a dialog at once is not lost', async () => {
  const user = await buildUser(server)
  await buildFile(user, { name: 'a.txt' })
  const { page } = await browser.open({ ...desktop, reducedMotion: 'no-preference' })
  await enter(page, user)
  await row(page, 'a.txt').click()
  await page.keyboard.press('m')
  await page.getByRole('button', { name: 'Select This Location' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('s')
  await row(page, 'a.txt').getByRole('img', { name: 'Favorite' }).waitFor()
})

test('what is typed right behind the key of the search is searched for', async () => {
  const user = await buildUser(server)
  await buildFile(user, { name: 'report.txt' })
  await buildFile(user, { name: 'other.txt' })
  const { page } = await browser.open({ viewport: { width: 600, height: 800 } })
  await enter(page, user, '/search?q=other')
  await row(page, 'other.txt').waitFor()
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByText('Total Files').waitFor()
  await page.keyboard.type('/repx')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('ort')
  await row(page, 'report.txt').waitFor()
  expect(await page.getByRole('searchbox').inputValue()).toBe('report')
  expect(await row(page, 'other.txt').count()).toBe(0)
})
