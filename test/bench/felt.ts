/**
 * The page as a user feels it: the time from an address to rows, and from an input to the next frame, also on a slow
 * machine.
 */
import type { Page } from 'playwright-core'
import { launchBrowser, type TestBrowser } from '../e2e/browser.ts'
import type { Client } from './client.ts'
import { inputs, typeIntoNothing } from './felt-inputs.ts'
import { recordTraces } from './felt-traces.ts'
import { summarize } from './measure.ts'
import type { Measuring } from './options.ts'
import { type Folders, openRoot, openSignedIn, plantFolders, timeFolder } from './page.ts'
import { withPlace, withProduct } from './product.ts'
import { slowDown } from './slow-down.ts'
import type { Bound, Row } from './table.ts'

/** By how much the page's own work is slowed down. */
const slowdowns = [1, 4]
const bound: Bound = { of: 'p95', side: 'at most', limit: 100 }

/** Records when the first rows of a list are painted. */
const noteRows = `{
  const look = () => {
    if (document.querySelector('[role="row"][data-index]') === null) requestAnimationFrame(look)
    else requestAnimationFrame(() => setTimeout(() => performance.mark('rows')))
  }
  requestAnimationFrame(look)
}`

/** Milliseconds from the start of a navigation until the first rows of the list are painted. */
async function timeLoad(page: Page): Promise<number> {
  await page.goto('/files')
  return page.evaluate(
    () =>
      new Promise<number>(resolve => {
        const observer = new PerformanceObserver(list => {
          observer.disconnect()
          resolve(list.getEntries()[0]?.startTime ?? Number.NaN)
        })
        observer.observe({ type: 'mark', buffered: true })
      }),
  )
}

/** Loads with an empty cache and a session, and later loads with a full cache. */
async function sampleLoads(browser: TestBrowser, client: Client, rate: number) {
  const page = await openSignedIn(browser, client)
  await page.addInitScript(noteRows)
  await timeLoad(page)
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Network.clearBrowserCache')
  await devTools.detach()
  await slowDown(page, rate)
  const cold = await timeLoad(page)
  // The browser stores compiled scripts from the second load on.
  for (let load = 0; load < 2; load++) await timeLoad(page)
  const warm = await timeLoad(page)
  await page.context().close()
  return { cold, warm }
}

async function sampleAt(rate: number, client: Client, folders: Folders, isQuick: boolean) {
  const browser = await launchBrowser(client)
  try {
    const loads = []
    for (let round = 0; round < (isQuick ? 2 : 10); round++) loads.push(await sampleLoads(browser, client, rate))
    const page = await openRoot(browser, client)
    await slowDown(page, rate)
    const opened: number[] = []
    for (let round = 0; round < (isQuick ? 2 : 10); round++) opened.push(await timeFolder(page, folders.huge))
    const felt = []
    for (const { name, sample } of inputs) felt.push({ name, samples: await sample(page, folders, isQuick) })
    return { loads, opened, felt, bare: await typeIntoNothing(page, isQuick) }
  } finally {
    await browser.close()
  }
}

export async function measureFelt(measuring: Measuring): Promise<Row[]> {
  const { isQuick, traces } = measuring
  const count = isQuick ? 5_000 : 50_000
  const all = await withPlace(measuring, async place => {
    const folders = await plantFolders(place, count)
    return withProduct(place, async client => {
      const found = []
      for (const rate of slowdowns) {
        found.push({ rate, ...(await sampleAt(rate, client, folders, isQuick)) })
        if (traces !== undefined) await recordTraces(traces, client, rate, folders)
      }
      return found
    })
  })
  return all.flatMap(({ rate, loads, opened, felt, bare }): Row[] => {
    const reference = { name: 'a page with nothing but a field', figures: summarize(bare) }
    const row = (name: string, samples: readonly number[]): Row => ({
      name: `${name}, ${rate}×`,
      unit: 'ms',
      value: summarize(samples),
    })
    return [
      row(
        'first load, first rows painted',
        loads.map(({ cold }) => cold),
      ),
      row(
        'later load, first rows painted',
        loads.map(({ warm }) => warm),
      ),
      row(`folder of ${count.toLocaleString('en')}, first rows painted`, opened),
      ...felt.map(({ name, samples }) => ({ ...row(`input to picture: ${name}`, samples), reference, bound })),
    ]
  })
}
