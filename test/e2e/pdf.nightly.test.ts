/** PDFs: pages and their controls, links, passwords, failures, and the full page at /view. */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { FileDetails } from '../../src/api/items.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { drawPdf } from '../support/pdfs.ts'
import { findBarriers } from './accessible.ts'
import { enter, row, signIn, type TestBrowser } from './browser.ts'
import { browser, openSite, server } from './site.ts'
import { button, dialog, press, zoomOf } from './viewer.ts'

let user: BuiltUser
let folderId: number
let book: FileDetails

const pages = Array.from({ length: 12 }, (_, index) => `This is page ${index + 1}`)
const links = ['https://example.org/a', 'mailto:a@example.org', 'ftp://example.org/b']

openSite()

beforeAll(async () => {
  user = await buildUser(server)
  folderId = (await buildFolder(user, 'Papers')).id
  book = await put('book.pdf', drawPdf({ pages, links, jump: 7 }))
})

const put = (name: string, bytes: string | Buffer) => buildFile(user, { name, parent_id: folderId }, bytes)

const textOf = (page: Page, number: number) =>
  page.locator('.textLayer').getByText(`This is page ${number}`, { exact: true })
const pageField = (page: Page) => page.getByLabel('Page number')

async function openBook(options: Parameters<TestBrowser['open']>[0] = { viewport: { width: 1280, height: 800 } }) {
  const opened = await browser.open(options)
  await enter(opened.page, user, `/view/${book.id}`)
  await textOf(opened.page, 1).waitFor()
  return opened
}

describe('the pages of a PDF', () => {
  test('are reached by number, by buttons and by scrolling', async () => {
    const { page, offences } = await openBook()
    await page.getByText('/ 12').waitFor()
    await pageField(page).fill('9')
    await press(page, 'Enter')
    await textOf(page, 9).waitFor()
    await button(page, 'Next page').click()
    await expect.poll(() => pageField(page).inputValue()).toBe('10')
    await button(page, 'Previous page').click()
    await expect.poll(() => pageField(page).inputValue()).toBe('9')
    await page.getByRole('region', { name: 'Pages of book.pdf' }).focus()
    await press(page, 'Home')
    await expect.poll(() => pageField(page).inputValue()).toBe('1')
    await textOf(page, 1).waitFor()
    expect(await page.locator('canvas').count()).toBeLessThan(6)
    expect(offences).toEqual([])
  })

  test('stay where they are when the field holds no page number of the document', async () => {
    const { page } = await openBook()
    await pageField(page).fill('3')
    await press(page, 'Enter')
    for (const wrong of ['0', '13', '-1', '2.5', 'two', '']) {
      await pageField(page).fill(wrong)
      await press(page, 'Enter')
      await expect.poll(() => pageField(page).inputValue()).toBe('3')
    }
  })

  test('zoom from 50 % to 300 % in steps of 20 %, rotate, and reset', async () => {
    const { page } = await openBook()
    const paper = page.locator('.react-pdf__Page').first()
    const width = async () => Math.round((await paper.boundingBox())?.width ?? 0)
    await expect.poll(() => zoomOf(page)).toBe('100%')
    expect(await width()).toBe(793)
    await button(page, 'Zoom in').click()
    await expect.poll(() => zoomOf(page)).toBe('120%')
    for (let step = 0; step < 9; step++) await press(page, '+')
    await expect.poll(() => zoomOf(page)).toBe('300%')
    await expect.poll(() => button(page, 'Zoom in').isDisabled()).toBe(true)
    for (let step = 0; step < 13; step++) await press(page, '-')
    await expect.poll(() => zoomOf(page)).toBe('50%')
    await expect.poll(() => button(page, 'Zoom out').isDisabled()).toBe(true)
    await press(page, '0')
    await button(page, 'Rotate').click()
    await expect.poll(width).toBe(1122)
    await button(page, 'Zoom in').click()
    await button(page, 'Reset view').click()
    await expect.poll(width).toBe(793)
    await expect.poll(() => zoomOf(page)).toBe('100%')
  })

  test('have text that can be selected, and be found on every page', async () => {
    const { page } = await openBook()
    await textOf(page, 12).waitFor({ state: 'attached' })
    await textOf(page, 1).dblclick({ position: { x: 12, y: 8 } })
    expect(await page.evaluate(() => String(getSelection()).trim())).toBe('This')
  })

  test('open web links in a new tab, and disable links of other kinds', async () => {
    const { page } = await openBook()
    const link = page.locator('.annotationLayer a')
    await link.first().waitFor()
    expect(await link.evaluateAll(all => all.map(element => element.getAttribute('href')))).toEqual([
      'https://example.org/a',
      'mailto:a@example.org',
      '#',
    ])
    await expect.poll(() => link.first().getAttribute('target')).toBe('_blank')
    await expect.poll(() => link.first().getAttribute('rel')).toBe('noopener noreferrer nofollow')
    await link.last().click()
    await expect.poll(() => pageField(page).inputValue()).toBe('7')
    await textOf(page, 7).waitFor()
  })

  test('fill the screen in fullscreen mode', async () => {
    const { page } = await openBook()
    await button(page, 'Fullscreen').click()
    await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true)
    await button(page, 'Exit fullscreen').click()
    await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(false)
  })
})

