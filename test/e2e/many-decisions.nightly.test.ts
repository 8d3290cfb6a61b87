/** Deciding on several files of the validation queue at once: by mouse, keyboard and touch, with one report. */
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { getFile } from '../../src/api/files.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { decideFile, readPending } from '../../src/api/validation.ts'
import { plantEntries } from '../bench/plant.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { drawImage } from '../support/images.ts'
import { plant } from '../support/planting.ts'
import { findBarriersInBothThemes } from './accessible.ts'
import { desktop, phone } from './browser.ts'
import { admin, open, openReviews, reviewer } from './reviewing.ts'
import { server } from './site.ts'

let owner: BuiltUser

openReviews()

beforeEach(async () => {
  owner = await buildUser(server)
})

const buildFiles = (...names: string[]): Promise<FileDetails[]> =>
  names.reduce<Promise<FileDetails[]>>(
    async (before, name) => [...(await before), await buildFile(owner, { name })],
    Promise.resolve([]),
  )
const listed = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true })
const check = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selection' })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const statusesOf = (files: FileDetails[]) =>
  Promise.all(files.map(async ({ id }) => (await owner.call(getFile, { id })).file.validation_status))

describe('several files of the queue', () => {
  test('are approved at once, selected by the mouse, and the others stay', async () => {
    const files = await buildFiles('a.txt', 'b.txt', 'c.txt', 'd.txt')
    const { page, offences } = await open(reviewer, '/validation')
    await check(page, 'a.txt').click()
    await bar(page).getByText('1 selected').waitFor()
    await check(page, 'c.txt').click({ modifiers: ['Shift'] })
    await bar(page).getByText('3 selected').waitFor()
    // A click beside the buttons of a row selects it too, once there is a selection.
    await listed(page, 'b.txt').click({ position: { x: 400, y: 60 } })
    await bar(page).getByText('2 selected').waitFor()
    await bar(page).getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('status').getByText('2 items were approved').waitFor()
    await bar(page).waitFor({ state: 'detached' })
    await expect.poll(() => statusesOf(files)).toEqual(['approved', 'pending', 'approved', 'pending'])
    await listed(page, 'b.txt').waitFor()
    await listed(page, 'a.txt').waitFor({ state: 'detached' })
    expect(offences).toEqual([])
  })

  test('are rejected with one reason, selected by the keyboard', async () => {
    const files = await buildFiles('a.txt', 'b.txt', 'c.txt')
    const { page, offences } = await open(reviewer, '/validation')
    await check(page, 'c.txt').focus()
    await page.keyboard.press('Control+a')
    await bar(page).getByText('3 selected').waitFor()
    await page.keyboard.press('Space')
    await bar(page).getByText('2 selected').waitFor()
    await bar(page).getByRole('button', { name: 'Reject' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Reject 2 files' })
    await dialog.getByLabel('Reason (optional)').waitFor()
    await page.keyboard.type('Wrong year')
    expect(await findBarriersInBothThemes(page)).toEqual([])
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('2 items were rejected').waitFor()
    await expect.poll(() => statusesOf(files)).toEqual(['rejected', 'rejected', 'pending'])
    for (const { id } of files.slice(0, 2)) {
      expect((await owner.call(getFile, { id })).file.validation_comment).toBe('Wrong year')
    }
    await page.keyboard.press('Control+a')
    await bar(page).getByText('1 selected').waitFor()
    await page.keyboard.press('Escape')
    await bar(page).waitFor({ state: 'detached' })
    expect(offences).toEqual([])
  })

  test('are approved by touch, from the bar below the queue', async () => {
    const files = await buildFiles('a.txt', 'b.txt', 'c.txt')
    const { page, offences } = await open(reviewer, '/validation', phone)
    await check(page, 'a.txt').tap()
    await bar(page).getByText('1 selected').waitFor()
    await bar(page).getByRole('button', { name: 'Select all' }).tap()
    await bar(page).getByText('3 selected').waitFor()
    await listed(page, 'c.txt').getByText(owner.username).tap()
    await bar(page).getByText('2 selected').waitFor()
    expect(await findBarriersInBothThemes(page)).toEqual([])
    await button(page, 'Approve').tap()
    await page.getByRole('status').getByText('2 items were approved').waitFor()
    await expect.poll(() => statusesOf(files)).toEqual(['approved', 'approved', 'pending'])
    expect(offences).toEqual([])
  })

  test('that could not be decided stay, with the reason of each kind', async () => {
    const files = await buildFiles('decided.txt', 'swapped.txt', 'fine.txt', 'other.txt')
    const { page } = await open(reviewer, '/validation')
    await button(page, 'Approve other.txt').waitFor()
    await admin.call(decideFile, { file_id: files[0]?.id ?? 0, status: 'rejected' })
    await owner.upload('something else', { name: 'swapped.txt', on_conflict: 'replace' })
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await bar(page).getByText('4 selected').waitFor()
    await bar(page).getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('status').getByText('2 items were approved, 2 failed').waitFor()
    const strip = page.getByRole('alert').filter({ hasText: 'Failed to approve' })
    await strip.getByText('decided.txt: This file is not waiting for a decision.').waitFor()
    await strip.getByText('swapped.txt: This file has changed since you looked at it').waitFor()
    await listed(page, 'swapped.txt').getByText('14 Bytes').waitFor()
    await listed(page, 'decided.txt').waitFor({ state: 'detached' })
    await expect.poll(() => statusesOf(files)).toEqual(['rejected', 'pending', 'approved', 'approved'])
  })

  test("leave out the reviewer's own files, which cannot be selected", async () => {
    await buildFile(admin, { name: 'mine.txt' })
    await buildFiles('theirs.txt')
    const { page } = await open(admin, '/validation')
    await listed(page, 'mine.txt').getByText('You may not decide on your own files').waitFor()
    expect(await check(page, 'mine.txt').count()).toBe(0)
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await bar(page).getByText('1 selected').waitFor()
  })

  test('keep the reason that was typed when their rejection fails', async () => {
    await buildFiles('a.txt', 'b.txt')
    const { page } = await open(reviewer, '/validation')
    await button(page, 'Approve a.txt').waitFor()
    await page.keyboard.press('Control+a')
    await page.route('**/api/validation', route => route.abort())
    const reject = async (reason?: string) => {
      await bar(page).getByRole('button', { name: 'Reject' }).click()
      const dialog = page.getByRole('dialog', { name: 'Reject 2 files' })
      if (reason !== undefined) await dialog.getByLabel('Reason (optional)').fill(reason)
      await expect.poll(() => dialog.getByLabel('Reason (optional)').inputValue()).toBe('Wrong year')
      await dialog.getByRole('button', { name: 'Reject', exact: true }).click()
    }
    await reject('Wrong year')
    await page.getByRole('alert').getByText('Failed to reject').waitFor()
    await bar(page).getByText('2 selected').waitFor()
    await page.unroute('**/api/validation')
    await reject()
    await page.getByText('No pending files').waitFor()
  })

  test.each([
    ['the desktop', desktop],
    ['a phone', phone],
  ] as const)('have no accessibility barriers on %s while they are selected', async (_where, device) => {
    await buildFile(owner, { name: 'seen.png' }, await drawImage(40, 30).as('png'))
    await buildFiles('a.txt')
    const { page } = await open(reviewer, '/validation', device)
    await check(page, 'seen.png').click()
    await bar(page).waitFor()
    expect(await findBarriersInBothThemes(page)).toEqual([])
  })
})

test('hundreds of files are decided with progress, and a Stop leaves the rest in the queue', async () => {
  const flooder = await buildUser(server)
  const folder = await buildFolder(flooder, 'Flood')
  await plant(server, flooder, async (db, place) => {
    await plantEntries(db, place, folder.id, 300)
    await db.change("UPDATE files SET validation_status = 'pending' WHERE parent_id = $1 AND is_directory = 0", [
      folder.id,
    ])
  })
  const { page, offences } = await open(reviewer, '/validation')
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  await bar(page).getByText('270 selected').waitFor()
  let isFree = false
  const held: (() => Promise<void>)[] = []
  await page.route('**/api/validation', route => (isFree ? route.continue() : void held.push(() => route.continue())))
  await bar(page).getByRole('button', { name: 'Approve' }).click()
  const act = page.getByRole('status').filter({ has: page.getByRole('progressbar') })
  await act.getByText('Approving: 0 of 270').waitFor()
  await expect.poll(() => held.length).toBe(4)
  await act.getByRole('button', { name: 'Stop' }).click()
  isFree = true
  for (const pass of held) await pass()
  const report = page.getByRole('status').filter({ hasText: /^\d+ items were approved, \d+ were left/ })
  await report.waitFor({ timeout: 60_000 })
  const left = (await readPending(reviewer.call)).length
  expect(left).toBeGreaterThan(0)
  await report.getByText(`${270 - left} items were approved, ${left} were left`).waitFor()
  await bar(page).getByText(`${left} selected`).waitFor()
  await page.getByRole('link', { name: `Validation ${left} pending` }).waitFor()
  await bar(page).getByRole('button', { name: 'Approve' }).click()
  await page.getByText('No pending files').waitFor({ timeout: 60_000 })
  expect(offences).toEqual([])
})
