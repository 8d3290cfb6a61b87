/** The trash: restoring items, deleting them permanently, and the confirmations before that. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { listTrash, trashFile } from '../../src/api/trash.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { findBarriers } from './accessible.ts'
import { desktop, enter, holdRequests, phone, row, type TestBrowser } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

/** Builds a user who has deleted files of these names, 1024 bytes each, in this order. */
async function buildDeleter(...names: string[]): Promise<BuiltUser> {
  const user = await buildUser(server)
  for (const name of names) {
    const { id } = await buildFile(user, { name }, 'x'.repeat(1024))
    await user.call(trashFile, { id })
  }
  return user
}

async function openTrash(user: BuiltUser, options: Parameters<TestBrowser['open']>[0] = desktop) {
  const { page, offences } = await browser.open(options)
  await enter(page, user, '/trash')
  await page.getByRole('grid').waitFor()
  return { page, offences }
}

const trashed = async (user: BuiltUser) => (await user.call(listTrash, {})).files.map(({ name }) => name)
const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name })
const failure = { status: 500, json: { success: false, message: 'No luck', error: 'internal', request_id: '' } }

describe('the trash list', () => {
  test('shows the folder, size and remaining days of each item', async () => {
    const user = await buildDeleter('old.txt', 'forgotten.txt')
    const folder = await buildFolder(user, 'Projects')
    const inner = await buildFolder(user, 'Plans', folder.id)
    await buildFile(user, { name: 'plan.txt', parent_id: inner.id }, 'x'.repeat(2048))
    await user.call(trashFile, { id: inner.id })
    const { db } = server.deps
    const day = 24 * 60 * 60 * 1000
    await db.touch(() =>
      db.change("UPDATE files SET deleted_at = $1 WHERE owner_id = $2 AND name = 'old.txt'", [
        Date.now() - 25 * day,
        user.id,
      ]),
    )
    const { page, offences } = await openTrash(user)
    await page.getByText('Items in trash will be permanently deleted after 30 days.').waitFor()
    await page.getByText('They use 4.00 KB of your storage until then.').waitFor()
    await expect.poll(() => page.getByRole('heading', { name: 'Trash' }).locator('..').textContent()).toContain('3')
    const cells = (name: string) => row(page, name).getByRole('gridcell').allTextContents()
    expect((await cells('Plans')).slice(1, 4)).toEqual(['PlansFolder', '/Projects', '—'])
    expect((await cells('Plans'))[5]).toBe('30 days')
    expect((await cells('old.txt')).slice(2, 4)).toEqual(['/', '1.00 KB'])
    expect((await cells('old.txt'))[5]).toBe('5 days')
    await page.getByText('1 folder, 2 files').waitFor()
    expect(offences).toEqual([])
  })

  test("says 'Unknown' for an item without a time of deletion", async () => {
    const user = await buildDeleter('lost.txt')
    const { page } = await browser.open()
    await page.route('**/api/files/trash?*', async route => {
      const answer = await (await route.fetch()).json()
      answer.data.files[0].deleted_at = null
      await route.fulfill({ json: answer })
    })
    await enter(page, user, '/trash')
    await row(page, 'lost.txt').getByText('Unknown').waitFor()
  })

  test('shows an error when it fails to load, and Retry loads it', async () => {
    const { page } = await browser.open()
    await page.route('**/api/files/trash?*', route => route.fulfill(failure))
    await enter(page, await buildUser(server), '/trash')
    await page.getByRole('alert').getByText('Failed to load trash').waitFor()
    await page.unroute('**/api/files/trash?*')
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('Trash is empty').waitFor()
    expect(await page.getByRole('button', { name: 'Empty Trash' }).count()).toBe(0)
  })
})

