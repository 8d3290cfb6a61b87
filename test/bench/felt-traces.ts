/**
 * Records traces for Chromium's developer tools, which show where the time goes while the page loads, scrolls and
 * receives text.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../e2e/browser.ts'
import type { Client } from './client.ts'
import { press } from './felt-inputs.ts'
import { type Folders, openSignedIn, timeFolder } from './page.ts'
import { slowDown } from './slow-down.ts'

/** The categories for tasks, scripts, layout and frames. Script samples would slow all of these down. */
const categories = [
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'disabled-by-default-devtools.timeline.frame',
  'blink.user_timing',
  'latencyInfo',
  'loading',
  'toplevel',
  'v8.execute',
]

/** How many steps the wheel turns. */
const turns = 100

/** The recorded scenes, each in a new page. */
const scenes: Record<string, (page: Page, folders: Folders) => Promise<unknown>> = {
  'first-load': async page => {
    await page.goto('/files')
    await page.getByRole('row', { name: 'Huge' }).waitFor()
    await page.waitForLoadState('networkidle')
  },
  'open-folder': (page, { huge }) => timeFolder(page, huge),
  scroll: async (page, { huge }) => {
    await timeFolder(page, huge)
    await page.getByRole('grid').hover()
    for (let turn = 0; turn < turns; turn++) await page.mouse.wheel(0, 300)
  },
  search: async (page, { huge }) => {
    await timeFolder(page, huge)
    await press(page, [...'/report 12'], 120)
    await page.waitForLoadState('networkidle')
  },
}

/** Writes `<folder>/<scene>-<rate>x.json` for each scene. */
export async function recordTraces(folder: string, client: Client, rate: number, folders: Folders): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [name, act] of Object.entries(scenes)) {
    const browser = await launchBrowser(client)
    const page = await openSignedIn(browser, client)
    await slowDown(page, rate)
    const chromium = page.context().browser()
    await chromium?.startTracing(page, { path: join(folder, `${name}-${rate}x.json`), categories })
    await act(page, folders)
    await chromium?.stopTracing()
    await browser.close()
  }
}
