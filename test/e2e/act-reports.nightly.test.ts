/** An act on many items ends with one report: what was done, what failed and why, and its Undo. */
import { describe, expect, test } from 'vitest'
import { batchFiles, listFavorites, listFiles } from '../../src/api/files.ts'
import { buildFolder, buildUser } from '../support/factories.ts'
import { plantFiles } from '../support/planted.ts'
import { enter, row } from './browser.ts'
import { act, buildMany, holdEach, openAll, reported, selectAll, stop, totalOf, trashedOf } from './many-items.ts'
import { browser, openSite, server } from './site.ts'

openSite()

describe('one act with one report', () => {
  test('is a restoration from the trash, and a permanent deletion', async () => {
    // The first slice has 100 items, and the next one at most 200: a stop between them always leaves some.
    const many = await buildMany(400)
    const { user, folderId, ids } = many
    await user.call(batchFiles, { action: 'trash', ids })
    const { page, offences } = await browser.open()
    await enter(page, user, '/trash')
    await page.getByRole('grid', { name: 'Trash' }).waitFor()
    await selectAll(page, ids.length)
    const batches = await holdEach(page)
    await page.keyboard.press('r')
    await act(page).getByText('Restoring: 0 of 400').waitFor()
    expect(await page.getByText('Trash is empty').count()).toBe(0)
    await batches.pass()
    await act(page).getByText('100 of 400').waitFor()
    await stop(page).click()
    await batches.passAll()
    await reported(page, /^\d+ items were restored, \d+ were left/)
    const left = await trashedOf(user)
    expect(left).toBe(400 - (await totalOf(user, folderId)))

    await page.getByText(`${left} selected`).waitFor()
    const others = await holdEach(page)
    await page.keyboard.press('Delete')
    const dialog = page.getByRole('dialog', { name: 'Delete Permanently' })
    await dialog.getByRole('button', { name: 'Delete Permanently' }).click()
    await dialog.waitFor({ state: 'detached' })
    await act(page).getByText(`Deleting permanently: 0 of ${left}`).waitFor()
    await others.passAll()
    await reported(page, `${left} items were permanently deleted`)
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
    await reported(page, '300 items were moved to Target')
    expect(await totalOf(user, target.id)).toBe(300)
    const back = await holdEach(page)
    await page.getByRole('button', { name: 'Undo' }).click()
    await act(page).getByText('Moving back: 0 of 300').waitFor()
    await back.passAll()
    await reported(page, '300 items were moved back')
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
    await reported(page, '280 items were added to favorites')
    await page.getByText('300 selected').waitFor()
    expect((await user.call(listFavorites, {})).total).toBe(300)
    await page.getByRole('button', { name: 'Undo' }).click()
    await reported(page, '280 items were removed from favorites')
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
    await reported(page, /^\d+ items were copied to Target, \d+ were left/)
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

test('a renamed item gets its old name back by Undo, also by Ctrl and Z', async () => {
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
