/** The validation queue: decisions about files, and decisions that the server refuses. */
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getFile } from '../../src/api/files.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { decideFile, listPending, type PendingFile } from '../../src/api/validation.ts'
import {
  type BuiltUser,
  buildField,
  buildFile,
  buildFolder,
  buildReviewer,
  buildUser,
  turnSettings,
} from '../support/factories.ts'
import { drawImage } from '../support/images.ts'
import { findBarriers } from './accessible.ts'
import { breakCall, createOpener } from './admin-pages.ts'
import { desktop, enter, phone } from './browser.ts'
import { browser, openSite, server } from './site.ts'

let admin: BuiltUser
let reviewer: BuiltUser
let owner: BuiltUser
let open: ReturnType<typeof createOpener>

openSite()

beforeAll(async () => {
  open = createOpener(browser)
  admin = await buildUser(server, { role: 'admin' })
  reviewer = await buildReviewer(server)
  owner = await buildUser(server, { username: 'owner' })
})

beforeEach(async () => {
  await turnSettings(admin, { validation_enabled: true, allow_self_validation: true })
  for (const { id } of await admin.call(listPending, {})) {
    await admin.call(decideFile, { file_id: id, status: 'approved' })
  }
  await turnSettings(admin, { allow_self_validation: false })
})

const openQueue = (user = reviewer, options = desktop) => open(user, '/validation', options)
const listed = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true })
const act = (page: Page, what: 'Approve' | 'Reject', name: string) =>
  listed(page, name).getByRole('button', { name: `${what} ${name}`, exact: true })
const statusOf = async ({ id }: FileDetails) => (await owner.call(getFile, { id })).file.validation_status

test('the queue shows pending files, and Approve removes one at once', async () => {
  const field = await buildField(admin, { label: 'Photographer' })
  const first = await buildFile(owner, { name: 'first.txt', metadata: [{ field_id: field.id, value: 'Sofia' }] }, 'abc')
  await buildFile(owner, { name: 'second.txt' })
  const { page, offences } = await openQueue()
  const item = listed(page, 'first.txt')
  await item.getByText(/^3 Bytes · owner · Today.* · \/$/).waitFor()
  await item.getByText('Pending').waitFor()
  await item.getByText('Sofia').waitFor()
  await page.getByRole('link', { name: 'Validation 2 pending' }).waitFor()
  const sent = page.waitForRequest(request => request.url().endsWith('/api/validation'))
  await act(page, 'Approve', 'first.txt').click()
  await item.waitFor({ state: 'detached' })
  expect((await sent).postDataJSON()).toEqual({ file_id: first.id, status: 'approved', sha256: first.sha256 })
  await page.getByRole('status').getByText('first.txt was approved').waitFor()
  await expect.poll(() => statusOf(first)).toBe('approved')
  // The focus moves to the next file, so that one key is enough for the whole queue.
  await expect
    .poll(() => act(page, 'Approve', 'second.txt').evaluate(button => button === document.activeElement))
    .toBe(true)
  await page.keyboard.press('Enter')
  await page.getByText('No pending files').waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Validation', exact: true }).count()).toBe(1)
  expect(offences).toEqual([])
})

test('a double click decides on one file only, and files with equal names show their folders', async () => {
  const [first, second] = [await buildFolder(owner, 'First'), await buildFolder(owner, 'Second')]
  await buildFile(owner, { name: 'same.txt', parent_id: first.id })
  const other = await buildFile(owner, { name: 'same.txt', parent_id: second.id })
  const { page } = await openQueue()
  await listed(page, 'same.txt').first().getByText('/First').waitFor()
  await listed(page, 'same.txt').last().getByText('/Second').waitFor()
  const { x, y } = (await act(page, 'Approve', 'same.txt').first().boundingBox()) ?? { x: 0, y: 0 }
  await page.mouse.dblclick(x + 10, y + 10, { delay: 50 })
  await page.getByRole('status').getByText('same.txt was approved').waitFor()
  await listed(page, 'same.txt').getByText('/Second').waitFor()
  await expect.poll(() => page.getByRole('listitem').count()).toBe(1)
  expect(await statusOf(other)).toBe('pending')
})