describe('restoring', () => {
  test('puts an item back, and Undo returns it to the trash', async () => {
    const user = await buildDeleter('one.txt')
    const { page, offences } = await openTrash(user)
    await row(page, 'one.txt').hover()
    await page.getByRole('button', { name: 'Restore one.txt' }).click()
    await page.getByText('one.txt was restored to /').waitFor()
    await page.getByText('Trash is empty').waitFor()
    await expect.poll(() => trashed(user)).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).click()
    await row(page, 'one.txt').waitFor()
    expect(offences).toEqual([])
  })

  test('applies to several items, selected by mouse or keyboard', async () => {
    const user = await buildDeleter('a.txt', 'b.txt', 'c.txt', 'd.txt')
    const { page, offences } = await openTrash(user)
    await row(page, 'd.txt').click({ modifiers: ['ControlOrMeta'] })
    await row(page, 'b.txt').click({ modifiers: ['Shift'] })
    await page.getByText('3 selected').waitFor()
    await page.getByRole('toolbar').getByText('3.00 KB').waitFor()
    await page.getByRole('toolbar').getByRole('button', { name: 'Restore' }).click()
    await page.getByText('3 items were restored').waitFor()
    await expect.poll(() => trashed(user)).toEqual(['a.txt'])
    await page.getByRole('button', { name: 'Undo' }).click()
    for (const name of ['b.txt', 'c.txt', 'd.txt']) await row(page, name).waitFor()
    expect(await page.getByRole('toolbar').getByText('selected').count()).toBe(0)

    await page.keyboard.press('ControlOrMeta+a')
    await page.getByText('4 selected').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('4 selected').waitFor({ state: 'detached' })
    await page.keyboard.press('Home')
    await page.keyboard.press('Space')
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByText('2 selected').waitFor()
    await page.keyboard.press('r')
    await page.getByText('2 items were restored').waitFor()
    expect(offences).toEqual([])
  })

  test('applies to all items that are left when others were restored elsewhere', async () => {
    const user = await buildDeleter('one.txt', 'two.txt')
    const { page } = await browser.open()
    await page.route('**/api/files/trash?*', async route => {
      const response = await route.fetch()
      const body = await response.json()
      // The first page still counts an item that is gone by now.
      await route.fulfill({ response, json: { ...body, data: { ...body.data, total: body.data.total + 1 } } })
    })
    await enter(page, user, '/trash')
    await row(page, 'one.txt').click()
    await page.keyboard.press('Control+a')
    await page.getByText('2 selected').waitFor()
  })

  test('shows the reason when it fails, and the item stays in the trash', async () => {
    const user = await buildDeleter('one.txt')
    const { page } = await openTrash(user)
    await page.route('**/api/files/*/restore', route => route.fulfill(failure))
    await row(page, 'one.txt').hover()
    await page.getByRole('button', { name: 'Restore one.txt' }).click()
    const strip = page.getByRole('alert')
    await strip.getByText('Failed to restore item').waitFor()
    await strip.getByText('No luck').waitFor()
    await row(page, 'one.txt').waitFor()
    await strip.getByRole('button', { name: 'Dismiss' }).click()
    await strip.waitFor({ state: 'detached' })
  })
})

