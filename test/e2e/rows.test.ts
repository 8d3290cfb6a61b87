/** Rows of the file list: what they show, and actions on one row or on many. */
import { describe, expect, test } from 'vitest'
import { favoriteFile, listFiles } from '../../src/api/files.ts'
import { tagFiles } from '../../src/api/tags.ts'
import { listTrash, trashFile } from '../../src/api/trash.ts'
import { decideFile } from '../../src/api/validation.ts'
import { type BuiltUser, buildFile, buildFolder, buildTag, buildUser, turnSettings } from '../support/factories.ts'
import { plantFiles } from '../support/planted.ts'
import { findBarriersInBothThemes } from './accessible.ts'
import { enter, listedNames, phone, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'
import { holdCalls } from './uploading.ts'

openSite()

/** Builds a user with a favourite that has four tags, a plain file and a folder. */
async function buildOwner(): Promise<BuiltUser> {
  const user = await buildUser(server)
  await buildFolder(user, 'Folder')
  const marked = await buildFile(user, { name: 'marked.txt' }, 'x'.repeat(2048))
  await buildFile(user, { name: 'plain.txt' }, 'x'.repeat(1024))
  await user.call(favoriteFile, { id: marked.id, is_favorite: true })
  for (const name of ['Final', 'Press', 'Q4', 'Urgent']) {
    const tag = await buildTag(user, name)
    await user.call(tagFiles, { tag_id: tag.id, file_ids: [marked.id] })
  }
  return user
}

describe('a row', () => {
  test('shows the star, two tags and the number of the others, and its actions when the pointer is on it', async () => {
    const user = await buildOwner()
    const { page, offences } = await browser.open()
    await enter(page, user)
    const marked = row(page, 'marked.txt')
    await marked.getByRole('img', { name: 'Favorite' }).waitFor()
    await expect.poll(() => marked.getByText('Final').isVisible()).toBe(true)
    await expect.poll(() => marked.getByText('Press').isVisible()).toBe(true)
    expect(await marked.getByText('Urgent').isVisible()).toBe(false)
    await expect.poll(() => marked.getByText('+2').getAttribute('title')).toBe('Final, Press, Q4, Urgent')
    const download = marked.getByRole('button', { name: 'Download marked.txt' })
    const opacity = () => download.evaluate(button => getComputedStyle(button).opacity)
    expect(await opacity()).toBe('0')
    await marked.hover()
    await expect.poll(opacity).toBe('1')
    await marked.getByRole('button', { name: 'Remove marked.txt from favorites' }).click()
    await marked.getByRole('img', { name: 'Favorite' }).waitFor({ state: 'detached' })
    expect(offences).toEqual([])
  })

  test('shows its checkbox while it is selected, and its actions under the pointer or focus alone', async () => {
    const { page } = await browser.open()
    await enter(page, await buildOwner())
    const opacityOf = (role: 'button' | 'checkbox', name: string) =>
      page.getByRole(role, { name, exact: true }).evaluate(element => getComputedStyle(element).opacity)
    for (const name of ['marked.txt', 'plain.txt']) {
      await row(page, name).hover()
      await page.getByRole('checkbox', { name: `Select ${name}` }).click()
    }
    await page.getByText('2 selected').waitFor()
    await expect.poll(() => opacityOf('button', 'Download plain.txt')).toBe('1')
    await expect.poll(() => opacityOf('button', 'Download marked.txt')).toBe('0')
    expect(await opacityOf('checkbox', 'Select marked.txt')).toBe('1')
    await page.mouse.move(0, 0)
    await row(page, 'marked.txt').focus()
    await expect.poll(() => opacityOf('button', 'Download marked.txt')).toBe('1')
    await expect.poll(() => opacityOf('button', 'Download plain.txt')).toBe('0')
  })

  test('shows that a file is pending or rejected, with the reason', async () => {
    const admin = await buildUser(server, { role: 'admin' })
    await turnSettings(admin, { validation_enabled: true, allow_self_validation: true })
    const rejected = await buildFile(admin, { name: 'rejected.txt' })
    await buildFile(admin, { name: 'waits.txt' })
    await admin.call(decideFile, { file_id: rejected.id, status: 'rejected', comment: 'Wrong year' })
    await turnSettings(admin, { validation_enabled: false })
    const { page } = await browser.open()
    await enter(page, admin)
    await row(page, 'waits.txt').getByText('Pending').waitFor()
    await row(page, 'rejected.txt').getByTitle('Wrong year').getByText('Rejected', { exact: true }).hover()
    await row(page, 'rejected.txt').getByText(': Wrong year').waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Grid view' }).click()
    await page.getByRole('gridcell', { name: 'rejected.txt' }).getByTitle('Wrong year').getByText('Rejected').hover()
  })

  test('takes the focus on a click, and opens a folder by its name', async () => {
    const user = await buildOwner()
    const { page } = await browser.open()
    await enter(page, user)
    const isMarked = (name: string) => row(page, name).evaluate(element => element === document.activeElement)
    await row(page, 'plain.txt').click()
    await expect.poll(() => isMarked('plain.txt')).toBe(true)
    await row(page, 'Folder').click()
    await expect.poll(() => isMarked('Folder')).toBe(true)
    await expect.poll(() => new URL(page.url()).pathname).toBe('/files')
    await page.getByRole('grid').getByRole('link', { name: 'Folder' }).click()
    await page.getByText('This folder is empty').waitFor()
  })

  test('shows an error and disappears when its file was deleted in another tab', async () => {
    const user = await buildOwner()
    const { page } = await browser.open()
    await enter(page, user)
    await row(page, 'plain.txt').waitFor()
    const { files } = await user.call(listFiles, { parent_id: null })
    await user.call(trashFile, { id: files.find(({ name }) => name === 'plain.txt')?.id ?? 0 })
    await row(page, 'plain.txt').click()
    await page.keyboard.press('F2')
    await page.getByLabel('New name for plain.txt').fill('other.txt')
    await page.keyboard.press('Enter')
    const strip = page.getByRole('alert').filter({ hasText: 'Rename failed' })
    await strip.getByText(/^plain\.txt: .*not found/i).waitFor()
    await row(page, 'plain.txt').waitFor({ state: 'detached' })
  })
})

test('a name that the server refuses stays in its field, with the reason above the list', async () => {
  const user = await buildOwner()
  const { page } = await browser.open()
  await enter(page, user)
  await row(page, 'plain.txt').click()
  await page.keyboard.press('F2')
  const field = page.getByLabel('New name for plain.txt')
  await field.fill('marked.txt')
  await field.press('Enter')
  await page.getByRole('alert').getByText('Rename failed').waitFor()
  await expect.poll(() => field.inputValue()).toBe('marked.txt')
  await field.fill('free.txt')
  await field.press('Enter')
  await row(page, 'free.txt').waitFor()
  await page.getByText('Rename failed').waitFor({ state: 'detached' })
})

describe('the selection', () => {
  test('grows and shrinks by clicks and arrow keys with Shift', async () => {
    const user = await buildUser(server)
    for (const name of ['a', 'b', 'c', 'd', 'e']) await buildFile(user, { name })
    const { page } = await browser.open()
    await enter(page, user)
    const count = (text: string) => page.getByRole('toolbar', { name: 'Selection' }).getByText(text).waitFor()
    await row(page, 'b').click()
    await row(page, 'd').click({ modifiers: ['Shift'] })
    await count('3 selected')
    await row(page, 'c').click({ modifiers: ['Shift'] })
    await count('2 selected')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await count('4 selected')
    await page.keyboard.press('Shift+ArrowUp')
    await count('3 selected')
    for (const name of ['b', 'c', 'd']) await row(page, name).getByRole('checkbox').click()
    await page.getByRole('toolbar', { name: 'Selection' }).waitFor({ state: 'detached' })
  })

  test('loads the rest of a long list before it selects all items, and deletes every one', async () => {
    const user = await buildUser(server)
    const folder = await buildFolder(user, 'Hundreds')
    await plantFiles(server, user, folder.id, 300)
    const { page } = await browser.open()
    await enter(page, user, `/files/${folder.id}`)
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await page.getByText('300 selected').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('300 items were moved to the trash').waitFor()
    await page.getByText('This folder is empty').waitFor()
    expect((await user.call(listTrash, {})).total).toBe(300)
  })

  test('takes no key while the list loads, says so, and can be cancelled', async () => {
    const user = await buildUser(server)
    const folder = await buildFolder(user, 'Thousands')
    await plantFiles(server, user, folder.id, 2500)
    const { page } = await browser.open()
    await enter(page, user, `/files/${folder.id}`)
    await row(page, 'Project 0').waitFor()
    await page.route('**/api/files?*cursor*', () => undefined)
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await page.getByText('Selecting 2,500 items…').waitFor()
    await page.keyboard.press('Delete')
    await page.getByRole('status').getByText('Not all items are selected yet.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Selecting').waitFor({ state: 'detached' })
    expect(await page.getByText(/\d selected/).count()).toBe(0)
  })

  test('says which actions exclude folders, and shows an error when an action on many items fails', async () => {
    const user = await buildOwner()
    const { page } = await browser.open()
    await enter(page, user)
    await row(page, 'Folder').click({ modifiers: ['Control'] })
    await page.getByRole('button', { name: 'Tag', exact: true }).click()
    await page.getByText('No files selected for tagging (folders cannot be tagged)').waitFor()
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    await page.getByText('No files selected for download (folders cannot be downloaded)').waitFor()
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await page.getByText('3 selected').waitFor()
    await page.route('**/download', route => route.fulfill({ status: 500 }))
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    await page.getByRole('alert').getByText('Bulk download failed').waitFor()
    await page.route('**/files/batch', route => route.abort())
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alert').getByText('Failed to move items to trash').waitFor()
    await expect.poll(() => listedNames(page)).toHaveLength(3)
  })
})

test('a failed action on one item shows an error, and the item stays', async () => {
  const user = await buildOwner()
  const { page } = await browser.open()
  await enter(page, user)
  await page.route('**/trash', route => route.abort())
  await page.route('**/favorite', route => route.abort())
  await row(page, 'plain.txt').click()
  await page.keyboard.press('s')
  await page.getByRole('alert').getByText('Failed to toggle favorite').waitFor()
  await page.keyboard.press('Delete')
  await page.getByRole('alert').getByText('Failed to move to trash').waitFor()
  await row(page, 'plain.txt').waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByRole('alert').waitFor({ state: 'detached' })
})

test('a refused deletion puts back its own item and keeps the changes made meanwhile', async () => {
  const user = await buildUser(server)
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await buildFile(user, { name })
  const { page } = await browser.open()
  await enter(page, user)
  let refuse: () => void = () => undefined
  const held = new Promise<void>(resolve => {
    refuse = resolve
  })
  await page.route('**/trash', async route => {
    await held
    await route.abort()
  })
  await row(page, 'b.txt').click()
  await page.keyboard.press('Delete')
  await row(page, 'b.txt').waitFor({ state: 'detached' })
  await row(page, 'a.txt').click()
  await page.keyboard.press('F2')
  await page.getByLabel('New name for a.txt').fill('renamed.txt')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await user.call(listFiles, {})).files.map(({ name }) => name)).toContain('renamed.txt')
  await buildFile(user, { name: 'late.txt' })
  refuse()
  await page.getByRole('alert').getByText('Failed to move to trash').waitFor()
  expect(await row(page, 'a.txt').count()).toBe(0)
  await row(page, 'late.txt').waitFor()
  expect(await listedNames(page)).toEqual(['b.txt', 'c.txt', 'late.txt', 'renamed.txt'])
})

