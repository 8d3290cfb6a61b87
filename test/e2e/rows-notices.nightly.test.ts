/** Notices about rows of the file list: errors that stay, and what is said before the list has reloaded. */
import { expect, test } from 'vitest'
import { buildFile, buildUser } from '../support/factories.ts'
import { enter, listedNames, row } from './browser.ts'
import { buildOwner } from './row-owner.ts'
import { browser, openSite, server } from './site.ts'
import { holdCalls } from './uploading.ts'

openSite()

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
  const user = await buildOwner(server)
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