test('Reject asks for an optional reason, and Cancel closes the question', async () => {
  const file = await buildFile(owner, { name: 'wrong.txt' })
  const { page } = await openQueue()
  await act(page, 'Reject', 'wrong.txt').click()
  await page.getByLabel('Reason (optional)').fill('not this')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => statusOf(file)).toBe('pending')
  await act(page, 'Reject', 'wrong.txt').click()
  await expect.poll(() => page.getByLabel('Reason (optional)').inputValue()).toBe('')
  await page.getByLabel('Reason (optional)').fill('Wrong year')
  await page.getByRole('form').getByRole('button', { name: 'Reject', exact: true }).click()
  await page.getByText('No pending files').waitFor()
  await expect.poll(() => statusOf(file)).toBe('rejected')
  expect((await owner.call(getFile, { id: file.id })).file.validation_comment).toBe('Wrong year')
})

test('on a phone a long name takes the whole line, with the badge below', async () => {
  const name = 'a long name of a report that nobody would ever shorten 2026.txt'
  await buildFile(owner, { name })
  const { page } = await openQueue(reviewer, phone)
  await listed(page, name).getByText('Pending').waitFor()
  const box = await listed(page, name).getByRole('button', { name, exact: true }).boundingBox()
  // The width of the window without its margins, the picture and the gap.
  expect(box?.width).toBe(390 - 2 * 16 - 72 - 16)
})

test('a file can be previewed before the decision', async () => {
  await buildFile(owner, { name: 'look.png' }, await drawImage(40, 30).as('png'))
  const { page, offences } = await openQueue()
  await listed(page, 'look.png').getByRole('button', { name: 'Preview look.png' }).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(offences).toEqual([])
})

describe('a decision that the server refuses', () => {
  test('brings the file back in its place, with a notice', async () => {
    await buildFile(owner, { name: 'back.txt' })
    await buildFile(owner, { name: 'later.txt' })
    const { page } = await openQueue()
    await breakCall(page, '**/api/validation', 'POST')
    await act(page, 'Approve', 'back.txt').click()
    const notice = page.getByRole('status').filter({ hasText: 'Failed to approve back.txt' })
    await notice.waitFor()
    await expect
      .poll(() => page.getByRole('listitem').evaluateAll(all => all.map(each => each.getAttribute('aria-label'))))
      .toEqual(['back.txt', 'later.txt'])
    await notice.getByRole('button', { name: 'Dismiss' }).click()
    await notice.waitFor({ state: 'detached' })
  })

  test('keeps the typed reason, and announces no rejection', async () => {
    const file = await buildFile(owner, { name: 'refused.txt' })
    const { page } = await openQueue()
    await breakCall(page, '**/api/validation', 'POST')
    const reject = page.getByRole('form').getByRole('button', { name: 'Reject', exact: true })
    await act(page, 'Reject', 'refused.txt').click()
    await page.getByLabel('Reason (optional)').fill('Wrong year')
    await reject.click()
    await page.getByText('Failed to reject refused.txt').waitFor()
    expect(await page.getByText('refused.txt was rejected').count()).toBe(0)
    await act(page, 'Reject', 'refused.txt').click()
    await expect.poll(() => page.getByLabel('Reason (optional)').inputValue()).toBe('Wrong year')
    await page.unroute('**/api/validation')
    await reject.click()
    await page.getByRole('status').getByText('refused.txt was rejected').waitFor()
    await expect.poll(() => statusOf(file)).toBe('rejected')
  })

  test("for lack of permission does not claim that the file is the reviewer's own", async () => {
    await buildFile(owner, { name: 'lost.txt' })
    const { page } = await openQueue()
    await page.route('**/api/validation', route =>
      route.fulfill({ status: 403, json: { success: false, message: 'No', error: 'forbidden', request_id: 'x' } }),
    )
    await act(page, 'Approve', 'lost.txt').click()
    await page.getByText('Failed to approve lost.txt').waitFor()
    expect(await page.getByText('You may not decide on your own files').count()).toBe(0)
  })

  test('because another reviewer decided first says so', async () => {
    const file = await buildFile(owner, { name: 'raced.txt' })
    const { page } = await openQueue()
    await listed(page, 'raced.txt').waitFor()
    await admin.call(decideFile, { file_id: file.id, status: 'rejected' })
    await act(page, 'Approve', 'raced.txt').click()
    await page.getByText('raced.txt was already decided by another').waitFor()
    await page.getByText('No pending files').waitFor()
    await expect.poll(() => statusOf(file)).toBe('rejected')
  })

  test('because the content has changed says so, and shows the new content', async () => {
    const file = await buildFile(owner, { name: 'swapped.txt' }, 'harmless')
    const { page } = await openQueue()
    await listed(page, 'swapped.txt').getByText('8 Bytes').waitFor()
    await owner.upload('something else', { name: 'swapped.txt', on_conflict: 'replace' })
    await act(page, 'Approve', 'swapped.txt').click()
    await page.getByText('swapped.txt has changed since you looked at it').waitFor()
    await listed(page, 'swapped.txt').getByText('14 Bytes').waitFor()
    await expect.poll(() => statusOf(file)).toBe('pending')
  })
})

