/** What a row of the file list shows and what can be done with it, one row or many at a time. */
import { describe, expect, test } from 'vitest'
import { favoriteFile, listFiles, listTrash, trashFile } from '../../src/api/files.ts'
import { tagFiles } from '../../src/api/tags.ts'
import { decideFile } from '../../src/api/validation.ts'
import { type BuiltUser, buildFile, buildFolder, buildTag, buildUser, turnSettings } from '../support/factories.ts'
import { plantFiles } from '../support/planted.ts'
import { findBarriersInBothThemes } from './accessible.ts'
import { enter, listedNames, phone, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

/** A favourite with four tags, a plain file and a folder. */
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
  test('shows the star, two tags and how many more, and the three actions once it is pointed at', async () => {
    const user = await buildOwner()
    const { page, offences } = await browser.open()
    await enter(page, user)
    const marked = row(page, 'marked.txt')
    await marked.getByRole('img', { name: 'Favorite' }).waitFor()
    expect(await marked.getByText('Final').isVisible()).toBe(true)
    expect(await marked.getByText('Press').isVisible()).toBe(true)
    expect(await marked.getByText('Urgent').isVisible()).toBe(false)
    expect(await marked.getByText('+2').getAttribute('title')).toBe('Final, Press, Q4, Urgent')
    const download = marked.getByRole('button', { name: 'Download marked.txt' })
    const opacity = () => download.evaluate(button => getComputedStyle(button).opacity)
    expect(await opacity()).toBe('0')
    await marked.hover()
    await expect.poll(opacity).toBe('1')
    await marked.getByRole('button', { name: 'Remove marked.txt from favorites' }).click()
    await marked.getByRole('img', { name: 'Favorite' }).waitFor({ state: 'detached' })
    expect(offences).toEqual([])
  })

  test('says of a file that it waits or was rejected, and why', async () => {
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

  test('is marked by a click, and opened by a double click or by its folder’s name', async () => {
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

  test('that has gone in another tab says so and leaves', async () => {
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
    await page.getByRole('alert').getByText('Rename failed').waitFor()
    await row(page, 'plain.txt').waitFor({ state: 'detached' })
  })
})

test('a refused name stays in its field, with the reason above', async () => {
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
  test('grows and shrinks with Shift, by clicks and by arrows', async () => {
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

  test('of all items loads those that are missing first, and acts on every one', async () => {
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

  test('can be given up while what it needs is loaded', async () => {
    const user = await buildUser(server)
    const folder = await buildFolder(user, 'Thousands')
    await plantFiles(server, user, folder.id, 2500)
    const { page } = await browser.open()
    await enter(page, user, `/files/${folder.id}`)
    await row(page, 'Project 0').waitFor()
    await page.route('**/api/files?*cursor*', () => undefined)
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await page.getByText('Selecting 2,500 items…').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Selecting').waitFor({ state: 'detached' })
    expect(await page.getByText('selected').count()).toBe(0)
  })

  test('tells what folders cannot take part in, and what failed of many', async () => {
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

test('what fails for one item is told by its name, and nothing is lost', async () => {
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

test('a refusal puts back what was refused alone, and shows what others did meanwhile', async () => {
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

test('what was done is told before the list has been read again', async () => {
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

describe('axe finds nothing', { timeout: 60_000 }, () => {
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
