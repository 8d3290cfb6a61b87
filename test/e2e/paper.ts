/** Prints a page to PDF, and reads what is on the paper. */

import { getDocument, OPS, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

export interface Sheet {
  text: string
  /** The number of pictures on it. */
  pictures: number
  /** Points. */
  width: number
  height: number
}

async function readSheet(page: PDFPageProxy): Promise<Sheet> {
  const { items } = await page.getTextContent()
  const { fnArray } = await page.getOperatorList()
  const { width, height } = page.getViewport({ scale: 1 })
  return {
    text: items.map(item => ('str' in item ? item.str + (item.hasEOL ? ' ' : '') : '')).join(''),
    pictures: fnArray.filter(operator => operator === OPS.paintImageXObject).length,
    width: Math.round(width),
    height: Math.round(height),
  }
}

/** Waits until the page would give the printer what is made for it: the code for that loads last. */
export const readyToPrint = (page: Page): Promise<void> =>
  expect
    .poll(() =>
      page.evaluate(() => {
        const isThere = () => document.querySelector('[data-paper]') !== null
        if (isThere()) return true
        dispatchEvent(new Event('beforeprint'))
        const isMade = isThere()
        dispatchEvent(new Event('afterprint'))
        return isMade
      }),
    )
    .toBe(true)

/** Prints the page as the browser's menu does; returns the sheets. */
export async function print(page: Page): Promise<Sheet[]> {
  await readyToPrint(page)
  return printScreen(page)
}

/** Prints a page for which nothing else is made: the screen itself. */
export async function printScreen(page: Page): Promise<Sheet[]> {
  const data = new Uint8Array(await page.pdf({ format: 'A4', preferCSSPageSize: true }))
  const pdf = await getDocument({ data, verbosity: 0 }).promise
  const sheets: Sheet[] = []
  for (let number = 1; number <= pdf.numPages; number++) sheets.push(await readSheet(await pdf.getPage(number)))
  await pdf.destroy()
  return sheets
}

/** The text of all sheets. */
export const printedText = async (page: Page): Promise<string> => (await print(page)).map(({ text }) => text).join(' ')

/** Keeps the print dialog from opening; returns a function that waits until the page would have opened it. */
export async function noteDialog(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    document.body.removeAttribute('data-dialog')
    window.print = () => document.body.setAttribute('data-dialog', 'print')
  })
  return () => page.locator('body[data-dialog=print]').waitFor({ timeout: 60_000 })
}

/** Presses Ctrl+P, and prints once the page opens the print dialog by itself. */
export async function printByKey(page: Page): Promise<Sheet[]> {
  await readyToPrint(page)
  const opened = await noteDialog(page)
  await page.keyboard.press('Control+p')
  await opened()
  return print(page)
}