test('a viewer of a large PDF fetches only the parts that are shown', async () => {
  const padding = 6 * 1024 ** 2
  const large = await put('large.pdf', drawPdf({ pages, padding }))
  const { page } = await browser.open()
  let fetched = 0
  page.on('response', response => {
    if (response.url().endsWith('/preview') && response.status() === 206) {
      fetched += Number(response.headers()['content-length'])
    }
  })
  await enter(page, user, `/view/${large.id}`)
  await textOf(page, 1).waitFor()
  expect(fetched).toBeGreaterThan(0)
  expect(fetched).toBeLessThan(padding / 4)
})

test('a protected PDF asks for its password until it is right', async () => {
  const secret = await put('secret.pdf', drawPdf({ pages: ['This is page 1'], password: 'opensesame' }))
  const { page, offences } = await browser.open()
  await enter(page, user, `/view/${secret.id}`)
  await page.getByText('This document is protected by a password').waitFor()
  await page.getByLabel('Password of the document').fill('wrong')
  await press(page, 'Enter')
  await page.getByText('This password is not right').waitFor()
  await page.getByLabel('Password of the document').fill('opensesame')
  await button(page, 'Open').click()
  await textOf(page, 1).waitFor()
  expect(offences).toEqual([])
})

describe('failures of the PDF viewer', () => {
  test('a file that is not a PDF shows that it might be corrupted, and can be downloaded', async () => {
    const broken = await put('broken.pdf', 'this is no PDF')
    const { page } = await browser.open()
    await enter(page, user, `/files/${folderId}?preview=${broken.id}`)
    await page.getByRole('alert').getByText('PDF Loading Error').waitFor()
    await page.getByText('Failed to load PDF. The file might be corrupted.').waitFor()
    const saved = page.waitForEvent('download')
    await button(page, 'Download File').click()
    expect((await saved).suggestedFilename()).toBe('broken.pdf')
  })

  test('a worker that fails to load shows an error, and Retry reloads the page', async () => {
    const { page } = await browser.open()
    await page.route('**/pdf.worker.min.mjs', route => route.abort())
    await enter(page, user, `/files/${folderId}?preview=${book.id}`)
    await page.getByText('Failed to load PDF. The PDF worker failed to load (network or CORS).').waitFor()
    await page.unroute('**/pdf.worker.min.mjs')
    await button(page, 'Retry').click()
    await textOf(page, 1).waitFor()
    await dialog(page, 'book.pdf').waitFor()
  })

  test('a viewer that fails to load shows the same error', async () => {
    const { page } = await browser.open()
    await page.route('**/pdf-viewer-*.js', route => route.abort())
    await enter(page, user, `/view/${book.id}`)
    await page.getByText('Failed to load PDF. The PDF worker failed to load (network or CORS).').waitFor()
  })

  test('an unknown encryption shows that the file might be unsupported or corrupted', async () => {
    const [head = ''] = drawPdf({ pages, password: 'x' }).toString('latin1').split('/V 1/R 2')
    const rest = drawPdf({ pages, password: 'x' })
      .toString('latin1')
      .slice(head.length + '/V 1/R 2'.length)
    const odd = await put('odd.pdf', Buffer.from(`${head}/V 9/R 9${rest}`, 'latin1'))
    const { page } = await browser.open()
    await enter(page, user, `/view/${odd.id}`)
    await page.getByText('Failed to load PDF. The file might be unsupported or corrupted.').waitFor()
  })
})

describe('the full page of a file', () => {
  test('opens by View PDF, survives a reload, and closes to the folder', async () => {
    const { page } = await browser.open()
    await enter(page, user, `/files/${folderId}`)
    await row(page, 'book.pdf').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'View PDF' }).click()
    await textOf(page, 1).waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/view/${book.id}`)
    expect(await page.getByRole('banner').count()).toBe(0)
    expect(await page.title()).toBe('book.pdf · filestore')
    await page.reload()
    await textOf(page, 1).waitFor()
    await button(page, 'Close').click()
    await row(page, 'book.pdf').waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/files/${folderId}`)
  })

  test('opens after signing in, and shows other kinds of files', async () => {
    const note = await put('note.txt', 'a note')
    const { page } = await browser.open()
    await page.goto(`/view/${note.id}`)
    await signIn(page, user.username, user.password)
    await page.getByText('a note').waitFor()
    await press(page, 'Escape')
    await row(page, 'note.txt').waitFor()
  })

  test('says that a file does not exist, and leads back to the files', async () => {
    const foreign = await buildFile(await buildUser(server))
    const { page } = await browser.open()
    await enter(page, user, `/view/${foreign.id}`)
    for (const id of [foreign.id, 999_999, 'abc', folderId]) {
      await page.goto(`/view/${id}`)
      await page.getByText('This file is not here').waitFor()
    }
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('link', { name: 'Back to Files' }).click()
    await row(page, 'Papers').waitFor()
  })
})

describe.each(['light', 'dark'] as const)('in the %s theme', colorScheme => {
  test('a PDF has no accessibility barriers, and its paper is dimmed only in the dark', async () => {
    const { page } = await openBook({ colorScheme, viewport: { width: 1280, height: 800 } })
    await page.locator('.annotationLayer a').first().waitFor()
    expect(await findBarriers(page)).toEqual([])
    const filter = await page
      .locator('.react-pdf__Page')
      .first()
      .evaluate(paper => getComputedStyle(paper.parentElement ?? paper).filter)
    expect(filter).toBe(colorScheme === 'dark' ? 'brightness(0.88)' : 'none')
  })
})
