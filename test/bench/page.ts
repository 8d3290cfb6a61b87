/** The page in a real Chromium: a folder of very many files, compared with a small one. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import { desktop, launchBrowser, type TestBrowser } from '../e2e/browser.ts'
import type { Client } from './client.ts'
import { interleave, summarize } from './measure.ts'
import type { Measuring } from './options.ts'
import { changeRows, type Place } from './place.ts'
import { plantEntries, plantFolder } from './plant.ts'
import { withPlace, withProduct } from './product.ts'
import type { Row } from './table.ts'

const smallFolder = 200
/** The number of frames for scrolling through the whole height. */
const frames = 300

export interface Folders {
  huge: number
  small: number
}

/** Plants a folder of `count` entries and a small one in the root. */
export const plantFolders = (place: Place, count: number): Promise<Folders> =>
  changeRows(place, async (db, owner) => {
    const huge = await plantFolder(db, owner, null, 'Huge')
    await plantEntries(db, owner, huge, count)
    const small = await plantFolder(db, owner, null, 'Small')
    await plantEntries(db, owner, small, smallFolder)
    return { huge, small }
  })

/** Opens an empty page with a client's session. */
export async function openSignedIn(browser: TestBrowser, { url, headers }: Client): Promise<Page> {
  const [name = '', ...value] = (headers.cookie ?? '').split('=')
  const storageState = { cookies: [cookieOf(url, name, value.join('='))], origins: [] }
  const { page } = await browser.openLasting({ ...desktop, storageState })
  // tsx adds calls of this helper to functions, also to those that run in the page.
  await page.addInitScript('globalThis.__name = named => named')
  return page
}

/** Opens such a page on the list of the root. */
export async function openRoot(browser: TestBrowser, client: Client): Promise<Page> {
  const page = await openSignedIn(browser, client)
  await page.goto('/')
  await page.getByRole('row', { name: 'Huge' }).waitFor()
  return page
}

type Cookie = Exclude<NonNullable<BrowserContextOptions['storageState']>, string>['cookies'][number]

const cookieOf = (url: string, name: string, value: string): Cookie => ({
  name,
  value,
  domain: new URL(url).hostname,
  path: '/',
  expires: -1,
  httpOnly: true,
  secure: false,
  sameSite: 'Lax',
})

/** Milliseconds from the click on a folder until its first rows are painted, in a page without cached data. */
export async function timeFolder(page: Page, id: number): Promise<number> {
  await page.goto('/files')
  await page.getByRole('row', { name: 'Huge' }).waitFor()
  await page.waitForLoadState('networkidle')
  return page.evaluate(async folder => {
    const nextFrame = () => new Promise(resolve => requestAnimationFrame(resolve))
    const start = performance.now()
    document.querySelector<HTMLElement>(`[role="grid"] a[href$="/files/${folder}"]`)?.click()
    while (document.querySelector('[role="row"][aria-label="Project 0"]') === null) await nextFrame()
    await nextFrame()
    return performance.now() - start
  }, id)
}

interface Scrolled {
  /** The largest number of rows in the document. */
  rows: number
  /** The longest task in ms; 0 when there was no long task. */
  longest: number
  /** Milliseconds from the jump to the end until the last row is shown. */
  jump: number
}

/** Jumps to the end, which loads everything, then scrolls to the beginning and down again. */
function scrollThrough(page: Page, last: string): Promise<Scrolled> {
  return page.evaluate(
    async ([name, steps]) => {
      let longest = 0
      const note = (entries: PerformanceEntryList) => {
        for (const { duration } of entries) longest = Math.max(longest, duration)
      }
      const observer = new PerformanceObserver(list => note(list.getEntries()))
      observer.observe({ entryTypes: ['longtask'] })
      const nextFrame = () => new Promise(resolve => requestAnimationFrame(resolve))
      const scroller = document.querySelector('[role="rowgroup"]')
      if (scroller === null) throw new Error('no list')
      let rows = 0
      const scrollTo = async (top: number) => {
        scroller.scrollTop = top
        await nextFrame()
        rows = Math.max(rows, document.querySelectorAll('[role="row"]').length)
      }
      const start = performance.now()
      await scrollTo(scroller.scrollHeight)
      while (document.querySelector(`[role="row"][aria-label="${name}"]`) === null) await nextFrame()
      const jump = performance.now() - start
      const step = scroller.scrollHeight / steps
      for (let index = steps; index >= 0; index--) await scrollTo(index * step)
      for (let index = 0; index <= steps; index++) await scrollTo(index * step)
      note(observer.takeRecords())
      observer.disconnect()
      return { rows, longest, jump }
    },
    [last, frames] as const,
  )
}

async function samplePage(client: Client, { huge, small }: Folders, count: number, isQuick: boolean) {
  const browser = await launchBrowser(client)
  try {
    const page = await openRoot(browser, client)
    // Warm-up: the first visits compile code.
    await interleave(2, [() => timeFolder(page, huge), () => timeFolder(page, small)])
    const opened = await interleave(isQuick ? 3 : 15, [() => timeFolder(page, huge), () => timeFolder(page, small)])
    const scrolled: Scrolled[] = []
    for (let round = 0; round < (isQuick ? 1 : 3); round++) {
      await timeFolder(page, huge)
      scrolled.push(await scrollThrough(page, `Report ${count - 1} of the year.pdf`))
    }
    return { opened, scrolled }
  } finally {
    await browser.close()
  }
}

export async function measurePage(measuring: Measuring): Promise<Row[]> {
  const { isQuick } = measuring
  const count = isQuick ? 5_000 : 50_000
  const { opened, scrolled } = await withPlace(measuring, async place => {
    const folders = await plantFolders(place, count)
    return withProduct(place, client => samplePage(client, folders, count, isQuick))
  })
  const name = `folder of ${count.toLocaleString('en')} in the browser`
  const figures = (of: keyof Scrolled) => summarize(scrolled.map(one => one[of]))
  return [
    {
      name: `${name}: first rows painted`,
      unit: 'ms',
      value: summarize(opened[0]),
      reference: { name: `folder of ${smallFolder}`, figures: summarize(opened[1]) },
      bound: { of: 'ratio', side: 'at most', limit: 1.5 },
    },
    {
      name: `${name}: rows in the document while scrolling`,
      unit: 'rows',
      value: figures('rows'),
      bound: { of: 'max', side: 'at most', limit: 200 },
    },
    {
      name: `${name}: longest task while scrolling`,
      unit: 'ms',
      value: figures('longest'),
      bound: { of: 'median', side: 'at most', limit: 100 },
    },
    { name: `${name}: jump to the end`, unit: 'ms', value: figures('jump') },
  ]
}
