/**
 * The upload tray during failures: refusals, full accounts, pauses, and files that are gone (for the queue see
 * test/web/uploads).
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { buildUser } from '../support/factories.ts'
import { chooseFiles, enter, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'
import { largeFile, textFile, tray, uploadRow } from './uploading.ts'

openSite({ maxFileSize: '8MB' })

const uploads = '**/api/files/upload{,-many}'

test("a refused upload shows the server's message on its row", async () => {
  const user = await buildUser(server)
  const { page } = await browser.open()
  await enter(page, user)
  const body = '{"success":false,"message":"Out of order","error":"internal"}'
  await page.route(uploads, route => route.fulfill({ status: 500, body }))
  await chooseFiles(page, [textFile('a.txt')])
  await uploadRow(page, 'a.txt').getByText('Failed · Out of order').waitFor()
})

test('uploads wait as long as the server asks, and then all complete', async () => {
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

test('a file that was deleted from the disk shows an error, and the other uploads continue', async () => {
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

test('uploads stop once the account is full, and Retry all continues after more quota', async () => {
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
  await tray(page).getByText('No room for 50 files, 4.77 MB in all.').waitFor()
  expect(await tray(page).getByRole('link', { name: 'trash' }).getAttribute('href')).toBe('/trash')
  expect(sent).toBeGreaterThan(0)
  expect(sent).toBeLessThan(25)
  expect((await user.call(listFiles, {})).total).toBe(10)
  await server.deps.db.touch(() =>
    server.deps.db.change('UPDATE spaces SET storage_quota = 100000000 WHERE owner_id = $1', [user.id]),
  )
  await page.getByRole('button', { name: 'Retry all failed' }).click()
  await tray(page).waitFor({ state: 'detached', timeout: 30_000 })
  expect((await user.call(listFiles, {})).total).toBe(60)
})
