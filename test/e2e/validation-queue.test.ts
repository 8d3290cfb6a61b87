/** Working through the validation queue: which clicks and keys count, and what is shown without waiting. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { getFile } from '../../src/api/files.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { trashFile } from '../../src/api/trash.ts'
import { decideFile } from '../../src/api/validation.ts'
import { plantEntries } from '../bench/plant.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { plant } from '../support/planting.ts'
import { admin, open, openReviews, reviewer } from './reviewing.ts'
import { server } from './site.ts'
import { holdCalls } from './uploading.ts'

let owner: BuiltUser

openReviews()

beforeAll(async () => {
  owner = await buildUser(server)
})

const listed = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true })
const approve = (page: Page, name: string) =>
  listed(page, name).getByRole('button', { name: `Approve ${name}`, exact: true })
const statusOf = async ({ id }: FileDetails) => (await owner.call(getFile, { id })).file.validation_status

test('the queue can be filtered to one owner while thousands of files of others wait', async () => {
  const flooder = await buildUser(server)
  const folder = await buildFolder(flooder, 'Flood')
  await plant(server, flooder, async (db, place) => {
    await plantEntries(db, place, folder.id, 6000)
    await db.change("UPDATE files SET validation_status = 'pending' WHERE parent_id = $1 AND is_directory = 0", [
      folder.id,
    ])
  })
  await buildFile(owner, { name: 'hidden.txt' })
  const { page } = await open(reviewer, '/validation')
  await page.getByRole('link', { name: 'Validation 5,000+ pending' }).waitFor()
  await page.getByRole('list', { name: 'Pending files' }).waitFor()
  expect(await listed(page, 'hidden.txt').count()).toBe(0)
  const owners = page.getByRole('combobox', { name: 'Owner' })
  const choices = [`${flooder.username} (5,400)`, `${owner.username} (1)`].sort()
  await expect.poll(() => owners.locator('option').allTextContents()).toEqual(['All owners', ...choices])
  await owners.selectOption(owner.username)
  // Use a key: a click counts only after the rows have kept their places for a while.
  await approve(page, 'hidden.txt').press('Enter')
  await page.getByRole('status').getByText('hidden.txt was approved').waitFor()
  await page.getByRole('listitem', { name: 'Report 1 of the year.pdf', exact: true }).waitFor()
  await flooder.call(trashFile, { id: folder.id })
})

test('a click counts at once when a new file arrives below', async () => {
  const first = await buildFile(owner, { name: 'first.txt' })
  const { page } = await open(reviewer, '/validation')
  await listed(page, 'first.txt').waitFor()
  await buildFile(owner, { name: 'second.txt' })
  // Click inside the page: a click sent from the test would arrive later than a user's.
  await page.evaluate(() => {
    const button = (name: string) => document.querySelector<HTMLElement>(`button[aria-label="${name}"]`)
    const watch = new MutationObserver(() => {
      if (button('Approve second.txt') === null) return
      watch.disconnect()
      button('Approve first.txt')?.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }))
    })
    watch.observe(document.body, { childList: true, subtree: true })
  })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByRole('status').getByText('first.txt was approved').waitFor()
  await expect.poll(() => statusOf(first)).toBe('approved')
})

test('a key that is held down approves one file only', async () => {
  const first = await buildFile(owner, { name: 'held.txt' })
  const second = await buildFile(owner, { name: 'next.txt' })
  const { page } = await open(reviewer, '/validation')
  await approve(page, 'held.txt').focus()
  await page.keyboard.down('Enter')
  await page.getByRole('status').getByText('held.txt was approved').waitFor()
  await expect.poll(() => approve(page, 'next.txt').evaluate(button => button === document.activeElement)).toBe(true)
  // A second key down without a key up is a repeat.
  await page.keyboard.down('Enter')
  await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await approve(page, 'next.txt').waitFor()
  expect(await statusOf(second)).toBe('pending')
  await page.keyboard.press('Enter')
  await page.getByText('No pending files').waitFor()
  expect(await statusOf(first)).toBe('approved')
})

test('a notice about a decision appears before the queue has reloaded', async () => {
  await buildFile(owner, { name: 'told.txt' })
  const { page } = await open(reviewer, '/validation')
  await approve(page, 'told.txt').waitFor()
  await holdCalls(page, '**/api/validation/pending')
  await approve(page, 'told.txt').click()
  await page.getByRole('status').getByText('told.txt was approved').waitFor()
})

test("the refusal of a decision about one's own file appears before the queue has reloaded", async () => {
  await buildFile(reviewer, { name: 'own.txt' })
  const { page } = await open(reviewer, '/validation')
  await approve(page, 'own.txt').waitFor()
  await holdCalls(page, '**/api/validation/pending')
  await approve(page, 'own.txt').click()
  await listed(page, 'own.txt').getByText('You may not decide on your own files').waitFor()
})

test('the buttons of files with equal names describe their folders', async () => {
  for (const name of ['First', 'Second']) {
    const folder = await buildFolder(owner, name)
    await buildFile(owner, { name: 'same.txt', parent_id: folder.id })
  }
  const { page } = await open(reviewer, '/validation')
  await listed(page, 'same.txt').last().waitFor()
  const described = (label: string) =>
    page
      .getByRole('button', { name: label, exact: true })
      .evaluateAll(all =>
        all.map(each => document.getElementById(each.getAttribute('aria-describedby') ?? '')?.textContent),
      )
  for (const label of ['same.txt', 'Preview same.txt', 'Reject same.txt', 'Approve same.txt']) {
    expect(await described(label)).toEqual(['/First', '/Second'])
  }
})

test('a notice shows a long name in full as a hint', async () => {
  const name = `${'a very long name of a report '.repeat(3)}.txt`
  const file = await buildFile(owner, { name })
  const { page } = await open(reviewer, '/validation')
  await approve(page, name).waitFor()
  await admin.call(decideFile, { file_id: file.id, status: 'rejected' })
  await approve(page, name).click()
  const notice = page.getByRole('status').filter({ hasText: 'was already decided by another' })
  await notice.getByTitle(name, { exact: true }).waitFor()
})
