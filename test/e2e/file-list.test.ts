/** The file list: sorting, moving, renaming, selecting, the keyboard, and failures of the server. */
import { describe, expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { plantFiles } from '../support/planted.ts'
import { dragOnto, enter, listedNames, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

/** Builds a user with a folder, a PDF and two texts of different sizes. */
async function buildOwner(): Promise<{ user: BuiltUser; folderId: number }> {
  const user = await buildUser(server)
  const folder = await buildFolder(user, 'Folder')
  await buildFile(user, { name: 'a10.txt' }, 'x'.repeat(3000))
  await buildFile(user, { name: 'a9.txt' }, 'x')
  await buildFile(user, { name: 'B.pdf' }, 'x'.repeat(2000))
  return { user, folderId: folder.id }
}

const namesOf = async (user: BuiltUser, parentId: number | null = null): Promise<string[]> => {
  const { folders, files } = await user.call(listFiles, { parent_id: parentId })
  return [...folders, ...files].map(({ name }) => name)
}

test('the column heads sort with folders first, and reverse the order at the second click', async () => {
  const { user } = await buildOwner()
  const { page } = await browser.open()
  await enter(page, user)
  const expectOrder = (names: string[]) => expect.poll(() => listedNames(page)).toEqual(names)
  await expectOrder(['Folder', 'a9.txt', 'a10.txt', 'B.pdf'])
  await page.getByRole('button', { name: 'Name', exact: true }).click()
  await expectOrder(['Folder', 'B.pdf', 'a10.txt', 'a9.txt'])
  await page.getByRole('button', { name: 'Size', exact: true }).click()
  await expectOrder(['Folder', 'a9.txt', 'B.pdf', 'a10.txt'])
  await page.getByRole('button', { name: 'Type', exact: true }).click()
  await expectOrder(['Folder', 'B.pdf', 'a9.txt', 'a10.txt'])
  await page.getByRole('button', { name: 'Date', exact: true }).click()
  await expectOrder(['Folder', 'a10.txt', 'a9.txt', 'B.pdf'])
  await expect.poll(() => page.getByRole('columnheader', { name: 'Date' }).getAttribute('aria-sort')).toBe('ascending')
})

describe('moving in the file list', () => {
  test('an item dropped on a folder moves into it, and Undo moves it back', async () => {
    const { user, folderId } = await buildOwner()
    const { page, offences } = await browser.open()
    await enter(page, user)
    await dragOnto(page, row(page, 'a9.txt'), row(page, 'Folder'))
    await page.getByText('was moved to Folder').waitFor()
    await expect.poll(() => namesOf(user, folderId)).toEqual(['a9.txt'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await row(page, 'a9.txt').waitFor()
    await expect.poll(() => namesOf(user, folderId)).toEqual([])
    expect(offences).toEqual([])
  })

  test('a drag moves all selected items, and a breadcrumb accepts them', async () => {
    const { user, folderId } = await buildOwner()
    await buildFile(user, { name: 'one.txt', parent_id: folderId })
    await buildFile(user, { name: 'two.txt', parent_id: folderId })
    const { page } = await browser.open()
    await enter(page, user, `/files/${folderId}`)
    await row(page, 'one.txt').click({ modifiers: ['Control'] })
    await row(page, 'two.txt').click({ modifiers: ['Control'] })
    await page.getByText('2 selected').waitFor()
    await dragOnto(page, row(page, 'two.txt'), page.getByRole('link', { name: 'Home' }))
    await page.getByText('This folder is empty').waitFor()
    await expect.poll(() => namesOf(user)).toEqual(expect.arrayContaining(['one.txt', 'two.txt']))
  })

  test('an item returns to its place when the server refuses to move it', async () => {
    const { user, folderId } = await buildOwner()
    await buildFile(user, { name: 'a9.txt', parent_id: folderId })
    const { page } = await browser.open()
    await enter(page, user)
    await dragOnto(page, row(page, 'a9.txt'), row(page, 'Folder'))
    await page.getByRole('alert').getByText('Move failed').waitFor()
    await row(page, 'a9.txt').waitFor()
  })
})

describe('renaming in the file list', () => {
  test('Escape, an unchanged name and an empty name send no request', async () => {
    const { user } = await buildOwner()
    const { page } = await browser.open()
    const calls: string[] = []
    page.on('request', request => request.url().includes('/rename') && calls.push(request.url()))
    await enter(page, user)
    const field = page.getByLabel('New name for a9.txt')
    for (const end of [
      () => field.press('Escape'),
      () => field.press('Enter'),
      () => field.fill('  ').then(() => field.press('Enter')),
    ]) {
      await row(page, 'a9.txt').click()
      await page.keyboard.press('F2')
      await end()
      await field.waitFor({ state: 'detached' })
    }
    expect(calls).toEqual([])
    await expect.poll(() => namesOf(user)).toContain('a9.txt')
  })

  test('a new name is saved when the field loses the focus', async () => {
    const { user } = await buildOwner()
    const { page } = await browser.open()
    await enter(page, user)
    await row(page, 'a9.txt').click()
    await page.keyboard.press('F2')
    await page.getByLabel('New name for a9.txt').fill('z.txt')
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).click()
    await row(page, 'z.txt').waitFor()
    await expect.poll(() => namesOf(user)).toContain('z.txt')
  })

  test('a taken name shows an error, and the old name returns', async () => {
    const { user } = await buildOwner()
    const { page } = await browser.open()
    await enter(page, user)
    await row(page, 'a9.txt').click()
    await page.keyboard.press('F2')
    await page.getByLabel('New name for a9.txt').fill('B.pdf')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Rename failed').waitFor()
    await row(page, 'a9.txt').waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByText('Rename failed').waitFor({ state: 'detached' })
  })
})

describe('selecting in the file list', () => {
  test('Ctrl and Shift select items, and Delete and Undo apply to all of them', async () => {
    const { user } = await buildOwner()
    const { page } = await browser.open()
    await enter(page, user)
    await row(page, 'a9.txt').click({ modifiers: ['Control'] })
    await row(page, 'B.pdf').click({ modifiers: ['Shift'] })
    await page.getByRole('toolbar', { name: 'Selection' }).getByText('3 selected').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('3 items were moved to the trash').waitFor()
    await expect.poll(() => listedNames(page)).toEqual(['Folder'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => listedNames(page)).toEqual(['Folder', 'a9.txt', 'a10.txt', 'B.pdf'])
  })

  test('a selected folder is not downloaded, and a failed download shows an error', async () => {
    const { user } = await buildOwner()
    const { page } = await browser.open()
    await enter(page, user)
    await row(page, 'Folder').click({ modifiers: ['Control'] })
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    await page.getByText('No files selected for download (folders cannot be downloaded)').waitFor()
    await page.keyboard.press('Escape')
    await page.route('**/download', route => route.fulfill({ status: 404 }))
    await row(page, 'a9.txt').hover()
    await page.getByRole('button', { name: 'Download a9.txt' }).click()
    await page.getByText('Download failed').waitFor()
  })
})

test('the keyboard alone moves the focus, opens, goes back, selects, renames and deletes', async () => {
  const { user, folderId } = await buildOwner()
  await buildFile(user, { name: 'inner.txt', parent_id: folderId })
  const { page, offences } = await browser.open()
  await enter(page, user)
  await row(page, 'Folder').waitFor()
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  const press = (...keys: string[]) =>
    keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve())

  await press('ArrowDown')
  await expect.poll(focused).toBe('Folder')
  await press('Enter')
  await expect.poll(focused).toBe('inner.txt')
  await press('Backspace')
  await expect.poll(focused).toBe('Folder')
  await press('End')
  await expect.poll(focused).toBe('B.pdf')
  await press('ArrowUp', 'Control+ ')
  await page.getByText('1 selected').waitFor()
  await press('Control+a')
  await page.getByText('4 selected').waitFor()
  await press('Escape')
  await page.getByText('selected').waitFor({ state: 'detached' })
  await press('F2', 'Control+a')
  await page.keyboard.type('c.txt')
  await press('Enter')
  await expect.poll(focused).toBe('c.txt')
  await expect.poll(() => listedNames(page)).toEqual(['Folder', 'a9.txt', 'B.pdf', 'c.txt'])
  await press('Delete')
  await page.getByText('was moved to the trash').waitFor()
  await expect.poll(focused).toBe('B.pdf')
  await expect.poll(() => namesOf(user)).toEqual(['Folder', 'a9.txt', 'B.pdf'])
  expect(offences).toEqual([])
})

test('a listing that fails shows an error above the rows, and Retry loads it', async () => {
  const { user } = await buildOwner()
  const { page } = await browser.open()
  await enter(page, user)
  await row(page, 'a9.txt').waitFor()
  await page.route('**/api/files?*', route => route.abort())
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByRole('alert').getByText('Failed to load files').waitFor()
  expect(await listedNames(page)).toHaveLength(4)
  await page.unroute('**/api/files?*')
  await buildFile(user, { name: 'new.txt' })
  await page.getByRole('alert').getByRole('button', { name: 'Retry' }).click()
  await row(page, 'new.txt').waitFor()
  await page.getByText('Failed to load files').waitFor({ state: 'detached' })
})

test('a page of the listing that fails is requested once, and again by Retry', async () => {
  const user = await buildUser(server)
  const folder = await buildFolder(user, 'Hundreds')
  await plantFiles(server, user, folder.id, 300)
  const { page } = await browser.open()
  let asked = 0
  await page.route('**/api/files?*cursor*', route => {
    asked += 1
    return route.fulfill({ status: 500, json: {} })
  })
  await enter(page, user, `/files/${folder.id}`)
  await row(page, 'Project 0').waitFor()
  await page.keyboard.press('End')
  await page.getByRole('alert').getByText('Failed to load files').waitFor()
  const before = asked
  // These actions take long enough for a loop of requests to show.
  await page.keyboard.press('Home')
  await row(page, 'Project 0').click()
  await row(page, 'Project 10').click()
  expect([before, asked]).toEqual([1, 1])
  await page.unroute('**/api/files?*cursor*')
  await page.getByRole('alert').getByRole('button', { name: 'Retry' }).click()
  await page.getByText('Failed to load files').waitFor({ state: 'detached' })
  await page.keyboard.press('End')
  await row(page, 'Report 299 of the year.pdf').waitFor()
})

test('a slow listing shows a loading placeholder until it arrives', async () => {
  const { user, folderId } = await buildOwner()
  const { page } = await browser.open()
  await enter(page, user)
  await row(page, 'Folder').waitFor()
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route('**/api/files?*', async route => {
    await held
    await route.continue()
  })
  await page.getByRole('link', { name: 'Folder', exact: true }).click()
  await page.getByRole('status', { name: 'Loading' }).waitFor()
  release()
  await page.getByText('This folder is empty').waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/files/${folderId}`)
})

test('a folder of 5,000 items draws only the rows in view, and End reaches its last row', async () => {
  const user = await buildUser(server)
  const folder = await buildFolder(user, 'Thousands')
  await plantFiles(server, user, folder.id, 5000)
  const { page, offences } = await browser.open()
  await enter(page, user, `/files/${folder.id}`)
  await page.getByText('5,000 items').waitFor()
  await row(page, 'Project 0').waitFor()
  expect((await listedNames(page)).length).toBeLessThan(60)
  await page.keyboard.press('End')
  const last = row(page, 'Report 4999 of the year.pdf')
  await last.waitFor()
  await expect.poll(() => last.evaluate(element => element === document.activeElement)).toBe(true)
  expect((await listedNames(page)).length).toBeLessThan(60)
  await page.keyboard.press('Home')
  await row(page, 'Project 0').waitFor()
  expect(offences).toEqual([])
})
