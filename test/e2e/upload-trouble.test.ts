/** Bad days for uploads: broken answers, full accounts, pauses, sessions that end, files that are gone. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { logout } from '../../src/api/auth.ts'
import { listFiles } from '../../src/api/files.ts'
import { buildUser } from '../support/factories.ts'
import { chooseFiles, enter, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'
import { dropFiles, largeFile, slowDown, textFile, tray, uploadRow } from './uploading.ts'

openSite({ maxFileSize: '8MB' })

const uploads = '**/api/files/upload'

test.each([
  ['no JSON', { status: 201, body: 'done' }, 'Invalid response format'],
  ['no item', { status: 201, body: '{"success":true,"message":"OK","data":null}' }, 'Invalid response format'],
  ['a bare status', { status: 502, body: '<html>' }, 'HTTP 502'],
  [
    'a sentence',
    { status: 500, body: '{"success":false,"message":"Out of order","error":"internal"}' },
    'Out of order',
  ],
])('an answer with %s fails the row in its words', async (_what, answer, words) => {
  const user = await buildUser(server)
  const { page } = await browser.open()
  await enter(page, user)
  await page.route(uploads, route => route.fulfill(answer))
  await chooseFiles(page, [textFile('a.txt')])
  await uploadRow(page, 'a.txt').getByText(`Failed · ${words}`).waitFor()
})

test('a file above the limit fails at once, without a byte sent', async () => {
  const user = await buildUser(server)
  const { page } = await browser.open()
  await enter(page, user)
  let sent = 0
  await page.route(uploads, route => {
    sent += 1
    return route.continue()
  })
  await dropFiles(page, [['large.bin', 9 * 1024 ** 2]])
  await uploadRow(page, 'large.bin').getByText('Failed · File is larger than 8MB').waitFor()
  await tray(page).getByText('Maximum file size: 8MB').waitFor()
  // Another try would be no other.
  expect(
    await tray(page)
      .getByRole('button', { name: /^Retry/ })
      .count(),
  ).toBe(0)
  expect(sent).toBe(0)
})

test('once the account is full the rest is not tried in vain, and Retry all goes on', async () => {
  const user = await buildUser(server, { storageQuota: 1_000_000 })
  const { page } = await browser.open()
  await enter(page, user)
  let sent = 0
  await page.route(uploads, route => {
    sent += 1
    return route.continue()
  })
  await chooseFiles(
    page,
    Array.from({ length: 60 }, (_, index) => largeFile(`${index}.bin`, 100_000)),
  )
  await tray(page).getByText('50 uploads failed').first().waitFor()
  await tray(page).getByText('Failed · Storage quota exceeded').first().waitFor()
  expect(sent).toBeLessThan(25)
  expect((await user.call(listFiles, {})).total).toBe(10)
  await server.deps.db.touch(() =>
    server.deps.db.change('UPDATE spaces SET storage_quota = 100000000 WHERE owner_id = $1', [user.id]),
  )
  await page.getByRole('button', { name: 'Retry all failed' }).click()
  await tray(page).waitFor({ state: 'detached', timeout: 30_000 })
  expect((await user.call(listFiles, {})).total).toBe(60)
})

test('a server that asks to wait is given the time, and nothing is lost', async () => {
  const user = await buildUser(server)
  const { page } = await browser.open()
  await enter(page, user)
  let refusals = 2
  await page.route(uploads, route => {
    refusals -= 1
    if (refusals < 0) return route.continue()
    return route.fulfill({ status: 429, headers: { 'Retry-After': '1' }, body: '' })
  })
  await chooseFiles(
    page,
    ['a.txt', 'b.txt', 'c.txt'].map(name => textFile(name)),
  )
  await tray(page).getByText('The server asked to wait.').waitFor()
  await row(page, 'a.txt').waitFor()
  await tray(page).waitFor({ state: 'detached' })
  expect((await user.call(listFiles, {})).total).toBe(3)
})

test('a session that ends holds uploads until the same user is back', async () => {
  const user = await buildUser(server)
  const { page, offences } = await browser.open()
  await enter(page, user)
  await page.getByText('This folder is empty').waitFor()
  await slowDown(page, 300_000)
  await dropFiles(
    page,
    Array.from({ length: 40 }, (_, index) => [`${index}.txt`, 'x'.repeat(20_000)] as const),
  )
  await tray(page)
    .getByText(/^Uploading [2-9] of 40/)
    .waitFor()
  await page.evaluate(path => fetch(path, { method: 'POST', credentials: 'include' }), `/api${logout.path}`)
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
  await slowDown(page, -1)
  expect(await tray(page).getByText('Failed').count()).toBe(0)
  await page.getByLabel('Password', { exact: true }).fill(user.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await tray(page).waitFor({ state: 'detached', timeout: 30_000 })
  await page.getByText('40 items').waitFor()
  expect((await user.call(listFiles, {})).total).toBe(40)
  expect(offences).toEqual([])
}, 60_000)

test('a server that is gone fails what was under way; what waits goes on when it is back', async () => {
  const user = await buildUser(server)
  const { page } = await browser.open()
  await enter(page, user)
  await page.getByText('This folder is empty').waitFor()
  await page.route('**/*', route => route.abort())
  await dropFiles(
    page,
    Array.from({ length: 30 }, (_, index) => [`${index}.txt`, 'x'] as const),
  )
  await tray(page).getByText('Failed · Upload failed').first().waitFor()
  await page.getByText('The server cannot be reached. Trying again...').waitFor()
  await page.unroute('**/*')
  await page.getByRole('button', { name: 'Retry all failed' }).click()
  await tray(page).waitFor({ state: 'detached', timeout: 30_000 })
  expect((await user.call(listFiles, {})).total).toBe(30)
})

test('a file that is gone from the disk by then fails in a sentence, and the others go on', async () => {
  const user = await buildUser(server)
  const disk = mkdtempSync(join(tmpdir(), 'filestore-gone-'))
  const paths = ['here.txt', 'gone.txt'].map(name => join(disk, name))
  for (const path of paths) writeFileSync(path, 'some words')
  const { page } = await browser.open()
  await enter(page, user)
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
  await page.route('**/api/metadata/fields/upload*', async route => {
    rmSync(join(disk, 'gone.txt'))
    await route.continue()
  })
  await (await chooser).setFiles(paths)
  await uploadRow(page, 'gone.txt').getByText('Failed · The file cannot be read').waitFor()
  await row(page, 'here.txt').waitFor()
  rmSync(disk, { recursive: true })
})

test('a cancelled upload can be had back', async () => {
  const user = await buildUser(server)
  const { page } = await browser.open()
  await enter(page, user)
  await slowDown(page, 400_000)
  await chooseFiles(page, [largeFile('slow.bin', 4_000_000)])
  await uploadRow(page, 'slow.bin').getByRole('progressbar').waitFor()
  await page.getByRole('button', { name: 'Cancel slow.bin' }).click()
  await page.getByText('Upload cancelled').waitFor()
  await slowDown(page, -1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await row(page, 'slow.bin').waitFor()
  expect((await user.call(listFiles, {})).files.map(({ size }) => size)).toEqual([4_000_000])
})
