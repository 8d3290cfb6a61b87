/** Starts Chromium for tests: its pages talk to a test server, and record everything that must never happen. */
import chromium from '@sparticuz/chromium'
import {
  type BrowserContextOptions,
  type Locator,
  type Page,
  chromium as playwright,
  type Route,
} from 'playwright-core'
import { onTestFinished } from 'vitest'
import { logout } from '../../src/api/auth.ts'
import type { TestServer } from '../support/test-server.ts'

export interface TestPage {
  page: Page
  /** Violations of the content policy, requests to other origins and uncaught errors. */
  offences: string[]
}

export interface TestBrowser {
  /** Opens an empty page in its own profile. The page closes with the test that opened it. */
  open(options?: BrowserContextOptions): Promise<TestPage>
  /** Opens a page that stays until the browser is closed. */
  openLasting(options?: BrowserContextOptions): Promise<TestPage>
  close(): Promise<void>
}

export const quiet = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync']

export const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 800 } }
export const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
export const tablet: BrowserContextOptions = { ...phone, viewport: { width: 768, height: 1024 } }
export const wideTablet: BrowserContextOptions = { ...phone, viewport: { width: 1180, height: 820 } }

export async function launchBrowser(server: Pick<TestServer, 'url'>): Promise<TestBrowser> {
  const browser = await playwright.launch({ executablePath: await chromium.executablePath(), args: quiet })
  // Reduced motion is the default; otherwise a test would wait for two transitions of every dialog.
  const openLasting = async (options = desktop): Promise<TestPage> => {
    const context = await browser.newContext({ baseURL: server.url, reducedMotion: 'reduce', ...options })
    // Less than a test's own limit, so that the error names the element that did not come.
    context.setDefaultTimeout(30_000)
    const page = await context.newPage()
    return { page, offences: recordOffences(page, server.url) }
  }
  return {
    open: async options => {
      const opened = await openLasting(options)
      onTestFinished(() => opened.page.context().close())
      return opened
    },
    openLasting,
    close: () => browser.close(),
  }
}

function recordOffences(page: Page, origin: string): string[] {
  const offences: string[] = []
  page.on('request', request => {
    const { protocol, origin: target } = new URL(request.url())
    if (protocol.startsWith('http') && target !== origin) offences.push(`request to ${request.url()}`)
  })
  page.on('pageerror', error => offences.push(`uncaught ${error.message}`))
  page.on('console', message => {
    // The browser itself logs answers with status 400 and above, and many tests expect these.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      offences.push(message.text())
    }
  })
  return offences
}

/** Fills in the sign-in form of the open page, and waits for the next screen. */
export async function signIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  // The next screen may have another field labelled Username, so wait until this input has gone.
  await page.locator('input[name=username]').waitFor({ state: 'detached' })
}

/** Ends the session of a page on the server, as its expiry would, after the page's calls have finished. */
export async function endSession(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.evaluate(path => fetch(path, { method: 'POST', credentials: 'include' }), `/api${logout.path}`)
}

/** Opens an address as a signed-in user. */
export async function enter(page: Page, user: { username: string; password: string }, path = '/'): Promise<void> {
  await page.goto(path)
  await signIn(page, user.username, user.password)
  await page.getByRole('main').waitFor()
}

/** The row of an item in the file list or the trash. */
export const row = (page: Page, name: string): Locator => page.getByRole('row', { name, exact: true })

/** The names in the list from the top, as far as they are rendered. */
export const listedNames = (page: Page): Promise<(string | null)[]> =>
  page
    .getByRole('grid')
    .locator('[data-index]')
    .evaluateAll(rows =>
      rows
        .sort((a, b) => Number(a.getAttribute('data-index')) - Number(b.getAttribute('data-index')))
        .map(element => element.getAttribute('aria-label')),
    )

/** Chooses files through the toolbar's Upload button and the browser's file dialog. */
export async function chooseFiles(
  page: Page,
  files: string[] | { name: string; mimeType: string; buffer: Buffer }[],
): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
  await (await chooser).setFiles(files)
}

/** Drags an item's row onto a target and drops it there. */
export async function dragOnto(page: Page, from: Locator, onto: Locator): Promise<void> {
  await dragOver(page, from, onto)
  await page.mouse.up()
}

/** Drags an item's row over a target and holds it there. */
export async function dragOver(page: Page, from: Locator, onto: Locator): Promise<void> {
  await from.hover({ position: { x: 300, y: 10 } })
  await page.mouse.down()
  await onto.hover()
  // The browser takes the first move as the start of a drag, so a second move is needed to reach the target.
  await onto.hover()
}

/** Ends the animations of an element at once, also one that has not begun: what it would show in seconds is seen now. */
export const endAnimations = (element: Locator): Promise<void> =>
  element.evaluate(node => {
    for (const animation of node.getAnimations()) animation.finish()
  })

/**
 * Handles the first requests of a route, and lets the others through. Playwright's own `times` ends the interception
 * after them, and a request that is sent at that moment can hang.
 */
export function onlyFirst(handle: (route: Route) => Promise<void>, times = 1): (route: Route) => Promise<void> {
  let left = times
  return route => {
    left -= 1
    return left >= 0 ? handle(route) : route.continue()
  }
}

/** Holds the page's requests to a URL pattern until the returned function is called. */
export async function holdRequests(page: Page, pattern: string): Promise<() => void> {
  let release: () => void = () => undefined
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route(pattern, async route => {
    await released
    await route.continue()
  })
  return release
}

/** Keeps a page from hearing what others change, so that it still shows what is gone. Goes before `enter`. */
export const holdNews = (page: Page): Promise<() => void> => holdRequests(page, '**/api/events/stream*')
