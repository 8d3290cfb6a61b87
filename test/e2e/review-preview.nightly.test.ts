/** Approving and rejecting in the preview: by keys, mouse and touch, from file to file of the validation queue. */
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { getFile } from '../../src/api/files.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { type BuiltUser, buildFile, buildUser, turnSettings } from '../support/factories.ts'
import { findBarriersInBothThemes } from './accessible.ts'
import { desktop, phone } from './browser.ts'
import { admin, open, openReviews, reviewer } from './reviewing.ts'
import { server } from './site.ts'
import { button, dialog } from './viewer.ts'

let owner: BuiltUser

openReviews()

beforeEach(async () => {
  owner = await buildUser(server)
})

const decided = async ({ id }: FileDetails) => {
  const { validation_status, validation_comment } = (await owner.call(getFile, { id })).file
  return [validation_status, validation_comment]
}
const bar = (page: Page) => page.getByRole('region', { name: 'Approval' })

test('keys decide on file after file, and the queue is empty at the end', async () => {
  const one = await buildFile(owner, { name: 'one.txt' }, 'one')
  const two = await buildFile(owner, { name: 'two.txt' }, 'two')
  const three = await buildFile(owner, { name: 'three.txt' }, 'three')
  const { page, offences } = await open(reviewer, '/validation')
  await button(page, 'Preview one.txt').click()
  await dialog(page, 'one.txt').waitFor()
  await bar(page).getByText(`Waits for approval · ${owner.username}`).waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
  // The key asks, because approving cannot be taken back; a click on the button means it.
  await page.keyboard.press('a')
  const asking = page.getByRole('dialog', { name: 'Approve 1 file' })
  await asking.getByText('This cannot be undone').waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
  await page.keyboard.press('Escape')
  await asking.waitFor({ state: 'detached' })
  expect(await decided(one)).toEqual(['pending', null])
  // While the server thinks about it, the key asks nothing: the answer would be about the next file.
  let answer = (): void => undefined
  const held = new Promise<void>(resolve => {
    answer = resolve
  })
  await page.route('**/api/validation', route => held.then(() => route.continue()), { times: 1 })
  await page.keyboard.press('a')
  await asking.waitFor()
  await asking.locator('button:focus', { hasText: 'Approve' }).press('Enter')
  await asking.waitFor({ state: 'detached' })
  await page.keyboard.press('a')
  answer()
  await page.getByRole('status').getByText('one.txt was approved').waitFor()
  await dialog(page, 'two.txt').getByText('1 of 2').waitFor()
  expect(await asking.count()).toBe(0)
  await page.keyboard.press('r')
  const question = page.getByRole('dialog', { name: 'Reject 1 file' })
  await question.getByLabel('Reason (optional)').waitFor()
  await page.keyboard.type('Not a receipt')
  await question.getByRole('button', { name: 'Reject', exact: true }).click()
  await dialog(page, 'three.txt').waitFor()
  // The address follows, so that a reload stays at the file.
  await page.reload()
  await dialog(page, 'three.txt').waitFor()
  await bar(page).getByRole('button', { name: 'Approve' }).press('Enter')
  await page.getByText('No pending files').waitFor()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  expect(await decided(one)).toEqual(['approved', null])
  expect(await decided(two)).toEqual(['rejected', 'Not a receipt'])
  expect(await decided(three)).toEqual(['approved', null])
  expect(offences).toEqual([])
})

test('a file whose content has changed is shown again before it can be approved', async () => {
  const file = await buildFile(owner, { name: 'swapped.txt' }, 'before')
  const { page } = await open(reviewer, '/validation')
  await button(page, 'Preview swapped.txt').click()
  await dialog(page, 'swapped.txt').getByText('before').waitFor()
  await owner.upload('AFTER!', { name: 'swapped.txt', on_conflict: 'replace' })
  await bar(page).getByRole('button', { name: 'Approve' }).click()
  await page.getByText('has changed since you looked at it').waitFor()
  await dialog(page, 'swapped.txt').getByText('AFTER!').waitFor()
  expect(await decided(file)).toEqual(['pending', null])
  await page.keyboard.press('a')
  await page.getByRole('dialog').locator('button:focus', { hasText: 'Approve' }).press('Enter')
  await page.getByText('No pending files').waitFor()
  await expect.poll(() => decided(file)).toEqual(['approved', null])
})

test('a finger approves on a phone, with the buttons below the file', async () => {
  const file = await buildFile(owner, { name: 'touched.txt' })
  await buildFile(owner, { name: 'next.txt' })
  const { page, offences } = await open(reviewer, '/validation', phone)
  await button(page, 'touched.txt').tap()
  await dialog(page, 'touched.txt').waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
  await bar(page).getByRole('button', { name: 'Approve' }).tap()
  // What is said of it lies over no button of the next decision.
  const toast = await page.getByRole('status').filter({ hasText: 'touched.txt was approved' }).boundingBox()
  await dialog(page, 'next.txt').waitFor()
  const buttons = await bar(page).boundingBox()
  expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeLessThan(buttons?.y ?? 0)
  await bar(page).getByRole('button', { name: 'Approve' }).press('Enter')
  await page.getByText('No pending files').waitFor()
  await expect.poll(() => decided(file)).toEqual(['approved', null])
  expect(offences).toEqual([])
})

test('own files are decided in the preview of the own folder only where the settings allow it', async () => {
  const { id } = await buildFile(admin, { name: 'mine.txt' })
  const { page } = await open(admin, '/validation', desktop)
  await button(page, 'Preview mine.txt').click()
  await bar(page).getByText('You may not decide on your own files').waitFor()
  await turnSettings(admin, { allow_self_validation: true })
  await page.goto(`/files?preview=${id}`)
  await bar(page).getByRole('button', { name: 'Approve' }).click()
  await bar(page).waitFor({ state: 'detached' })
  await dialog(page, 'mine.txt').waitFor()
  expect((await admin.call(getFile, { id })).file.validation_status).toBe('approved')
})
