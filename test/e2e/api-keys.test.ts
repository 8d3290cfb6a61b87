/** API keys: creating, listing, changing and deleting them. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createApiKey, listApiKeys, updateApiKey } from '../../src/api/keys.ts'
import { type BuiltUser, buildKey, buildUser, userRolePermissions } from '../support/factories.ts'
import { onlyNightly } from '../support/rounds.ts'
import { findBarriers } from './accessible.ts'
import { desktop, enter, phone, row, type TestBrowser } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

const answerWith = (status: number, message?: string) => ({
  status,
  json: { success: false, message, error: 'internal', request_id: '' },
})

/** A failed answer without a message, for which the page uses its own words. */
const mute = { status: 500, json: { success: false, message: '', error: 'internal', request_id: '' } }

async function openForm(page: Page) {
  await page.getByRole('button', { name: 'Create API Key' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create API Key' })
  await dialog.getByLabel('Read files').waitFor()
  return { dialog, submit: dialog.getByRole('button', { name: 'Create API Key' }) }
}

/** Signs in as a new user who has a key of this name. */
async function openWithKey(options: Parameters<TestBrowser['open']>[0] = desktop, name = 'Nightly backup') {
  const user = await buildUser(server)
  const key = await user.call(createApiKey, { name, permissions: ['files:read', 'files:upload', 'tags:read'] })
  const { page, offences } = await browser.open(options)
  await enter(page, user, '/api-keys')
  await page.getByText(name, { exact: true }).waitFor()
  return { page, offences, user, key }
}

const keysOf = async (user: BuiltUser) => (await user.call(listApiKeys, {})).api_keys

describe('the form for a new API key', () => {
  test('cannot be sent before it has a name and a permission', async () => {
    const { page } = await browser.open()
    await enter(page, await buildUser(server), '/api-keys')
    await page.getByText('No API keys yet').waitFor()
    const { dialog, submit } = await openForm(page)
    await expect.poll(() => submit.isDisabled()).toBe(true)
    await dialog.getByLabel('Name').press('Enter')
    await expect
      .poll(() => dialog.getByRole('alert').allTextContents())
      .toEqual(['Please enter a name for the API key', 'Please select at least one permission'])
    await dialog.getByLabel('Name').fill('   ')
    await dialog.getByLabel('Read files').check()
    await expect.poll(() => submit.isDisabled()).toBe(true)
    await dialog.getByLabel('Name').fill('Backup')
    await expect.poll(() => submit.isDisabled()).toBe(false)
    await dialog.getByLabel('Per minute').fill('1001')
    await dialog.getByText('Expected a whole number from 1 to 1,000').waitFor()
    await expect.poll(() => submit.isDisabled()).toBe(true)
    await dialog.getByLabel('Per minute').fill('1000')
    await expect.poll(() => submit.isDisabled()).toBe(false)
  })

  test('shows the secret until the user dismisses it, and lists the new key', async () => {
    const user = await buildUser(server)
    const { page, offences } = await browser.open({ ...desktop, permissions: ['clipboard-read', 'clipboard-write'] })
    await enter(page, user, '/api-keys')
    const { dialog, submit } = await openForm(page)
    await dialog.getByLabel('Name').fill('  Nightly backup  ')
    await dialog.getByLabel('Select all').check()
    await dialog.getByLabel('Manage API keys').uncheck()
    await expect
      .poll(() => dialog.getByLabel('Expiration').locator('option').allTextContents())
      .toEqual(['Never', '7 days', '30 days', '90 days', '365 days (1 year)', '730 days (2 years)'])
    await dialog.getByLabel('Expiration').selectOption('90')
    await dialog.getByLabel('Per hour').fill('0')
    await dialog.getByLabel('Per day').fill('20000')
    const sent = page.waitForRequest(request => request.method() === 'POST' && request.url().endsWith('/api-keys'))
    await submit.click()
    expect((await sent).postDataJSON()).toEqual({
      name: 'Nightly backup',
      permissions: userRolePermissions.filter(permission => permission !== 'api-keys:manage'),
      expires_in: 90,
      rate_limit_per_day: 20_000,
    })

    const banner = page.getByRole('region', { name: 'New API key Nightly backup' })
    const keyId = await banner.getByLabel('Key ID', { exact: true }).inputValue()
    expect((await keysOf(user)).map(({ key_id }) => key_id)).toEqual([keyId])
    const secret = await banner.getByLabel('Secret', { exact: true }).inputValue()
    expect(secret).toMatch(/^gs_/)
    await banner.getByRole('button', { name: 'Copy Secret' }).click()
    await banner.getByText('Copied').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret)

    await row(page, 'Nightly backup').getByText('60 · 1,000 · 20,000').waitFor()
    await page.getByRole('link', { name: 'Trash' }).click()
    await page.getByText('Trash is empty').waitFor()
    await page.getByRole('link', { name: 'API Keys' }).click()
    await expect.poll(() => banner.getByLabel('Secret', { exact: true }).inputValue()).toBe(secret)
    await banner.getByRole('button', { name: 'I have saved it' }).click()
    await banner.waitFor({ state: 'detached' })
    expect(offences).toEqual([])
  })

  test('keeps what was typed when the server refuses, and shows the reason', async () => {
    const { page } = await browser.open()
    await enter(page, await buildUser(server), '/api-keys')
    const { dialog, submit } = await openForm(page)
    await dialog.getByLabel('Name').fill('Backup')
    await dialog.getByLabel('Read files').check()
    await page.route('**/api/auth/api-keys', route => route.fulfill(mute))
    await submit.click()
    await dialog.getByText('Failed to create API key').waitFor()
    await page.unroute('**/api/auth/api-keys')
    await page.route('**/api/auth/api-keys', route => route.fulfill(answerWith(503, 'Come back later')))
    await submit.click()
    await dialog.getByText('Come back later').waitFor()
    await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Backup')
    await expect.poll(() => dialog.getByLabel('Read files').isChecked()).toBe(true)
  })
})

describe('the list of API keys', () => {
  test('shows the name, state, permissions, rate limits, last use and expiry of each key', async () => {
    const user = await buildUser(server)
    const device = await buildKey(server, user, [...userRolePermissions], 'device')
    const old = await user.call(createApiKey, { name: 'Old script', permissions: ['files:read'], expires_in: 1 })
    const { db } = server.deps
    await db.touch(() => db.change('UPDATE api_keys SET expires_at = 1000 WHERE id = $1', [old.id]))
    const { page, offences } = await browser.open()
    await enter(page, user, '/api-keys')
    const cells = (key: { id: number }) =>
      page.getByRole('row').filter({ hasText: key.id === old.id ? 'Old script' : device.keyId })
    await cells(old).waitFor()
    await cells(device).waitFor()
    const oldCells = await cells(old).getByRole('cell').allTextContents()
    expect(oldCells.slice(0, 6)).toEqual([
      'Old scriptExpired',
      old.key_id,
      'files:read',
      '60 · 1,000 · 10,000',
      'Never used',
      '01 Jan 1970',
    ])
    const deviceCells = await cells(device).getByRole('cell').allTextContents()
    expect(deviceCells[0]).toMatch(/DeviceActive$/)
    expect(deviceCells.slice(2, 6)).toEqual(['All of yours', 'No limit', 'Never used', 'Never'])
    await cells(device)
      .getByRole('button', { name: /10 permissions/ })
      .click()
    await expect.poll(() => page.getByRole('listitem').count()).toBe(10)
    await page.keyboard.press('Escape')
    await page.getByRole('listitem').first().waitFor({ state: 'detached' })
    expect(offences).toEqual([])
  })

  test('renames a key, and disables and enables it again', async () => {
    const { page, offences, user } = await openWithKey()
    await row(page, 'Nightly backup').hover()
    await page.getByRole('button', { name: 'Rename Nightly backup' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rename API Key' })
    await dialog.getByLabel('Name').fill('Weekly backup')
    await dialog.getByLabel('Name').press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Disable Weekly backup' }).click()
    await row(page, 'Weekly backup').getByText('Disabled').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await row(page, 'Weekly backup').getByText('Active').waitFor()
    await expect.poll(async () => (await keysOf(user))[0]).toMatchObject({ name: 'Weekly backup', is_active: true })
    await page.route('**/api/auth/api-keys/*', route => route.fulfill(mute))
    await page.getByRole('button', { name: 'Disable Weekly backup' }).click()
    await page.getByText('Failed to update API key').waitFor()
    await row(page, 'Weekly backup').getByText('Active').waitFor()
    expect(offences).toEqual([])
  })

  test('deletes a key after a confirmation', async () => {
    const { page, user } = await openWithKey()
    await page.getByRole('button', { name: 'Delete Nightly backup' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete API Key' })
    await dialog.getByText('This action cannot be undone.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.route('**/api/auth/api-keys/*', route => route.fulfill(mute))
    await page.getByRole('button', { name: 'Delete Nightly backup' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByText('Failed to delete API key').waitFor()
    await expect.poll(() => keysOf(user)).toHaveLength(1)
    await page.unroute('**/api/auth/api-keys/*')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No API keys yet').waitFor()
    await expect.poll(() => keysOf(user)).toEqual([])
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Create API Key')
  })

  test('shows why it could not be loaded, and Retry loads it', async () => {
    const { page } = await browser.open()
    await page.route('**/api/auth/api-keys', route => route.fulfill(answerWith(500, 'The database is away')))
    await enter(page, await buildUser(server), '/api-keys')
    const strip = page.getByRole('alert')
    await strip.getByText('Failed to load API keys').waitFor()
    await strip.getByText('The database is away').waitFor()
    await page.unroute('**/api/auth/api-keys')
    await strip.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('No API keys yet').waitFor()
    await strip.waitFor({ state: 'detached' })
  })

  test('shows for two seconds that an ID was copied, and reports a failure to copy', async context => {
    onlyNightly(context)
    const { page, key, offences } = await openWithKey({
      ...desktop,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const copy = page.getByRole('button', { name: 'Copy Key ID of Nightly backup' })
    await copy.click()
    await expect.poll(() => copy.getAttribute('data-copied')).toBe('true')
    const began = Date.now()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key.key_id)
    await expect.poll(() => copy.getAttribute('data-copied')).toBe(null)
    expect(Date.now() - began).toBeGreaterThan(1_500)
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('no'))
      document.execCommand = () => false
    })
    await copy.click()
    await page.getByText('Failed to copy to the clipboard').waitFor()
    await expect.poll(() => copy.getAttribute('data-copied')).toBe(null)
    expect(offences).toEqual([])
  })
})

const looks = [
  ['the desktop, light', { ...desktop, colorScheme: 'light' }],
  ['a phone, dark', { ...phone, colorScheme: 'dark' }],
] as const

describe.each(looks)(
  'on %s there are no accessibility barriers, and nothing is wider than the screen',
  (_name, look) => {
    const check = async (page: Page) => {
      expect(await findBarriers(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.viewport?.width)
    }

    test('in the list of API keys and its form', async () => {
      const { page, offences } = await openWithKey(look, 'W'.repeat(100))
      const { dialog, submit } = await openForm(page)
      await dialog.getByLabel('Name').press('Enter')
      await dialog.getByRole('alert').first().waitFor()
      await check(page)
      await dialog.getByLabel('Name').fill('Another')
      await dialog.getByLabel('Read files').check()
      await submit.click()
      await page.getByText('I have saved it').waitFor()
      await dialog.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: '3 permissions of W' }).click()
      await page.getByText('Upload files').waitFor()
      await check(page)
      expect(offences).toEqual([])
    })
  },
)

test('on a phone the actions of a key are in a menu', async () => {
  const { page, offences } = await openWithKey(phone)
  const more = page.getByRole('button', { name: 'More actions for Nightly backup' })
  await more.tap()
  await page.getByRole('button', { name: 'Disable' }).tap()
  await page.getByRole('listitem').getByText('Disabled').waitFor()
  await more.tap()
  await page.getByRole('button', { name: 'Delete' }).tap()
  await page.getByRole('dialog', { name: 'Delete API Key' }).getByRole('button', { name: 'Delete' }).tap()
  await page.getByText('No API keys yet').waitFor()
  expect(offences).toEqual([])
})

test('a key is shown as active only while the key that made it is enabled', async () => {
  const user = await buildUser(server)
  const maker = await buildKey(server, user, ['api-keys:manage', 'files:read'])
  await maker.call(createApiKey, { name: 'made by it', permissions: ['files:read'] })
  await user.call(updateApiKey, { id: maker.id, is_active: false })
  const { page } = await browser.open()
  await enter(page, user, '/api-keys')
  const made = row(page, 'made by it')
  await made.getByText('Maker ended', { exact: true }).waitFor()
  expect(await made.getByText('Active', { exact: true }).count()).toBe(0)
  await page.getByRole('button', { name: /^Enable key-/ }).click()
  await made.getByText('Active', { exact: true }).waitFor()
  expect(await made.getByText('Maker ended', { exact: true }).count()).toBe(0)
})
