/** What is printed of the file in the viewer: the file itself, and nothing else of the page. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { drawImage } from '../support/images.ts'
import { drawPdf } from '../support/pdfs.ts'
import { drawSilence } from '../support/sounds.ts'
import { enter } from './browser.ts'
import { noteDialog, print, printByKey, printedText, readyToPrint } from './paper.ts'
import { browser, openSite, server } from './site.ts'
import { button, openAlone } from './viewer.ts'

let user: BuiltUser

openSite()

beforeAll(async () => {
  user = await buildUser(server)
})

const book = (pages: number) => drawPdf({ pages: Array.from({ length: pages }, (_, index) => `Page ${index + 1}`) })
const onPages = (page: Page) => page.getByRole('region', { name: /^Pages of / })

test('a picture is printed alone on one sheet', async () => {
  const { page, offences } = await openAlone(browser, user, 'tall.png', await drawImage(600, 3000).as('png'))
  await page.getByRole('img', { name: 'tall.png' }).waitFor()
  const sheets = await print(page)
  expect(sheets.map(({ text, pictures }) => [text, pictures])).toEqual([['', 1]])
  await button(page, 'Print').waitFor()
  expect(offences).toEqual([])
})

test('a text is printed from its first line to its last', async () => {
  const lines = Array.from({ length: 3000 }, (_, index) => `line-${index + 1}`)
  const { page } = await openAlone(browser, user, 'long.txt', `${lines.join('\n')}\n`)
  await page.getByText('line-1', { exact: true }).waitFor()
  const sheets = await print(page)
  const text = sheets.map(sheet => sheet.text).join(' ')
  expect(text.match(/line-\d+/g)).toEqual(lines)
  expect(text).toContain('long.txt')
  expect(text).not.toContain('Only the first')
})

test('a text that is not loaded whole says how much of it is printed', async () => {
  const { page } = await openAlone(browser, user, 'large.txt', 'word word word\n'.repeat(100_000))
  await page.getByText('word word word').first().waitFor()
  await readyToPrint(page)
  await page.emulateMedia({ media: 'print' })
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await page.getByText('Only the first 50,000 lines are printed.').waitFor()
})

test('Ctrl+P prints all pages of a PDF, each on a sheet of its own size', async () => {
  const { page, offences } = await openAlone(browser, user, 'book.pdf', book(12))
  await onPages(page).waitFor()
  const sheets = await printByKey(page)
  expect(sheets.map(({ pictures, width, height }) => [pictures, width, height])).toEqual(
    Array.from({ length: 12 }, () => [1, 595, 842]),
  )
  expect(offences).toEqual([])
})

test('the Print button prints the PDF of a page of its own, and can do so again', async () => {
  const { id } = await buildFile(user, { name: 'again.pdf' }, book(3))
  const { page } = await browser.open()
  await enter(page, user, `/view/${id}`)
  await onPages(page).waitFor()
  for (const _ of [1, 2]) {
    const opened = await noteDialog(page)
    await button(page, 'Print').click()
    await opened()
    expect(await print(page)).toHaveLength(3)
  }
})

test('the preparation of a PDF can be cancelled, and shows no dialog then', async () => {
  const { page } = await openAlone(browser, user, 'many.pdf', book(300))
  await onPages(page).waitFor()
  await noteDialog(page)
  await button(page, 'Print').click()
  await page.getByText(/^Preparing page \d+ of 300 for printing…$/).waitFor()
  await button(page, 'Cancel').click()
  await page.getByText(/^Preparing page/).waitFor({ state: 'detached' })
  expect(await page.locator('body[data-dialog]').count()).toBe(0)
  expect(await page.locator('[data-paper]').count()).toBe(0)
})

test('the browser alone prints how a PDF is printed', async () => {
  const { page } = await openAlone(browser, user, 'how.pdf', book(3))
  await onPages(page).waitFor()
  const text = await printedText(page)
  expect(text).toContain('how.pdf')
  expect(text).toContain('press Ctrl+P in filestore itself, or choose Print above its pages')
})

test('a file that paper cannot show is printed as its name, kind, size and place', async () => {
  const { page } = await openAlone(browser, user, 'sound.wav', drawSilence(20))
  await page.locator('audio').waitFor()
  expect(await printedText(page)).toMatch(/^sound\.wav Audio · [\d.]+ KB · .* · \/folder-\w+\/sound\.wav$/)
})
