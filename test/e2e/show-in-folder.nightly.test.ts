/** The way from an item to its folder, from every list that shows items of many folders. */
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { copyFile, favoriteFile, moveFile } from '../../src/api/files.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { trashFile } from '../../src/api/trash.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { plantFiles } from '../support/planted.ts'
import { desktop, enter, listedNames, phone, row } from './browser.ts'
import { panel, section } from './details-panel.ts'
import { itemOf, rings } from './list-items.ts'
import { browser, openSite, server } from './site.ts'

openSite()

interface Owned {
  user: BuiltUser
  folder: FileDetails
  file: FileDetails
}

/** Builds a user whose favourite `target.txt` is the last item of a folder that needs several pages. */
async function buildOwner(others = 0): Promise<Owned> {
  const user = await buildUser(server)
  const folder = await buildFolder(user, 'Docs')
  if (others > 0) await plantFiles(server, user, folder.id, others)
  const file = await buildFile(user, { name: 'target.txt', parent_id: folder.id })
  await user.call(favoriteFile, { id: file.id, is_favorite: true })
  return { user, folder, file }
}

/** Waits until the folder is open, with the file in view and marked. */
async function isShown(page: Page, { folder, file }: Owned): Promise<void> {
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/files/${folder.id}`)
  await rings(page, file.name)
  expect(new URL(page.url()).search).toBe('')
}

const choose = (page: Page, name: string, kind: 'desktop' | 'phone' = 'desktop') =>
  page.getByRole(kind === 'phone' ? 'button' : 'menuitem', { name, exact: true }).click()

const show = (page: Page, kind: 'desktop' | 'phone' = 'desktop') => choose(page, 'Show in folder', kind)

const more = (scope: Page | Locator, name: string) =>
  scope.getByRole('button', { name: `More actions for ${name}`, exact: true })

describe('from a search', () => {
  test('F shows the found item in its folder, even far down in a long one', async () => {
    const owned = await buildOwner(2500)
    const { page, offences } = await browser.open()
    await enter(page, owned.user, '/search?q=target')
    await itemOf(page, 'target.txt').focus()
    await page.keyboard.press('f')
    await isShown(page, owned)
    await page.goBack()
    await page.getByText('Found 1 result for "target"').waitFor()
    await page.goForward()
    await isShown(page, owned)
    expect(offences).toEqual([])
  })

  test('the mark stays where the user puts it after the item was shown', async () => {
    const owned = await buildOwner()
    await buildFile(owned.user, { name: 'other.txt', parent_id: owned.folder.id })
    const { page } = await browser.open()
    await enter(page, owned.user, '/search?q=target')
    await itemOf(page, 'target.txt').focus()
    await page.keyboard.press('f')
    await isShown(page, owned)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Space')
    await page.getByRole('dialog', { name: 'other.txt' }).waitFor()
    await page.keyboard.press('Escape')
    await rings(page, 'other.txt')
  })

  test('on a phone the menu leads there too, and the item is marked', async () => {
    const owned = await buildOwner()
    const { page } = await browser.open(phone)
    await enter(page, owned.user, '/search?q=target')
    await more(page, 'target.txt').tap()
    await show(page, 'phone')
    await isShown(page, owned)
  })

  test('on a phone the details close on the way', async () => {
    const owned = await buildOwner()
    const { page } = await browser.open(phone)
    await enter(page, owned.user, '/search?q=target')
    await more(page, 'target.txt').tap()
    await choose(page, 'Details', 'phone')
    await panel(page).getByRole('link', { name: '/Docs' }).tap()
    await isShown(page, owned)
    await row(page, 'target.txt').tap({ trial: true })
  })
})

describe.each([
  ['desktop', desktop],
  ['phone', phone],
] as const)('on a %s', (kind, device) => {
  test('a favorite shows its folder', async () => {
    const owned = await buildOwner()
    const { page, offences } = await browser.open(device)
    await enter(page, owned.user, '/favorites')
    await more(page, 'target.txt').click()
    await show(page, kind)
    await isShown(page, owned)
    expect(offences).toEqual([])
  })

  test('a recent file of the overview shows its folder', async () => {
    const owned = await buildOwner()
    const { page, offences } = await browser.open(device)
    await enter(page, owned.user, '/overview')
    await more(page, 'target.txt').click()
    await show(page, kind)
    await isShown(page, owned)
    expect(offences).toEqual([])
  })
})

describe('a click with the right button', () => {
  test.each(['/favorites', '/overview'])('opens the same menu on %s', async path => {
    const owned = await buildOwner()
    const { page } = await browser.open()
    await enter(page, owned.user, path)
    await page
      .getByRole('button', { name: /target\.txt/ })
      .first()
      .click({ button: 'right' })
    await show(page)
    await isShown(page, owned)
  })
})

test('the menu of a favorite acts on it', async () => {
  const owned = await buildOwner()
  const { page } = await browser.open()
  await enter(page, owned.user, '/favorites')
  await more(page, 'target.txt').click()
  expect(await page.getByRole('menuitem', { name: 'Rename' }).count()).toBe(0)
  await choose(page, 'Delete')
  await page.getByText('was moved to the trash').waitFor()
  await page.getByText('No favorites yet').waitFor()
})

describe('from the details', () => {
  test('of an item on screen, its folder needs no way', async () => {
    const { user, folder } = await buildOwner()
    const { page } = await browser.open()
    await enter(page, user, `/files/${folder.id}`)
    await row(page, 'target.txt').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Show in folder' }).count()).toBe(0)
  })

  test('of a preview the folder below is shown, with the previewed file marked', async () => {
    const owned = await buildOwner()
    await buildFile(owned.user, { name: 'another.txt', parent_id: owned.folder.id })
    const { page } = await browser.open()
    await enter(page, owned.user, `/files/${owned.folder.id}`)
    await itemOf(page, 'another.txt').focus()
    await page.keyboard.press('Space')
    const dialog = page.getByRole('dialog')
    await page.getByRole('dialog', { name: 'another.txt' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('dialog', { name: 'target.txt' }).waitFor()
    await dialog.getByRole('button', { name: 'Details' }).click()
    await dialog.getByRole('button', { name: 'More actions' }).click()
    await show(page)
    await isShown(page, owned)
    await expect.poll(() => dialog.count()).toBe(0)
  })

  test('of a copy its activity leads to the original', async () => {
    const owned = await buildOwner()
    const { user, file } = owned
    await user.call(copyFile, { id: file.id, parent_id: null, name: 'copied.txt' })
    const { page } = await browser.open()
    await enter(page, user)
    await row(page, 'copied.txt').click()
    await page.getByRole('button', { name: 'Show details' }).click()
    await section(page, 'Activity').getByText('You made it as a copy of target.txt').waitFor()
    await section(page, 'Activity').getByRole('link', { name: 'target.txt' }).click()
    await isShown(page, owned)
  })

  test('of a copy whose original is gone its activity says only that it is a copy', async () => {
    const { user, file } = await buildOwner()
    await user.call(copyFile, { id: file.id, parent_id: null, name: 'copied.txt' })
    await user.call(trashFile, { id: file.id })
    const { page } = await browser.open()
    await enter(page, user)
    await row(page, 'copied.txt').click()
    await page.getByRole('button', { name: 'Show details' }).click()
    await section(page, 'Activity').getByText('You made it as a copy').waitFor()
    expect(await section(page, 'Activity').getByRole('link').count()).toBe(0)
  })

  test('of a moved item its activity leads to the folder', async () => {
    const { user, folder } = await buildOwner()
    const moved = await buildFile(user, { name: 'moved.txt' })
    await user.call(moveFile, { id: moved.id, parent_id: folder.id })
    await user.call(moveFile, { id: moved.id, parent_id: null })
    const { page } = await browser.open()
    await enter(page, user)
    await row(page, 'moved.txt').click()
    await page.getByRole('button', { name: 'Show details' }).click()
    await section(page, 'Activity').getByText('You moved it to Home').waitFor()
    await section(page, 'Activity').getByText('You moved it to Docs').waitFor()
    await section(page, 'Activity').getByRole('link', { name: 'Docs' }).click()
    await expect.poll(() => listedNames(page)).toEqual(['target.txt'])
  })
})

describe('from the trash', () => {
  test.each([
    ['by its menu', (page: Page) => choose(page, 'Open original folder')],
    ['by F', (page: Page) => page.keyboard.press('Escape').then(() => page.keyboard.press('f'))],
  ])('the folder that an item was in opens %s', async (_way, act) => {
    const { user, folder, file } = await buildOwner()
    await buildFile(user, { name: 'stays.txt', parent_id: folder.id })
    await user.call(trashFile, { id: file.id })
    const { page } = await browser.open()
    await enter(page, user, '/trash')
    await row(page, 'target.txt').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Restore' }).waitFor()
    await act(page)
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/files/${folder.id}`)
    await expect.poll(() => listedNames(page)).toEqual(['stays.txt'])
  })

  test('a folder that is gone too is said to be gone', async () => {
    const { user, folder, file } = await buildOwner()
    await user.call(trashFile, { id: file.id })
    await user.call(trashFile, { id: folder.id })
    const { page } = await browser.open()
    await enter(page, user, '/trash')
    await row(page, 'target.txt').click({ button: 'right' })
    await choose(page, 'Open original folder')
    await page.getByText('The original folder is no longer there').waitFor()
    expect(new URL(page.url()).pathname).toBe('/trash')
  })
})
