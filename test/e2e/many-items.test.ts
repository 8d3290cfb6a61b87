/** Acts on hundreds of items: one act with its progress, a Stop, a true list meanwhile, and one report at the end. */
import type { Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { batchFiles, listFavorites, listFiles } from '../../src/api/files.ts'
import { listTrash } from '../../src/api/trash.ts'
import { type BuiltUser, buildFolder, buildUser } from '../support/factories.ts'
import { plantFiles } from '../support/planted.ts'
import { findBarriersInBothThemes } from './accessible.ts'
import { enter, phone, row } from './browser.ts'
import { fact, panel } from './details-panel.ts'
import { browser, openSite, server } from './site.ts'

openSite()

/** Builds a user with 300 items in a folder. */
async function buildMany() {
  const user = await buildUser(server)
  const folder = await buildFolder(user, 'Hundreds')
  await plantFiles(server, user, folder.id, 300)
  const { folders, files } = await user.call(listFiles, { parent_id: folder.id })
  return { user, folderId: folder.id, ids: [...folders, ...files].map(({ id }) => id) }
}

const totalOf = async (user: BuiltUser, folderId: number) =>
  (await user.call(listFiles, { parent_id: folderId, limit: 1 })).total
const trashedOf = async (user: BuiltUser) => (await user.call(listTrash, { limit: 1 })).total

/** Holds calls of a page, so that a test lets one after the other through. */
async function holdEach(page: Page, address = '**/api/files/batch') {
  const held: Route[] = []
  let isFree = false
  await page.route(address, route => (isFree ? route.continue() : void held.push(route)))
  return {
    /** Lets the next call through once it is there. */
    async pass(): Promise<void> {
      await expect.poll(() => held.length).toBeGreaterThan(0)
      await held.shift()?.continue()
    },
    async passAll(): Promise<void> {
      isFree = true
      for (const route of held.splice(0)) await route.continue()
    },
  }
}

const act = (page: Page) => page.getByRole('status').filter({ has: page.getByRole('progressbar') })
const stop = (page: Page) => act(page).getByRole('button', { name: 'Stop' })

async function selectAll(page: Page): Promise<void> {
  await page.keyboard.press('Control+a')
  await page.getByText('300 selected').waitFor()
}

/** Opens the folder, and selects all items. */
async function openAll({ user, folderId }: Awaited<ReturnType<typeof buildMany>>) {
  const { page, offences } = await browser.open()
  await enter(page, user, `/files/${folderId}`)
  await row(page, 'Project 0').waitFor()
  await selectAll(page)
  return { page, offences }
}

describe('deleting many items', () => {
  test('shows its progress, while the list and the details show what is still there', async () => {
    const many = await buildMany()
    const { page, offences } = await openAll(many)
    await page.keyboard.press(']')
    await panel(page).getByText('300 items').waitFor()
    const batches = await holdEach(page)
    await page.keyboard.press('Delete')
    await act(page).getByText('Moving to the trash: 0 of 300').waitFor()
    await page.getByText('200 items').waitFor()
    expect(await page.getByText('This folder is empty').count()).toBe(0)
    expect(await findBarriersInBothThemes(page)).toEqual([])
    await batches.pass()
    await act(page).getByText('Moving to the trash: 100 of 300').waitFor()
    await fact(page, 'Holds')
      .getByText(/^\d+ folders?, /)
      .waitFor()
    await batches.passAll()
    await page.getByText('300 items were moved to the trash').waitFor()
    await page.getByText('This folder is empty').waitFor()
    await fact(page, 'Holds').getByText('0 folders, 0 files').waitFor()
    expect(await act(page).count()).toBe(0)
    expect(await trashedOf(many.user)).toBe(300)
    expect(offences).toEqual([])
  })

  test('stops when asked: the rest stays, selected, and Undo brings the others back', async () => {
    const many = await buildMany()
    const { page } = await openAll(many)
    const batches = await holdEach(page)
    await page.keyboard.press('Delete')
    await batches.pass()
    await act(page).getByText('100 of 300').waitFor()
    await stop(page).click()
    await act(page).getByText('Stopping').waitFor()
    await batches.passAll()
    const report = page.getByRole('status').filter({ hasText: /^\d+ items were moved to the trash, \d+ were left/ })
    await report.waitFor()
    const left = await totalOf(many.user, many.folderId)
    expect(left).toBeGreaterThan(0)
    await report.getByText(`${300 - left} items were moved to the trash, ${left} were left`).waitFor()
    await page.getByText(`${left} selected`).waitFor()
    await report.getByRole('button', { name: 'Undo' }).click()
    await page.getByText(`${300 - left} items were restored`).waitFor()
    await page.getByRole('main').getByText('300 items', { exact: true }).waitFor()
    expect(await totalOf(many.user, many.folderId)).toBe(300)
  })

  test('takes the items out of the selection meanwhile, so that no key acts on them again', async () => {
    const many = await buildMany()
    const { page } = await openAll(many)
    const batches = await holdEach(page)
    await page.keyboard.press('Delete')
    await act(page).waitFor()
    expect(await page.getByText(/selected$/).count()).toBe(0)
    const waiting = row(page, 'Report 299 of the year.pdf')
    await page.keyboard.press('End')
    await expect.poll(() => waiting.getAttribute('aria-disabled')).toBe('true')
    await page.keyboard.press('Delete')
    await page.keyboard.press('s')
    await batches.passAll()
    await page.getByText('300 items were moved to the trash').waitFor()
    expect(await trashedOf(many.user)).toBe(300)
    expect((await many.user.call(listFavorites, {})).total).toBe(0)
  })

  test('reports how many failed and why, and selects those', async () => {
    const many = await buildMany()
    const { page } = await openAll(many)
    await many.user.call(batchFiles, { action: 'trash', ids: many.ids.slice(0, 2) })
    await page.keyboard.press('Delete')
    await page.getByText('298 items were moved to the trash, 2 failed').waitFor()
    await page.getByRole('alert').getByText('Failed to move items to trash').waitFor()
    await page
      .getByRole('alert')
      .getByText(/^2 of 300 items: .*not found/i)
      .waitFor()
  })

  test('ends when the server fails, says how many were not tried, and selects all that are left', async () => {
    const many = await buildMany()
    const { page } = await openAll(many)
    const failure = { success: false, message: 'No luck', error: 'internal', request_id: 'x' }
    const asked: string[] = []
    await page.route('**/api/files/batch', route => {
      asked.push(route.request().url())
      return route.fulfill({ status: 500, json: failure })
    })
    await page.keyboard.press('Delete')
    const strip = page.getByRole('alert').filter({ hasText: 'Failed to move items to trash' })
    await strip.getByText('100 of 300 items: No luck. 200 items were not tried').waitFor()
    await page.getByText('300 selected').waitFor()
    expect(asked).toHaveLength(1)
  })

  test('asks before the page is left meanwhile', async () => {
    const many = await buildMany()
    const { page } = await openAll(many)
    const batches = await holdEach(page)
    await page.keyboard.press('Delete')
    await act(page).waitFor()
    await page.getByRole('link', { name: 'Tags', exact: true }).click()
    await page.getByText('No tags yet').waitFor()
    await act(page).getByText('0 of 300').waitFor()
    const question = page.waitForEvent('dialog')
    const reloading = page.reload({ timeout: 5000 }).catch(() => undefined)
    await (await question).dismiss()
    await reloading
    await batches.passAll()
    await page.getByText('300 items were moved to the trash').waitFor()
  })

  test('shows the progress and Stop on a phone', async () => {
    const many = await buildMany()
    const { page } = await browser.open(phone)
    await enter(page, many.user, `/files/${many.folderId}`)
    await page.getByRole('button', { name: 'Folder actions' }).click()
    await page.getByRole('button', { name: 'Select all' }).click()
    await page.getByText('300 selected').waitFor()
    const batches = await holdEach(page)
    await page.getByRole('button', { name: 'Delete' }).click()
    await act(page).getByText('0 of 300').waitFor()
    const box = await stop(page).boundingBox()
    expect(box?.height).toBeGreaterThanOrEqual(44)
    expect(await findBarriersInBothThemes(page)).toEqual([])
    await batches.passAll()
    await page.getByText('300 items were moved to the trash').waitFor()
  })
})

describe('one act with one report', () => {
  test('is a restoration from the trash, and a permanent deletion', async () => {
    const many = await buildMany()
    const { user, folderId, ids } = many
    await user.call(batchFiles, { action: 'trash', ids })
    const { page, offences } = await browser.open()
    await enter(page, user, '/trash')
    await page.getByRole('grid', { name: 'Trash' }).waitFor()
    await selectAll(page)
    const batches = await holdEach(page)
    await page.keyboard.press('r')
    await act(page).getByText('Restoring: 0 of 300').waitFor()
    expect(await page.getByText('Trash is empty').count()).toBe(0)
    await batches.pass()
    await act(page).getByText('100 of 300').waitFor()
    await stop(page).click()
    await batches.passAll()
    await page.getByText(/^\d+ items were restored, \d+ were left/).waitFor()
    const left = await trashedOf(user)
    expect(left).toBe(300 - (await totalOf(user, folderId)))

    await page.getByText(`${left} selected`).waitFor()
    const others = await holdEach(page)
    await page.keyboard.press('Delete')
    const dialog = page.getByRole('dialog', { name: 'Delete Permanently' })
    await dialog.getByRole('button', { name: 'Delete Permanently' }).click()
    await dialog.waitFor({ state: 'detached' })
    await act(page).getByText(`Deleting permanently: 0 of ${left}`).waitFor()
    await others.passAll()
    await page.getByText(`${left} items were permanently deleted`).waitFor()
    await page.getByText('Trash is empty').waitFor()
    expect(await trashedOf(user)).toBe(0)
    expect(offences).toEqual([])
  })

  test('is a move, and its Undo too', async () => {
    const many = await buildMany()
    const { user, folderId } = many
    const target = await buildFolder(user, 'Target')
    const { page, offences } = await openAll(many)
    const batches = await holdEach(page)
    await page.keyboard.press('m')
    const picker = page.getByRole('dialog')
    await picker.getByRole('button', { name: 'Home' }).click()
    await picker.getByText('Target', { exact: true }).click()
    await picker.getByRole('button', { name: 'Select This Location' }).click()
    await act(page).getByText('Moving to Target: 0 of 300').waitFor()
    await batches.pass()
    await act(page).getByText('100 of 300').waitFor()
    expect(await page.getByText('This folder is empty').count()).toBe(0)
    await batches.passAll()
    await page.getByText('300 items were moved to Target').waitFor()
    expect(await totalOf(user, target.id)).toBe(300)
    const back = await holdEach(page)
    await page.getByRole('button', { name: 'Undo' }).click()
    await act(page).getByText('Moving back: 0 of 300').waitFor()
    await back.passAll()
    await page.getByText('300 items were moved back').waitFor()
    expect(await totalOf(user, folderId)).toBe(300)
    await page.getByRole('main').getByText('300 items', { exact: true }).waitFor()
    expect(offences).toEqual([])
  })

  test('is adding to the favorites, which Undo takes back for those that were none before', async () => {
    const many = await buildMany()
    const { user, ids } = many
    await user.call(batchFiles, { action: 'favorite', is_favorite: true, ids: ids.slice(0, 20) })
    const { page } = await openAll(many)
    const batches = await holdEach(page)
    await page.keyboard.press('s')
    await act(page).getByText('Adding to favorites: 0 of 280').waitFor()
    await batches.passAll()
    await page.getByText('280 items were added to favorites').waitFor()
    await page.getByText('300 selected').waitFor()
    expect((await user.call(listFavorites, {})).total).toBe(300)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('280 items were removed from favorites').waitFor()
    expect((await user.call(listFavorites, {})).total).toBe(20)
  })

  test('is a copy, which can be stopped between two items', async () => {
    const many = await buildMany()
    const { user } = many
    const target = await buildFolder(user, 'Target')
    const { page } = await openAll(many)
    const copies = await holdEach(page, '**/copy')
    await row(page, 'Project 0').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Copy to…' }).click()
    const picker = page.getByRole('dialog')
    await picker.getByRole('button', { name: 'Home' }).click()
    await picker.getByText('Target', { exact: true }).click()
    await picker.getByRole('button', { name: 'Select This Location' }).click()
    await act(page).getByText('Copying to Target: 0 of 300').waitFor()
    await copies.pass()
    await act(page).getByText('1 of 300').waitFor()
    await stop(page).click()
    await copies.passAll()
    await page.getByText(/^\d+ items were copied to Target, \d+ were left/).waitFor()
    expect(await totalOf(user, target.id)).toBeLessThan(10)
  })
})

test('while the rest of a long list is still being selected, keys act on nothing', async () => {
  const user = await buildUser(server)
  const folder = await buildFolder(user, 'Thousands')
  await plantFiles(server, user, folder.id, 1500)
  const { page } = await browser.open()
  await enter(page, user, `/files/${folder.id}`)
  await row(page, 'Project 0').click()
  await page.route('**/api/files?*cursor*', () => undefined)
  await page.keyboard.press('Control+a')
  await page.getByText('Selecting 1,500 items…').waitFor()
  const asked: string[] = []
  page.on('request', request => request.method() !== 'GET' && asked.push(request.url()))
  await page.keyboard.press('Delete')
  await page.keyboard.press('s')
  await page.keyboard.press('m')
  await page.keyboard.press('Escape')
  await page.getByText('Selecting').waitFor({ state: 'detached' })
  await row(page, 'Project 0').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(asked).toEqual([])
})

test('a renamed item gets its old name back by Undo, from the list and from the details', async () => {
  const many = await buildMany()
  const { page, offences } = await browser.open()
  await enter(page, many.user, `/files/${many.folderId}`)
  const rename = async (from: string, to: string) => {
    await row(page, from).click()
    await page.keyboard.press('F2')
    await page.getByLabel(`New name for ${from}`).fill(to)
    await page.keyboard.press('Enter')
    await page.getByText(`${from} was renamed to ${to}`).waitFor()
  }
  await rename('Project 0', 'Plan')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Plan was renamed back to Project 0').waitFor()
  await row(page, 'Project 0').waitFor()
  await rename('Project 0', 'Plan')
  await row(page, 'Plan').waitFor()
  await page.keyboard.press('Control+z')
  await row(page, 'Project 0').waitFor()
  const names = async () => (await many.user.call(listFiles, { parent_id: many.folderId })).folders.map(f => f.name)
  await expect.poll(names).toContain('Project 0')
  expect(offences).toEqual([])
})
