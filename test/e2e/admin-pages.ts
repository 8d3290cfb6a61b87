/** Pages of administrators for tests: signed in without the form, and with requests that fail. */
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { BuiltUser } from '../support/factories.ts'
import { desktop, enter, type TestBrowser } from './browser.ts'

type SignedIn = Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>

/** Opens addresses as a user. Only the user's first page goes through the sign-in form. */
export function createOpener(browser: TestBrowser) {
  const known = new Map<number, SignedIn>()
  return async (user: BuiltUser, path: string, options: BrowserContextOptions = desktop) => {
    const opened = await browser.open({ ...options, storageState: known.get(user.id) })
    const { page } = opened
    if (known.has(user.id)) {
      await page.goto(path)
      await page.getByRole('main').waitFor()
    } else {
      await enter(page, user, path)
      known.set(user.id, await page.context().storageState())
    }
    return opened
  }
}

/** Fails a request as a broken server does; an empty message makes the page use its own words. */
export async function breakCall(page: Page, url: string, method: string, message = '', status = 500): Promise<void> {
  await page.route(url, route =>
    route.request().method() === method
      ? route.fulfill({ status, json: { success: false, message, error: 'internal', request_id: 'x' } })
      : route.fallback(),
  )
}
