/** The folder tree and the storage meter: loading, showing and hiding, the keyboard, and narrow windows. */
import { describe, expect, test } from 'vitest'
import { renameFile } from '../../src/api/files.ts'
import { nameColumns } from '../../src/files/item-name.ts'
import { buildChain, buildFolder, buildUser } from '../support/factories.ts'
import { onlyNightly } from '../support/rounds.ts'
import { findBarriers, findBarriersInBothThemes } from './accessible.ts'
import { chooseFiles, enter, phone, row } from './browser.ts'
import { buildOwner, chevron, entry } from './folder-owner.ts'
import { browser, openSite, server } from './site.ts'

openSite()

describe('the folder tree', () => {
  test('loads only the folders of an entry, and only when the entry opens', async () => {
    const { user, docs } = await buildOwner(server)
    const { page, offences } = await browser.open()
    const asked: string[] = []
    page.on('request', request => request.url().includes('only=folders') && asked.push(request.url()))
    await enter(page, user)
    await entry(page, 'Docs').waitFor()
    expect(asked).toHaveLength(1)
    await expect.poll(() => entry(page, 'Docs').getAttribute('aria-expanded')).toBe('false')
    // An entry without folders inside cannot open.
    await expect.poll(() => entry(page, 'Photos').getAttribute('aria-expanded')).toBeNull()
    await chevron(page, 'Docs').click()
    await entry(page, '2026').waitFor()
    expect(asked).toHaveLength(2)
    expect(asked[1]).toContain(`parent_id=${docs}`)
    await chevron(page, 'Docs').click()
    await entry(page, '2026').waitFor({ state: 'detached' })
    // The current folder stays the same when an entry opens.
    await expect.poll(() => entry(page, 'Home').getAttribute('aria-current')).toBe('page')
    await entry(page, 'Docs').click()
    await row(page, '2026').waitFor()
    await expect.poll(() => entry(page, 'Docs').getAttribute('aria-current')).toBe('page')
    expect(offences).toEqual([])
  })

  test('opens down to the current folder, and shows folders that were made, renamed or deleted', async () => {
    const { user, docs, year } = await buildOwner(server)
    const { page } = await browser.open()
    await enter(page, user, `/files/${year}`)
    await entry(page, '2026').waitFor()
    await expect.poll(() => entry(page, '2026').getAttribute('aria-current')).toBe('page')
    await page.getByRole('button', { name: 'New Folder' }).first().click()
    await page.getByLabel('Folder Name').fill('March')
    await page.keyboard.press('Enter')
    await row(page, 'March').waitFor()
    await expect.poll(() => entry(page, '2026').getAttribute('aria-expanded')).toBe('false')
    await user.call(renameFile, { id: docs, name: 'Papers' })
    await page.getByRole('button', { name: 'Refresh' }).click()
    await chevron(page, '2026').click()
    await entry(page, 'March').waitFor()
    await row(page, 'March').click({ modifiers: ['Control'] })
    await page.keyboard.press('Delete')
    await entry(page, 'March').waitFor({ state: 'detached' })
    await entry(page, 'Papers').waitFor()
  })

  test('shows a hint while there are no folders', async () => {
    const user = await buildUser(server)
    const { page } = await browser.open()
    await enter(page, user)
    await page.getByText('No folders yet').waitFor()
    await buildFolder(user, 'First')
    await page.getByRole('button', { name: 'New Folder' }).first().click()
    await page.getByLabel('Folder Name').fill('Second')
    await page.keyboard.press('Enter')
    await entry(page, 'Second').waitFor()
    expect(await page.getByText('No folders yet').count()).toBe(0)
  })

  test('shows an error in its place when folders fail to load, and Retry loads them', async () => {
    const { user } = await buildOwner(server)
    const { page } = await browser.open()
    await page.route('**/api/files?*only=folders*', route => route.abort())
    await enter(page, user)
    const failure = page.getByRole('treeitem', { name: 'Failed to load folders' })
    await failure.waitFor()
    // The failure does not affect the list.
    await row(page, 'Docs').waitFor()
    await page.unroute('**/api/files?*only=folders*')
    await failure.getByRole('button', { name: 'Retry' }).click()
    await entry(page, 'Docs').waitFor()
  })

  test('draws only the entries in view of 1,500 folders, and loads more on scrolling', async () => {
    const user = await buildUser(server)
    const { db } = server.deps
    const space = await db.row<{ id: number }>('SELECT id FROM spaces WHERE owner_id = $1', [user.id])
    const rows = Array.from({ length: 1500 }, (_, index) => ({
      space_id: space?.id ?? 0,
      owner_id: user.id,
      parent_id: null,
      ...nameColumns(`f ${index}`, true),
      is_directory: 1 as const,
      size: 0,
      modified_at: null,
      created_at: index,
      updated_at: index,
    }))
    await db.touch(() => db.insertAll(db.files, rows))
    const { page } = await browser.open()
    await enter(page, user)
    await entry(page, 'f 3').waitFor()
    expect(await page.getByRole('treeitem').count()).toBeLessThan(80)
    await entry(page, 'Home').focus()
    await page.keyboard.press('End')
    await entry(page, 'f 999').waitFor()
    // The second page of a thousand loads when the end of the first is in view.
    await entry(page, 'f 1000').waitFor()
    await page.keyboard.press('End')
    await entry(page, 'f 1499').waitFor()
    expect(await page.getByRole('treeitem').count()).toBeLessThan(80)
  })
})