test('a user who may not review files sees no queue, and the page does not request it', async () => {
  const { page } = await browser.open()
  const asked: string[] = []
  page.on('request', request => {
    if (request.url().includes('/api/validation')) asked.push(request.url())
  })
  await enter(page, owner, '/validation')
  await page.getByRole('heading', { name: 'Upcoming Features' }).waitFor()
  expect(asked).toEqual([])
})

describe("the reviewer's own files", () => {
  test('cannot be decided, and a reviewer who may read the settings sees the reason', async () => {
    await buildFile(admin, { name: 'mine.txt' })
    const { page } = await openQueue(admin)
    await listed(page, 'mine.txt').getByText('You may not decide on your own files').waitFor()
    expect(await act(page, 'Approve', 'mine.txt').count()).toBe(0)
  })

  test('show the reason to other reviewers after the server has refused a decision', async () => {
    await buildFile(reviewer, { name: 'own.txt' })
    const { page } = await openQueue()
    await act(page, 'Approve', 'own.txt').click()
    await listed(page, 'own.txt').getByText('You may not decide on your own files').waitFor()
    expect(await act(page, 'Approve', 'own.txt').count()).toBe(0)
  })
})

test('a queue that fails to load shows an error, and Refresh shows new files', async () => {
  const { page } = await open(reviewer, '/account')
  const logged: string[] = []
  page.on('console', message => logged.push(message.text()))
  await breakCall(page, '**/api/validation/pending', 'GET', 'The database is away')
  await page.goto('/validation')
  await page.getByText('Failed to load the validation queue').waitFor()
  expect(logged.join()).toContain('Failed to load the validation queue')
  await page.unroute('**/api/validation/pending')
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('No pending files').waitFor()
  await buildFile(owner, { name: 'new.txt' })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await listed(page, 'new.txt').waitFor()
})

test('a queue of a thousand files draws only the rows in view', async () => {
  const file = await buildFile(owner, { name: 'one.txt' })
  const [one] = await reviewer.call(listPending, {})
  const { page } = await open(reviewer, '/account')
  const many = Array.from(
    { length: 1000 },
    (_, n): Partial<PendingFile> => ({ ...one, id: file.id + n, name: `${n}.txt` }),
  )
  await page.route('**/api/validation/pending*', route => {
    const isFirst = new URL(route.request().url()).search === ''
    return route.fulfill({ json: { success: true, message: '', data: isFirst ? many : [] } })
  })
  await page.route('**/api/validation/pending/count', route =>
    route.fulfill({ json: { success: true, message: '', data: { count: 1000 } } }),
  )
  await page.goto('/validation')
  await page.getByRole('link', { name: 'Validation 1,000 pending' }).waitFor()
  await listed(page, '0.txt').waitFor()
  expect(await page.getByRole('listitem').count()).toBeLessThan(30)
  await page.getByRole('list', { name: 'Pending files' }).evaluate(list => list.scrollTo(0, list.scrollHeight))
  await listed(page, '999.txt').waitFor()
})

test.each([
  ['the desktop in the dark', { ...desktop, colorScheme: 'dark' }],
  ['a phone in light', { ...phone, colorScheme: 'light' }],
] as const)(
  'on %s the queue has no accessibility barriers while the form for the reason is open',
  async (_where, options) => {
    await buildFile(owner, { name: 'seen.png' }, await drawImage(40, 30).as('png'))
    const { name } = await buildFile(owner)
    const { page, offences } = await openQueue(reviewer, options)
    await act(page, 'Reject', name).click()
    await page.getByLabel('Reason (optional)').waitFor()
    expect(await findBarriers(page)).toEqual([])
    expect(offences).toEqual([])
  },
)
