/** Leaving a search: to a folder that is gone, and before its results have come. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { enter, row } from './browser.ts'
import { buildOwner } from './report-owner.ts'
import { browser, openSite, server } from './site.ts'

openSite()

const box = (page: Page) => page.getByRole('searchbox', { name: 'Search files' })
test('a user who leaves before a delayed search starts stays on the new screen', async () => {
  const { user } = await buildOwner(server)
  const { page } = await browser.open()
  await page.clock.install()
  await enter(page, user)
  await row(page, 'report draft.txt').waitFor()
  await page.clock.pauseAt(Date.now() + 5_000)
  await box(page).fill('report')
  await page.getByRole('link', { name: 'Trash' }).click()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/trash')
  await page.clock.runFor(1_000)
  await page.clock.resume()
  await page.getByText('Trash is empty').waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/trash')
})

test('Back to Files leads home when the last folder was deleted', async () => {
  const { user, folderId } = await buildOwner(server)
  const { page } = await browser.open()
  await enter(page, user, `/files/${folderId}`)
  await row(page, 'Annual report.pdf').waitFor()
  await box(page).fill('report')
  await row(page, 'Reports').click()
  await page.keyboard.press('Delete')
  await page.getByText('Reports was moved to the trash').waitFor()
  await page.getByRole('button', { name: 'Back to Files' }).click()
  await row(page, 'report draft.txt').waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/files')
})