describe('showing and hiding the folder tree', () => {
  test('a button and a key hide and show the tree, its state is remembered, and the focus follows', async () => {
    const { user } = await buildOwner(server)
    const { page } = await browser.open()
    await enter(page, user)
    await page.getByRole('button', { name: 'Hide folders' }).click()
    const show = page.getByRole('button', { name: 'Show folders' })
    await expect.poll(() => show.evaluate(button => button === document.activeElement)).toBe(true)
    await page.reload()
    await show.waitFor()
    expect(await page.getByRole('tree').count()).toBe(0)
    await show.click()
    await entry(page, 'Docs').waitFor()
    await page.keyboard.press('[')
    await show.waitFor()
    await page.keyboard.press('[')
    await entry(page, 'Docs').waitFor()
    // In a text field the key types a bracket.
    await page.getByRole('button', { name: 'New Folder' }).first().click()
    await page.getByLabel('Folder Name').press('[')
    await expect.poll(() => page.getByLabel('Folder Name').inputValue()).toBe('[')
    await expect.poll(() => page.getByRole('tree').count()).toBe(1)
  })

  test('the tree is a drawer in windows between phone and desktop width', async context => {
    onlyNightly(context)
    const { user } = await buildOwner(server)
    const { page, offences } = await browser.open({ viewport: { width: 1000, height: 700 } })
    await enter(page, user)
    await row(page, 'Docs').waitFor()
    expect(await page.getByRole('tree').count()).toBe(0)
    await page.getByRole('button', { name: 'Show folders' }).click()
    const drawer = page.getByRole('dialog', { name: 'Folders' })
    await drawer.getByRole('treeitem', { name: 'Docs' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await drawer.getByRole('treeitem', { name: 'Docs' }).click()
    await drawer.waitFor({ state: 'detached' })
    await row(page, '2026').waitFor()
    expect(offences).toEqual([])
  })

  test('the tree is a sheet at the bottom on a phone', async () => {
    const { user } = await buildOwner(server)
    const { page, offences } = await browser.open(phone)
    await enter(page, user)
    await page.getByRole('button', { name: 'Folders' }).tap()
    const sheet = page.getByRole('dialog', { name: 'Folders' })
    await sheet.getByRole('treeitem', { name: 'Docs' }).waitFor()
    await sheet.getByText(/ used$/).waitFor()
    expect(await findBarriersInBothThemes(page)).toEqual([])
    await sheet.getByRole('treeitem', { name: 'Docs' }).tap()
    await sheet.waitFor({ state: 'detached' })
    await row(page, '2026').waitFor()
    expect(offences).toEqual([])
  })
})

test('the keyboard alone moves through the tree, opens and closes entries, and opens folders', async () => {
  const { user } = await buildOwner(server)
  const { page, offences } = await browser.open()
  await enter(page, user)
  await entry(page, 'Docs').waitFor()
  const expectFocus = (name: string) =>
    expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(name)
  await entry(page, 'Home').focus()
  await page.keyboard.press('ArrowDown')
  await expectFocus('Docs')
  await page.keyboard.press('ArrowRight')
  await entry(page, '2026').waitFor()
  await expectFocus('Docs')
  await page.keyboard.press('ArrowRight')
  await expectFocus('2026')
  await page.keyboard.press('ArrowLeft')
  await expectFocus('Docs')
  await page.keyboard.press('ArrowLeft')
  await entry(page, '2026').waitFor({ state: 'detached' })
  await page.keyboard.press('End')
  await expectFocus('Photos')
  await page.keyboard.press('d')
  await expectFocus('Docs')
  await page.keyboard.press('Enter')
  await row(page, '2026').waitFor()
  await expectFocus('Docs')
  await page.keyboard.press('Home')
  await page.keyboard.press(' ')
  await row(page, 'a.txt').waitFor()
  // Tab stops once in the tree, however many entries it has.
  await expect.poll(() => page.locator('[role="tree"] [tabindex="0"]').count()).toBe(1)
  expect(offences).toEqual([])
})

test('a folder without a name is refused, also when Enter sends the form', async () => {
  const { page } = await browser.open()
  await enter(page, await buildUser(server))
  await page.getByRole('button', { name: 'New Folder' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create New Folder' })
  await dialog.getByLabel('Folder Name').fill('  ')
  await page.keyboard.press('Enter')
  await dialog.getByRole('alert').getByText('Folder name is required').waitFor()
  await expect.poll(() => dialog.getByRole('button', { name: 'Create Folder' }).isDisabled()).toBe(true)
})

test('the storage meter grows with each upload, and changes its colour as the quota fills', async () => {
  const user = await buildUser(server, { storageQuota: 1000 })
  const { page, offences } = await browser.open()
  await enter(page, user)
  const meter = page.getByRole('meter', { name: 'Storage' })
  await page.getByText('0 Bytes of 1000 Bytes used').waitFor()
  const fill = (bytes: number) =>
    chooseFiles(page, [{ name: `${bytes}.bin`, mimeType: 'text/plain', buffer: Buffer.alloc(bytes) }])
  const level = () => meter.locator('div').getAttribute('data-level')
  await fill(800)
  await page.getByText('800 Bytes of 1000 Bytes used').waitFor()
  expect(await level()).toBeNull()
  await fill(10)
  await page.getByText('810 Bytes of 1000 Bytes used').waitFor()
  expect(await level()).toBe('warning')
  await fill(190)
  await page.getByText('1000 Bytes of 1000 Bytes used').waitFor()
  expect(await level()).toBe('danger')
  await expect.poll(() => meter.getAttribute('aria-valuenow')).toBe('100')
  expect(offences).toEqual([])
})

test('the tree and its menu have no accessibility barriers in either theme', async () => {
  const { user, year } = await buildOwner(server)
  await buildChain(user, 3, year)
  const { page } = await browser.open()
  await enter(page, user, `/files/${year}`)
  await entry(page, '2026').waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
  await entry(page, 'Docs').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'New Folder' }).waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
})
