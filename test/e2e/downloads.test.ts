/** Downloads that fail partly or wholly, and downloads that wait for a new session. */
import { expect, test } from 'vitest'
import { trashFile } from '../../src/api/trash.ts'
import { buildFile, buildUser } from '../support/factories.ts'
import { endSession, enter, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

test('a download that the server refuses shows the reason', async () => {
  const user = await buildUser(server)
  const { id } = await buildFile(user, { name: 'marked.txt' })
  const { page } = await browser.open()
  await enter(page, user)
  await row(page, 'marked.txt').hover()
  await user.call(trashFile, { id })
  await page.getByRole('button', { name: 'Download marked.txt' }).click()
  const strip = page.getByRole('alert').filter({ hasText: 'Download failed' })
  await strip.getByText('not found').waitFor()
  expect(await page.getByText('The server cannot be reached').count()).toBe(0)
})

test('a download of several files continues after one of them fails', async () => {
  const user = await buildUser(server)
  const [first] = await Promise.all(['a.txt', 'b.txt', 'c.txt'].map(name => buildFile(user, { name })))
  const { page } = await browser.open()
  await enter(page, user)
  await row(page, 'a.txt').waitFor()
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  await page.getByText('3 selected').waitFor()
  await user.call(trashFile, { id: first?.id ?? 0 })
  const saved: string[] = []
  page.on('download', download => saved.push(download.suggestedFilename()))
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  const strip = page.getByRole('alert').filter({ hasText: 'Bulk download failed' })
  await strip.getByText(/^1 of 3 items: .*not found/).waitFor()
  await expect.poll(() => saved).toEqual(['b.txt', 'c.txt'])
})

test('a ZIP download waits for the user to sign in again, and shows when the server refuses it', async () => {
  const user = await buildUser(server)
  const [first] = await Promise.all(['a.txt', 'b.txt'].map(name => buildFile(user, { name })))
  const { page, offences } = await browser.open()
  await enter(page, user)
  await row(page, 'a.txt').waitFor()
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  await endSession(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download as ZIP' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await dialog.getByLabel('Password', { exact: true }).fill(user.password)
  await page.keyboard.press('Enter')
  expect((await download).suggestedFilename()).toMatch(/\.zip$/)
  await dialog.waitFor({ state: 'detached' })
  expect(offences).toEqual([])
  await user.call(trashFile, { id: first?.id ?? 0 })
  await page.getByRole('button', { name: 'Download as ZIP' }).click()
  await page.getByText('Bulk download failed. The server refused it.').waitFor()
})
