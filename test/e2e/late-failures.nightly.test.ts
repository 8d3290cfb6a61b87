/** Failures that arrive late: the user sees them on any screen, and nothing that was typed is lost. */
import { expect, test } from 'vitest'
import { trashFile } from '../../src/api/trash.ts'
import { buildFile, buildTag, buildUser } from '../support/factories.ts'
import { breakCall } from './admin-pages.ts'
import { enter, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

const failure = { status: 500, json: { success: false, message: 'No luck', error: 'internal', request_id: 'x' } }

test('a dialog stays open while its request runs, and shows a failure beside what was typed', async () => {
  const user = await buildUser(server)
  await buildTag(user, 'Kept')
  const { page } = await browser.open()
  const dialog = page.getByRole('dialog')
  await enter(page, user, '/tags')
  const fails: (() => void)[] = []
  await page.route(/\/api\/tags/, async route => {
    if (route.request().method() === 'GET') return route.fallback()
    await new Promise<void>(resolve => fails.push(resolve))
    return route.fulfill({ status: 500, json: {} })
  })
  await row(page, 'Kept').hover()
  await page.getByRole('button', { name: 'Delete Kept' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => fails.length).toBe(1)
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await expect.poll(() => dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true)
  fails[0]?.()
  await dialog.getByText('Failed to delete tag').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'New Tag' }).click()
  await dialog.getByLabel('Name').fill('Press')
  // A click beside the dialog does not close it, so what was typed stays.
  await page.mouse.click(5, 5)
  await dialog.getByRole('button', { name: 'Create Tag' }).click()
  await expect.poll(() => fails.length).toBe(2)
  await page.keyboard.press('Escape')
  fails[1]?.()
  await dialog.getByText('Failed to create tag').waitFor()
  await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Press')
})

test('a deletion that fails after the user left the list shows an error on the new screen', async () => {
  const user = await buildUser(server)
  await buildFile(user, { name: 'plain.txt' })
  const { page } = await browser.open()
  await enter(page, user)
  let fail = () => {}
  const left = new Promise<void>(resolve => {
    fail = resolve
  })
  await page.route('**/trash', async route => {
    await left
    await route.fulfill(failure)
  })
  await row(page, 'plain.txt').click()
  await page.keyboard.press('Delete')
  await row(page, 'plain.txt').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Tags' }).click()
  await page.getByText('No tags yet').waitFor()
  fail()
  await page.getByRole('alert').getByText('Failed to move to trash. plain.txt: No luck').waitFor()
})

test('an emptying of the trash that fails shows an error on whatever screen is open', async () => {
  const user = await buildUser(server)
  const { id } = await buildFile(user)
  await user.call(trashFile, { id })
  const { page } = await browser.open()
  await enter(page, user, '/trash')
  let fail = () => {}
  const left = new Promise<void>(resolve => {
    fail = resolve
  })
  await page.route('**/api/files/trash/empty', async route => {
    await left
    await route.fulfill(failure)
  })
  await page.getByRole('button', { name: 'Empty Trash' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Empty Trash' }).click()
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByText('Total Files').waitFor()
  fail()
  await page.getByRole('alert').getByText('Failed to empty trash. No luck').waitFor()
})

test("a change of one's own account is saved although the profile fails to load afterwards", async () => {
  const admin = await buildUser(server, { role: 'admin', username: 'boss' })
  const { page } = await browser.open()
  await enter(page, admin, '/settings/users')
  await page.getByRole('button', { name: 'Edit boss' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit boss' })
  await dialog.getByLabel('Full name').fill('The Boss')
  await breakCall(page, '**/api/auth/profile', 'GET')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await row(page, 'boss').getByText('The Boss').waitFor()
})
