/** The visitor's page of a link on a file: what it shows, and the download. */
import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { updateProfile } from '../../src/api/auth.ts'
import { listLinks } from '../../src/api/links.ts'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { drawImage } from '../support/images.ts'
import { drawPdf } from '../support/pdfs.ts'
import { drawSilence } from '../support/sounds.ts'
import { findBarriersInBothThemes } from './accessible.ts'
import { enter, phone } from './browser.ts'
import { browser, openSite, server } from './site.ts'
import { button } from './viewer.ts'
import { buildLinkPath, overflowOf, visit } from './visitor.ts'

let anna: BuiltUser

openSite()

beforeAll(async () => {
  anna = await buildUser(server)
  await anna.call(updateProfile, { full_name: 'Anna Meier' })
})

test('a visitor sees a text, who shares it and until when, and downloads it', async () => {
  const file = await buildFile(anna, { name: 'plan.txt' }, 'one\n<b>two</b>\n')
  const path = await buildLinkPath(anna, file, { expires_at: '2099-05-04T10:00:00Z' })
  const { page, offences } = await visit(path)
  await page.getByRole('heading', { name: 'plan.txt', level: 1 }).waitFor()
  await page.getByText('15 Bytes').waitFor()
  await page.getByText('From Anna Meier').waitFor()
  await page.getByText('Until 04 May 2099').waitFor()
  await page.getByText('<b>two</b>').waitFor()
  expect(await page.title()).toBe('plan.txt · filestore')
  const download = page.waitForEvent('download')
  await button(page, 'Download').click()
  expect((await download).suggestedFilename()).toBe('plan.txt')
  expect(await readFile((await (await download).path()) ?? '', 'utf8')).toBe('one\n<b>two</b>\n')
  expect(await findBarriersInBothThemes(page)).toEqual([])
  expect(offences).toEqual([])
})

test('pictures, sounds and PDF files are shown as in filestore itself', async () => {
  const picture = await buildFile(anna, { name: 'a.png' }, await drawImage(640, 480).as('png'))
  const { page, offences } = await visit('/robots.txt')
  const fetched: string[] = []
  page.on('requestfinished', request => {
    if (request.url().endsWith('/preview')) fetched.push(request.url())
  })
  await page.goto(await buildLinkPath(anna, picture))
  await page.getByRole('img', { name: 'a.png' }).waitFor()
  await button(page, 'Zoom in').click()
  // The head of the page fetches it, the page decodes it, and the viewer shows it.
  expect(fetched).toHaveLength(1)

  const sound = await buildFile(anna, { name: 'b.wav' }, drawSilence(1))
  await page.goto(await buildLinkPath(anna, sound))
  await page.getByLabel('b.wav').waitFor()

  const document = await buildFile(anna, { name: 'c.pdf' }, drawPdf({ pages: ['First', 'Second'] }))
  await page.goto(await buildLinkPath(anna, document))
  await page.locator('canvas').first().waitFor()

  const archive = await buildFile(anna, { name: 'd.zip' }, 'x')
  await page.goto(await buildLinkPath(anna, archive))
  await page.getByText('Preview not available for this file type').waitFor()
  expect(offences).toEqual([])
})

test('a link with limited downloads shows no content, and counts what is downloaded once', async () => {
  const file = await buildFile(anna, { name: 'rare.txt' }, 'seldom')
  const { page, offences } = await visit(await buildLinkPath(anna, file, { max_downloads: 2 }))
  await page.getByText('2 downloads left').waitFor()
  await page.getByText('there is no preview').waitFor()
  for (let time = 0; time < 2; time++) {
    const download = page.waitForEvent('download')
    await button(page, 'Download').click()
    await (await download).path()
  }
  await page.getByText('1 download left').waitFor()
  await expect.poll(async () => (await anna.call(listLinks, { item_id: file.id })).links[0]?.downloads).toBe(1)
  expect(await page.getByText('seldom').count()).toBe(0)
  expect(await findBarriersInBothThemes(page)).toEqual([])
  expect(offences).toEqual([])
})

describe('who is signed in', () => {
  test('and has access anyway is offered to open the file in filestore', async () => {
    const file = await buildFile(anna, { name: 'own.txt' }, 'mine')
    const path = await buildLinkPath(anna, file)
    const { page } = await browser.open()
    await enter(page, anna)
    await page.goto(path)
    await page.getByRole('link', { name: 'Open in filestore' }).click()
    await page.waitForURL(`**/view/${file.id}`)

    const stranger = await browser.open()
    await enter(stranger.page, await buildUser(server))
    const asked = stranger.page.waitForResponse(`**/api/files/${file.id}`)
    await stranger.page.goto(path)
    await asked
    await stranger.page.getByText('mine').waitFor()
    expect(await stranger.page.getByRole('link', { name: 'Open in filestore' }).count()).toBe(0)
  })
})

test('without JavaScript there is the plain address of the download', async () => {
  const file = await buildFile(anna, { name: 'plain.txt' }, 'plain')
  const { page } = await visit(await buildLinkPath(anna, file), { javaScriptEnabled: false })
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'download' }).click()
  expect((await download).suggestedFilename()).toBe('plain.txt')
})

test('on a phone nothing is wider than the window, and Download is at hand', async () => {
  const file = await buildFile(anna, { name: `${'a long name '.repeat(12)}.txt` }, 'text')
  const path = await buildLinkPath(anna, file)
  for (const width of [320, 390]) {
    const { page, offences } = await visit(path, { ...phone, viewport: { width, height: 640 } })
    await page.getByText('text', { exact: true }).waitFor()
    expect(await overflowOf(page)).toBe(0)
    const box = await button(page, 'Download').boundingBox()
    expect(box?.height).toBeGreaterThanOrEqual(44)
    expect(await findBarriersInBothThemes(page)).toEqual([])
    expect(offences).toEqual([])
  }
})
