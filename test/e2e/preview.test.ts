/** The preview over the list: moving between files, its address, the keyboard and the focus. */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { trashFile } from '../../src/api/trash.ts'
import { signIn as signInTo } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildReviewer, buildUser, turnSettings } from '../support/factories.ts'
import { drawImage } from '../support/images.ts'
import { plantFiles } from '../support/planted.ts'
import { findBarriersInBothThemes } from './accessible.ts'
import { enter, holdNews, row, signIn } from './browser.ts'
import { browser, openSite, server } from './site.ts'
import { button, dialog, press } from './viewer.ts'

let user: BuiltUser
let folderId: number
/** In the order of the list: a picture, a ZIP file without a preview, another picture, a text. */
let files: FileDetails[]

openSite()

beforeAll(async () => {
  user = await buildUser(server)
  folderId = (await buildFolder(user, 'Shown')).id
  const wide = await drawImage(2400, 1200).as('png')
  files = [
    await buildFile(user, { name: 'a.png', parent_id: folderId }, wide),
    await buildFile(user, { name: 'b.zip', parent_id: folderId }, 'x'.repeat(2048)),
    await buildFile(user, { name: 'c.jpg', parent_id: folderId }, await drawImage(300, 200).as('jpeg')),
    await buildFile(user, { name: 'd.txt', parent_id: folderId }, 'one\r\ntwo\n<b>three</b>\n'),
  ]
})

const previewed = (page: Page) => new URL(page.url()).searchParams.get('preview')