describe('deleting permanently', () => {
  test('asks first, and shows an error when it fails', async () => {
    const user = await buildDeleter('one.txt', 'two.txt')
    const { page, offences } = await openTrash(user)
    await row(page, 'one.txt').hover()
    await page.getByRole('button', { name: 'Delete one.txt permanently' }).click()
    const dialog = dialogOf(page, 'Delete Permanently')
    await dialog.getByText('one.txt will be deleted for good. This action cannot be undone.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => trashed(user)).toHaveLength(2)

    await page.route('**/api/files/*/permanent', route =>
      route.fulfill({ ...failure, json: { ...failure.json, message: '' } }),
    )
    await row(page, 'one.txt').hover()
    await page.getByRole('button', { name: 'Delete one.txt permanently' }).click()
    await dialog.getByRole('button', { name: 'Delete Permanently' }).click()
    await dialog.getByText('Failed to delete item').waitFor()
    await page.unroute('**/api/files/*/permanent')
    await dialog.getByRole('button', { name: 'Delete Permanently' }).click()
    await row(page, 'one.txt').waitFor({ state: 'detached' })
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => trashed(user)).toEqual(['two.txt'])
    expect(offences).toEqual([])
  })

  test('applies to all selected items, also by the Delete key', async () => {
    const user = await buildDeleter('a.txt', 'b.txt', 'c.txt')
    const { page } = await openTrash(user)
    await row(page, 'c.txt').click({ modifiers: ['ControlOrMeta'] })
    await row(page, 'b.txt').click()
    await page.keyboard.press('Delete')
    const dialog = dialogOf(page, 'Delete Permanently')
    await dialog.getByText('2 items will be deleted for good.').waitFor()
    await dialog.getByRole('button', { name: 'Delete Permanently' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => trashed(user)).toEqual(['a.txt'])
  })

  test('empties the whole trash after a confirmation, and shows that it is busy', async () => {
    const user = await buildDeleter('a.txt', 'b.txt', 'c.txt')
    const { page, offences } = await openTrash(user)
    await page.getByText('They use 3.00 KB').waitFor()
    const dialog = dialogOf(page, 'Empty Trash')
    const confirm = async () => {
      await page.getByRole('button', { name: 'Empty Trash' }).click()
      await dialog.getByText('All 3 items in the trash (3.00 KB) will be deleted for good.').waitFor()
      await dialog.getByRole('button', { name: 'Empty Trash' }).click()
    }
    await page.route('**/api/files/trash/empty', route => route.fulfill(failure))
    await confirm()
    await page.getByRole('alert').getByText('Failed to empty trash').waitFor()
    await expect.poll(() => trashed(user)).toHaveLength(3)

    await page.unroute('**/api/files/trash/empty')
    const release = await holdRequests(page, '**/api/files/trash/empty')
    await dialog.waitFor({ state: 'detached' })
    await confirm()
    await page.getByText('3 items are being deleted.').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Emptying...' }).isDisabled()).toBe(true)
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByText('Total Files').waitFor()
    await page.getByRole('link', { name: 'Trash' }).first().click()
    await page.getByText('3 items are being deleted.').waitFor()
    release()
    await page.getByText('3 items permanently deleted').waitFor()
    await page.getByText('Trash is empty').waitFor()
    await expect.poll(() => trashed(user)).toEqual([])
    expect(offences).toEqual([])
  })
})

test('only what has been in the trash for some days is deleted, if that is chosen', async () => {
  const user = await buildDeleter('ancient.txt', 'old.txt', 'fresh.txt')
  const { db } = server.deps
  const day = 24 * 60 * 60 * 1000
  for (const [name, days] of [['ancient.txt', 12] as const, ['old.txt', 8] as const])
    await db.touch(() =>
      db.change('UPDATE files SET deleted_at = $1 WHERE owner_id = $2 AND name = $3', [
        Date.now() - days * day,
        user.id,
        name,
      ]),
    )
  const { page, offences } = await openTrash(user)
  await page.getByRole('button', { name: 'Empty Trash' }).click()
  const dialog = dialogOf(page, 'Empty Trash')
  const choice = dialog.getByLabel('What to delete')
  await expect
    .poll(() => choice.locator('option').allTextContents())
    .toEqual(['All items', 'Deleted at least 1 day ago', 'Deleted at least 7 days ago', 'Deleted at least 14 days ago'])
  await choice.selectOption('Deleted at least 14 days ago')
  await dialog.getByText('Nothing in the trash was deleted so long ago.').waitFor()
  expect(await dialog.getByRole('button', { name: 'Delete Permanently' }).isDisabled()).toBe(true)
  await choice.selectOption('Deleted at least 7 days ago')
  await dialog.getByText('2 items in the trash, deleted at least 7 days ago, will be deleted for good.').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Delete Permanently' }).click()
  await page.getByText('2 items permanently deleted').waitFor()
  expect(await trashed(user)).toEqual(['fresh.txt'])
  await row(page, 'fresh.txt').waitFor()
  expect(offences).toEqual([])
})

test('on a phone the actions of an item are in a menu, and those of a selection below the list', async () => {
  const user = await buildDeleter('a.txt', 'b.txt', 'c.txt')
  const { page, offences } = await openTrash(user, phone)
  await page.getByRole('button', { name: 'More actions for c.txt' }).tap()
  const menu = dialogOf(page, 'Actions for c.txt')
  await menu.getByRole('button', { name: 'Restore' }).tap()
  await page.getByText('c.txt was restored to /').waitFor()
  await menu.waitFor({ state: 'detached' })
  await page.getByRole('checkbox', { name: 'Select a.txt' }).tap()
  await page.getByRole('checkbox', { name: 'Select b.txt' }).tap()
  await page.getByText('2 selected').waitFor()
  await page.getByRole('button', { name: 'Delete', exact: true }).tap()
  await dialogOf(page, 'Delete Permanently').getByRole('button', { name: 'Delete Permanently' }).tap()
  await page.getByText('Trash is empty').waitFor()
  expect(offences).toEqual([])
})

test.each([
  ['the desktop, light', { ...desktop, colorScheme: 'light' }],
  ['the desktop, dark', { ...desktop, colorScheme: 'dark' }],
  ['a phone, dark', { ...phone, colorScheme: 'dark' }],
] as const)('the trash has no accessibility barriers on %s', async (_name, look) => {
  const user = await buildDeleter(`${'W'.repeat(240)}.txt`, 'b.txt')
  const { page } = await openTrash(user, look)
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('checkbox', { name: 'Select b.txt' }).focus()
  await page.keyboard.press('Space')
  await page.getByText('1 selected').waitFor()
  await page.keyboard.press('Delete')
  await dialogOf(page, 'Delete Permanently').waitFor()
  expect(await findBarriers(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.viewport?.width)
})
