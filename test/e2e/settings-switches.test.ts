/** Several of the system's switches turned one right after the other. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { listSettings } from '../../src/api/settings.ts'
import { buildUser } from '../support/factories.ts'
import { createOpener } from './admin-pages.ts'
import { desktop } from './browser.ts'
import { browser, openSite, server } from './site.ts'
import { holdCalls } from './uploading.ts'

openSite()

const switchOf = (page: Page, name: string) => page.getByRole('switch', { name, exact: true })

test('a switch stays as it was turned while another one is on its way', async () => {
  const admin = await buildUser(server, { role: 'admin' })
  const settingOf = async (key: string) => (await admin.call(listSettings, {})).find(each => each.key === key)?.value
  const { page } = await createOpener(browser)(admin, '/settings/system', desktop)
  const releaseFirst = await holdCalls(page, '**/api/settings/validation_enabled')
  const releaseSecond = await holdCalls(page, '**/api/settings/allow_self_validation')
  await switchOf(page, 'Enable validation').waitFor()
  const asked: string[] = []
  page.on('request', request => asked.push(`${request.method()} ${new URL(request.url()).pathname}`))
  const isTurned = page.waitForResponse('**/api/settings/validation_enabled')
  await switchOf(page, 'Enable validation').check()
  await switchOf(page, 'Allow self-validation').check()
  releaseFirst()
  await isTurned
  // What the first one's answer has the page ask for is under way before this.
  await page.evaluate(() => fetch('/api/auth/profile'))
  expect(asked).not.toContain('GET /api/settings')
  expect(await switchOf(page, 'Allow self-validation').isChecked()).toBe(true)
  releaseSecond()
  await expect.poll(() => settingOf('allow_self_validation')).toBe('true')
  await expect.poll(() => asked).toContain('GET /api/settings')
})