describe('the preview', () => {
  test('opens, moves and closes by keyboard, and returns the focus to its row', async () => {
    const { page, offences } = await browser.open()
    await enter(page, user, `/files/${folderId}`)
    await row(page, 'a.png').waitFor()
    await press(page, 'ArrowDown', 'Enter')
    await dialog(page, 'a.png').getByText('1 of 4').waitFor()
    await page.getByRole('img', { name: 'a.png' }).waitFor()
    await press(page, 'ArrowLeft')
    await press(page, 'ArrowRight')
    await dialog(page, 'b.zip').getByText('2 of 4 · 2.00 KB').waitFor()
    await page.getByText('Preview not available for this file type').waitFor()
    await press(page, 'ArrowRight', 'ArrowRight')
    await dialog(page, 'd.txt').waitFor()
    await press(page, 'ArrowRight', 'ArrowLeft')
    await dialog(page, 'c.jpg').waitFor()
    await expect.poll(() => previewed(page)).toBe(String(files[2]?.id))
    await press(page, 'Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('a.png')
    await expect.poll(() => new URL(page.url()).search).toBe('')
    expect(offences).toEqual([])
  })

  test('moves by its buttons and the film strip, and keeps the focus inside', async () => {
    const { page } = await browser.open()
    await enter(page, user, `/files/${folderId}?preview=${files[0]?.id}`)
    const strip = page.getByRole('navigation', { name: 'Files' })
    await button(page, 'Next file').click()
    await dialog(page, 'b.zip').waitFor()
    await strip.getByRole('button', { name: 'd.txt' }).click()
    await dialog(page, 'd.txt').waitFor()
    await expect.poll(() => strip.getByRole('button', { name: 'd.txt' }).getAttribute('aria-current')).toBe('true')
    await button(page, 'Previous file').click()
    await dialog(page, 'c.jpg').waitFor()
    for (let step = 0; step < 12; step++) {
      await press(page, 'Tab')
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null))
        .toBe(true)
    }
  })

  test("closes with the browser's Back button, which stays in the folder", async () => {
    const { page } = await browser.open()
    await enter(page, user, `/files/${folderId}`)
    await row(page, 'a.png').dblclick()
    await dialog(page, 'a.png').waitFor()
    await expect.poll(() => previewed(page)).toBe(String(files[0]?.id))
    await press(page, 'ArrowRight')
    await dialog(page, 'b.zip').waitFor()
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/files/${folderId}`)
    await page.goForward()
    await dialog(page, 'b.zip').getByText('2 of 4').waitFor()
  })

  test('opens from a link after signing in, survives a reload, and closes to the folder', async () => {
    const { page } = await browser.open()
    await page.goto(`/files/${folderId}?preview=${files[1]?.id}`)
    await signIn(page, user.username, user.password)
    await dialog(page, 'b.zip').getByText('2 of 4').waitFor()
    await page.reload()
    await dialog(page, 'b.zip').getByText('2 of 4').waitFor()
    await button(page, 'Close').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await row(page, 'b.zip').waitFor()
    await expect.poll(() => new URL(page.url()).search).toBe('')
  })

  test('stays open when Escape closes a dialog above it', async () => {
    const { page } = await browser.open()
    await enter(page, user, `/files/${folderId}?preview=${files[0]?.id}`)
    await button(page, 'Manage Tags').click()
    await page.getByRole('dialog').nth(1).waitFor()
    await press(page, 'Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(1)
    await dialog(page, 'a.png').waitFor()
  })

  test('says that a deleted file is gone, and moves on to the next one', async () => {
    const folder = await buildFolder(user)
    const gone = await buildFile(user, { name: 'gone.png', parent_id: folder.id }, await drawImage(8, 8).as('png'))
    await buildFile(user, { name: 'here.txt', parent_id: folder.id }, 'still here')
    const { page } = await browser.open()
    await holdNews(page)
    await enter(page, user, `/files/${folder.id}`)
    await row(page, 'gone.png').waitFor()
    await user.call(trashFile, { id: gone.id })
    await row(page, 'gone.png').dblclick()
    await page.getByRole('alert').getByText('This file is not here').waitFor()
    await press(page, 'ArrowRight')
    await page.getByText('still here').waitFor()
  })

  test('says that an unknown file is not there, and closes', async () => {
    const { page } = await browser.open()
    await enter(page, user, `/files/${folderId}?preview=999999`)
    await page.getByText('This file is not here').waitFor()
    await page.getByText('It was moved to the trash, deleted, or is no longer yours to see.').waitFor()
    await page.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await row(page, 'a.png').waitFor()
  })

  test('says that the id of a folder is no file', async () => {
    const { page } = await browser.open()
    const inner = await buildFolder(user, undefined, folderId)
    await enter(page, user, `/files/${folderId}?preview=${inner.id}`)
    await page.getByText('This file is not here').waitFor()
    await user.call(trashFile, { id: inner.id })
  })

  test.each(['/files?preview=', '/view/'])('can be closed while the file of %s loads', async address => {
    const { page } = await browser.open()
    await page.route(`**/api/files/${files[0]?.id}`, () => undefined)
    await enter(page, user, '/trash')
    await page.goto(`${address}${files[0]?.id}`)
    await page.getByRole('status').getByText('Loading…').waitFor()
    await button(page, 'Close').click()
    await page.getByText('Loading…').waitFor({ state: 'detached' })
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).waitFor()
  })

  test('shows an error when a download fails', async () => {
    const { page } = await browser.open()
    await enter(page, user, `/files/${folderId}?preview=${files[0]?.id}`)
    await page.route('**/download', route => route.fulfill({ status: 500 }))
    await dialog(page, 'a.png').getByRole('button', { name: 'Download', exact: true }).click()
    await page.getByText('Download failed').waitFor()
  })
})

test("a reviewer sees another user's pending file without the actions of its owner", async () => {
  const reviewer = await buildReviewer(server)
  await turnSettings(await signInTo(server.url, server.adminName, server.adminPassword), { validation_enabled: true })
  const pending = await buildFile(user, { name: 'pending.txt' }, 'please check')
  const { page } = await browser.open()
  await enter(page, reviewer, `/validation?preview=${pending.id}`)
  const shown = dialog(page, 'pending.txt')
  await shown.getByText('please check').waitFor()
  await shown.getByText('Pending', { exact: true }).waitFor()
  expect(await button(page, 'Manage Tags').count()).toBe(0)
  await button(page, 'Details').click()
  const details = page.getByRole('complementary', { name: 'Details' })
  await details.getByRole('button', { name: 'Copy checksum' }).waitFor()
  await details.getByText('/', { exact: true }).waitFor()
  expect(await details.getByRole('link').count()).toBe(0)
  expect(await details.getByRole('heading', { name: 'Activity' }).count()).toBe(0)
  const acts = details.getByRole('button')
  await expect
    .poll(() => acts.evaluateAll(buttons => buttons.map(each => each.getAttribute('aria-label') ?? each.textContent)))
    .toEqual(['Close details', 'Preview', 'Download', 'Copy address', 'Copy checksum'])
  await page.goto(`/view/${pending.id}`)
  await page.getByText('please check').waitFor()
  await button(page, 'Close').click()
  await page.getByText('Validation Queue').waitFor()
})

test('the preview counts every file of a large folder, also those that the list has not loaded', async () => {
  const folder = await buildFolder(user)
  await plantFiles(server, user, folder.id, 300)
  const { files: planted } = await user.call(listFiles, { parent_id: folder.id })
  const [first, last] = [planted[0], planted.at(-1)]
  const { page } = await browser.open()
  await enter(page, user, `/files/${folder.id}?preview=${first?.id}`)
  await dialog(page, first?.name ?? '')
    .getByText('1 of 270')
    .waitFor()
  await page.goto(`/files/${folder.id}?preview=${last?.id}`)
  await dialog(page, last?.name ?? '')
    .getByText('270 of 270')
    .waitFor()
  const strip = page.getByRole('navigation', { name: 'Files' })
  expect(await strip.getByRole('button').count()).toBeLessThan(60)
})

describe('in both themes', () => {
  test('a picture beside its details has no accessibility barriers', async () => {
    const { page } = await browser.open()
    await enter(page, user, `/files/${folderId}?preview=${files[0]?.id}`)
    await page.getByRole('img', { name: 'a.png' }).waitFor()
    await button(page, 'Details').click()
    await page.getByRole('heading', { name: 'Information' }).waitFor()
    expect(await findBarriersInBothThemes(page)).toEqual([])
  })

  test.each([
    ['a text', 3, 'two'],
    ['a file without a viewer', 1, 'Preview not available for this file type'],
  ])('the preview of %s has no accessibility barriers', async (_what, index, words) => {
    const { page } = await browser.open()
    await enter(page, user, `/files/${folderId}?preview=${files[index]?.id}`)
    await page.getByText(words, { exact: true }).waitFor()
    expect(await findBarriersInBothThemes(page)).toEqual([])
  })
})
