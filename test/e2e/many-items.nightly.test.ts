/** Acts on hundreds of items: one act with its progress, a Stop, a true list meanwhile, and one report at the end. */
import { describe, expect, test } from 'vitest'
import { batchFiles, listFavorites } from '../../src/api/files.ts'
import { buildTag } from '../support/factories.ts'
import { findBarriersInBothThemes } from './accessible.ts'
import { enter, phone, row } from './browser.ts'
import { fact, panel } from './details-panel.ts'
import { act, buildMany, footer, holdEach, openAll, reported, stop, totalOf, trashedOf } from './many-items.ts'
import { browser, openSite } from './site.ts'

openSite()

describe('deleting many items', () => {
  test('shows its progress, while the list and the details show what is still there', async () => {
    const many = await buildMany()
    const { page, offences } = await openAll(many)
    await page.keyboard.press(']')
    await panel(page).getByText('300 items').waitFor()
    const batches = await holdEach(page)
    await page.keyboard.press('Delete')
    await act(page).getByText('Moving to the trash: 0 of 300').waitFor()
    await footer(page).getByText('300 items').waitFor()
    expect(await page.getByText('This folder is empty').count()).toBe(0)
    expect(await findBarriersInBothThemes(page)).toEqual([])
    await batches.pass()
    await act(page).getByText('Moving to the trash: 100 of 300').waitFor()
    await footer(page).getByText('200 items').waitFor()
    await fact(page, 'Holds').getByText('0 folders, 200 files').waitFor()
    await batches.passAll()
    await reported(page, '300 items were moved to the trash')
    await page.getByText('This folder is empty').waitFor()
    await fact(page, 'Holds').getByText('0 folders, 0 files').waitFor()
    expect(await act(page).count()).toBe(0)
    expect(await trashedOf(many.user)).toBe(300)
    expect(offences).toEqual([])
  })

  test('stops when asked: the rest stays, selected, and Undo brings the others back', async () => {
    // The first slice has 100 items, and the next one at most 200: a stop between them always leaves some.
    const many = await buildMany(400)
    const { page } = await openAll(many)
    const batches = await holdEach(page)
    await page.keyboard.press('Delete')
    await batches.pass()
    await act(page).getByText('100 of 400').waitFor()
    await stop(page).click()
    await act(page).getByText('Stopping').waitFor()
    await batches.passAll()
    const report = page.getByRole('status').filter({ hasText: /^\d+ items were moved to the trash, \d+ were left/ })
    await report.waitFor({ timeout: 60_000 })
    const left = await totalOf(many.user, many.folderId)
    expect(left).toBeGreaterThanOrEqual(100)
    await report.getByText(`${400 - left} items were moved to the trash, ${left} were left`).waitFor()
    await page.getByText(`${left} selected`).waitFor()
    await report.getByRole('button', { name: 'Undo' }).click()
    await reported(page, `${400 - left} items were restored`)
    await page.getByRole('main').getByText('400 items', { exact: true }).waitFor()
    expect(await totalOf(many.user, many.folderId)).toBe(400)
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
    await reported(page, '300 items were moved to the trash')
    expect(await trashedOf(many.user)).toBe(300)
    expect((await many.user.call(listFavorites, {})).total).toBe(0)
  })

  test('is not alone: files that are being tagged are no selection either, until the act ends', async () => {
    const many = await buildMany()
    await buildTag(many.user, 'Final')
    const { page } = await openAll(many)
    const batches = await holdEach(page)
    await page.keyboard.press('t')
    const dialog = page.getByRole('dialog', { name: 'Manage Tags' })
    await dialog.getByRole('checkbox', { name: 'Final' }).click()
    await dialog.getByRole('button', { name: 'Apply Tags' }).click()
    await act(page).getByText('Updating tags: 0 of').waitFor()
    await page.getByText('300 selected').waitFor({ state: 'detached' })
    const last = row(page, 'Report 299 of the year.pdf')
    await page.keyboard.press('End')
    await expect.poll(() => last.getAttribute('aria-disabled')).toBe('true')
    expect(await last.getAttribute('aria-selected')).toBe('false')
    await batches.passAll()
    await reported(page, /were given their new tags/)
    await page.getByText('300 selected').waitFor()
    expect(await last.getAttribute('aria-disabled')).toBe(null)
  })

  test('reports how many failed and why, and selects those', async () => {
    const many = await buildMany()
    const { page } = await openAll(many)
    await many.user.call(batchFiles, { action: 'trash', ids: many.ids.slice(0, 2) })
    await page.keyboard.press('Delete')
    await reported(page, '298 items were moved to the trash, 2 failed')
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
    await reported(page, '300 items were moved to the trash')
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
    await reported(page, '300 items were moved to the trash')
  })
})
