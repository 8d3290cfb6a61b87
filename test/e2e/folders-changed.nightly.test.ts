/** The folder tree while what it shows is changing. */
import { expect, test } from 'vitest'
import { buildFile, buildFolder } from '../support/factories.ts'
import { enter, holdRequests, row } from './browser.ts'
import { buildOwner, chevron, entry } from './folder-owner.ts'
import { browser, openSite, server } from './site.ts'
import { holdCalls } from './uploading.ts'

openSite()

test('Refresh updates the tree, the storage meter and the details, and shows that it is busy', async () => {
  const { user, docs } = await buildOwner(server)
  const { page } = await browser.open()
  await enter(page, user)
  await chevron(page, 'Docs').click()
  await entry(page, '2026').waitFor()
  await row(page, 'Docs').click()
  await page.getByRole('button', { name: 'Show details' }).click()
  const details = page.getByRole('complementary', { name: 'Details' })
  await details.getByText('1 folder, 0 files').waitFor()
  await buildFolder(user, 'Later', docs)
  await buildFile(user, { parent_id: docs }, 'x'.repeat(3 * 1024 ** 2))
  const answer = await holdRequests(page, '**/api/files?*')
  const refresh = page.getByRole('button', { name: 'Refresh' })
  await refresh.click()
  await page.locator('button[aria-label="Refresh"][aria-busy="true"]').waitFor()
  answer()
  await page.locator('button[aria-label="Refresh"]:not([aria-busy="true"])').waitFor()
  await entry(page, 'Later').waitFor()
  await details.getByText('2 folders, 1 file').waitFor()
  await expect
    .poll(() => page.getByRole('meter', { name: 'Storage' }).getAttribute('aria-valuetext'))
    .toContain('3.00 MB of')
})

test('the name of a new folder stays in its field while the listing of the parent arrives', async () => {
  const { user, docs } = await buildOwner(server)
  const { page } = await browser.open()
  await enter(page, user, '/trash')
  const letGo = await holdCalls(page, `**/api/files?*parent_id=${docs}*limit*`)
  await page.goto(`/files/${docs}`)
  await page.getByRole('button', { name: 'New Folder' }).first().click()
  await page.getByLabel('Folder Name').fill('Typed early')
  expect(await row(page, '2026').count()).toBe(0)
  letGo()
  await row(page, '2026').waitFor()
  await expect.poll(() => page.getByLabel('Folder Name').inputValue()).toBe('Typed early')
  await page.keyboard.press('Enter')
  await row(page, 'Typed early').waitFor()
})