test('an error stays on screen when a rename succeeds after it', async () => {
  const user = await buildUser(server)
  for (const name of ['a.txt', 'b.txt']) await buildFile(user, { name })
  const { page } = await browser.open()
  await enter(page, user)
  const letGo = await holdCalls(page, '**/rename')
  await row(page, 'a.txt').click()
  await page.keyboard.press('F2')
  await page.getByLabel('New name for a.txt').fill('renamed.txt')
  await page.keyboard.press('Enter')
  await page.route('**/trash', route => route.abort())
  await row(page, 'b.txt').click()
  await page.keyboard.press('Delete')
  const alert = page.getByRole('alert').getByText('Failed to move to trash')
  await alert.waitFor()
  const answered = page.waitForResponse('**/rename')
  letGo()
  await (await answered).finished()
  await page.waitForLoadState('networkidle')
  await expect.poll(() => alert.count()).toBe(1)
  await expect.poll(() => listedNames(page)).toEqual(['b.txt', 'renamed.txt'])
})

test('a notice about an action appears before the list has reloaded', async () => {
  const user = await buildOwner()
  const { page } = await browser.open()
  await enter(page, user)
  await row(page, 'plain.txt').click()
  await page.route('**/api/files?*', () => undefined)
  await page.keyboard.press('Delete')
  await page.getByText('plain.txt was moved to the trash').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('plain.txt was restored').waitFor()
  await page.getByRole('button', { name: 'New Folder' }).click()
  await page.getByLabel('Folder Name').fill('At once')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})

describe('there are no accessibility barriers', () => {
  test('in the list, with a selection, a menu and a name being changed', async () => {
    const user = await buildOwner()
    const { page } = await browser.open()
    await enter(page, user)
    await row(page, 'marked.txt').hover()
    expect(await findBarriersInBothThemes(page)).toEqual([])
    await row(page, 'plain.txt').click({ modifiers: ['Control'] })
    await page.getByText('1 selected').waitFor()
    expect(await findBarriersInBothThemes(page)).toEqual([])
    await row(page, 'plain.txt').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor()
    expect(await findBarriersInBothThemes(page)).toEqual([])
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByLabel('New name for plain.txt').waitFor()
    expect(await findBarriersInBothThemes(page)).toEqual([])
  })

  test('on a phone, with and without a selection', async () => {
    const user = await buildOwner()
    const { page } = await browser.open(phone)
    await enter(page, user)
    await row(page, 'marked.txt').waitFor()
    expect(await findBarriersInBothThemes(page)).toEqual([])
    await page.getByRole('checkbox', { name: 'Select plain.txt' }).tap()
    await page.getByText('1 selected').waitFor()
    expect(await findBarriersInBothThemes(page)).toEqual([])
  })
})
