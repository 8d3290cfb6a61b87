/** Switches that are turned in quick succession, and switches that the server refuses. */
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { listFields } from '../../src/api/metadata.ts'
import { listSettings } from '../../src/api/settings.ts'
import { type BuiltUser, buildField, buildUser, turnSettings } from '../support/factories.ts'
import { breakCall, createOpener } from './admin-pages.ts'
import { desktop } from './browser.ts'
import { browser, openSite, server } from './site.ts'
import { holdCalls } from './uploading.ts'

let admin: BuiltUser
let open: ReturnType<typeof createOpener>

openSite()

beforeAll(async () => {
  open = createOpener(browser)
  admin = await buildUser(server, { role: 'admin' })
})

beforeEach(() => turnSettings(admin, { validation_enabled: false, metadata_required_on_upload: false }))

const settingOf = async (key: string) => (await admin.call(listSettings, {})).find(each => each.key === key)?.value
const switchOf = (page: Page, name: string) => page.getByRole('switch', { name, exact: true })

test('a switch keeps its position while the request of another one runs', async () => {
  const { page } = await open(admin, '/settings/system', desktop)
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
  // Any request that the first answer starts is sent before this one.
  await page.evaluate(() => fetch('/api/auth/profile'))
  expect(asked).not.toContain('GET /api/settings')
  await expect.poll(() => switchOf(page, 'Allow self-validation').isChecked()).toBe(true)
  releaseSecond()
  await expect.poll(() => settingOf('allow_self_validation')).toBe('true')
  await expect.poll(() => asked).toContain('GET /api/settings')
})

test('the name and the sentence of a switch turn it too', async () => {
  const { page } = await open(admin, '/settings/system', desktop)
  await page.getByRole('heading', { name: 'Enable validation' }).getByText('Enable validation').click()
  await expect.poll(() => settingOf('validation_enabled')).toBe('true')
  await page.locator('#validation_enabled label').click()
  await expect.poll(() => settingOf('validation_enabled')).toBe('false')
})

test('a refused switch goes back while the request of another one runs', async () => {
  const { page } = await open(admin, '/settings/system')
  await switchOf(page, 'Enable validation').waitFor()
  await holdCalls(page, '**/api/settings/metadata_required_on_upload')
  await breakCall(page, '**/api/settings/validation_enabled', 'PUT')
  await switchOf(page, 'Require metadata on upload').check()
  await switchOf(page, 'Enable validation').click()
  await page.getByText("Failed to turn on 'Enable validation'").waitFor()
  await expect.poll(() => switchOf(page, 'Enable validation').isChecked()).toBe(false)
  await expect.poll(() => switchOf(page, 'Require metadata on upload').isChecked()).toBe(true)
})

test('a refused switch shows its error before the settings have reloaded', async () => {
  const { page } = await open(admin, '/settings/system')
  await switchOf(page, 'Enable validation').waitFor()
  await holdCalls(page, '**/api/settings')
  await breakCall(page, '**/api/settings/*', 'PUT')
  await switchOf(page, 'Enable validation').click()
  await page.getByText("Failed to turn on 'Enable validation'").waitFor()
  await expect.poll(() => switchOf(page, 'Enable validation').isChecked()).toBe(false)
})

test('a refused switch of a metadata field shows its error before the fields have reloaded', async () => {
  await buildField(admin, { label: 'Refused' })
  const { page } = await open(admin, '/settings/metadata')
  await switchOf(page, 'Refused enabled').waitFor()
  await holdCalls(page, '**/api/metadata/fields')
  await breakCall(page, '**/api/metadata/fields/*', 'PUT')
  await switchOf(page, 'Refused enabled').click()
  await page.getByRole('alert').getByText('Failed to toggle field').waitFor()
  await expect.poll(() => switchOf(page, 'Refused enabled').isChecked()).toBe(true)
})

test('the switches of metadata fields keep their positions while the request of another one runs', async () => {
  const first = await buildField(admin, { label: 'First' })
  const second = await buildField(admin, { label: 'Second' })
  const { page } = await open(admin, '/settings/metadata')
  await switchOf(page, 'Second enabled').waitFor()
  const releaseFirst = await holdCalls(page, `**/api/metadata/fields/${first.id}`)
  const releaseSecond = await holdCalls(page, `**/api/metadata/fields/${second.id}`)
  const isTurned = page.waitForResponse(`**/api/metadata/fields/${first.id}`)
  await switchOf(page, 'First enabled').uncheck()
  await switchOf(page, 'Second enabled').uncheck()
  releaseFirst()
  await isTurned
  // Any request that the first answer starts is answered before this one.
  await page.evaluate(() => fetch('/api/auth/profile'))
  await expect.poll(() => switchOf(page, 'Second enabled').isChecked()).toBe(false)
  releaseSecond()
  const areEnabled = async () =>
    (await admin.call(listFields, {}))
      .filter(({ id }) => id === first.id || id === second.id)
      .map(({ is_enabled }) => is_enabled)
  await expect.poll(areEnabled).toEqual([false, false])
})

test('two turns of one switch reach the server in order', async () => {
  const { page } = await open(admin, '/settings/system')
  const sent: string[] = []
  page.on('request', request => {
    if (request.method() === 'PUT') sent.push(request.postData() ?? '')
  })
  await switchOf(page, 'Enable validation').waitFor()
  const release = await holdCalls(page, '**/api/settings/validation_enabled')
  await switchOf(page, 'Enable validation').check()
  await switchOf(page, 'Enable validation').uncheck()
  await page.evaluate(() => fetch('/api/auth/profile'))
  expect(sent).toEqual(['{"value":"true"}'])
  const last = page.waitForResponse(response => response.request().postData() === '{"value":"false"}')
  release()
  await last
  expect(sent).toEqual(['{"value":"true"}', '{"value":"false"}'])
  await expect.poll(() => switchOf(page, 'Enable validation').isChecked()).toBe(false)
  expect(await settingOf('validation_enabled')).toBe('false')
})
