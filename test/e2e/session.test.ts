/** Signing in, the change of an initial password, and the addresses that sign-in leads to. */
import { describe, expect, test } from 'vitest'
import { buildFolder, buildRole, buildUser } from '../support/factories.ts'
import { enter, row, signIn } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite({ trashRetentionDays: '9' })

describe('signing in', () => {
  test('needs both fields, and says so beside the form and in a toast', async () => {
    const { page } = await browser.open()
    await page.goto('/')
    await page.getByLabel('Username').fill('somebody')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect.poll(() => page.getByText('Please enter both username and password').count()).toBe(2)
  })

  test("shows the server's message for a wrong password, and can be repeated", async () => {
    const user = await buildUser(server)
    const { page, offences } = await browser.open()
    await page.goto('/')
    await page.getByLabel('Username').fill(user.username)
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await page.getByText('Invalid username or password').first().waitFor()
    await signIn(page, user.username, user.password)
    await page.getByText('This folder is empty').waitFor()
    expect(offences).toEqual([])
  })

  test('disables the form while it waits, trims the username and keeps the spaces of the password', async () => {
    const { page } = await browser.open()
    await page.goto('/')
    let answer = () => {}
    const held = new Promise<void>(resolve => {
      answer = resolve
    })
    await page.route('**/api/auth/login', async route => {
      await held
      await route.fulfill({
        status: 429,
        json: { success: false, message: 'Too many attempts, try again in 7 minutes' },
      })
    })
    await page.getByLabel('Username').fill('  somebody ')
    await page.getByLabel('Password', { exact: true }).fill(' with spaces ')
    const sent = page.waitForRequest('**/api/auth/login')
    await page.keyboard.press('Enter')
    expect((await sent).postDataJSON()).toEqual({ username: 'somebody', password: ' with spaces ' })
    await page.getByRole('button', { name: 'Signing in...' }).waitFor()
    await expect.poll(() => page.getByLabel('Username').isDisabled()).toBe(true)
    await expect.poll(() => page.getByLabel('Password', { exact: true }).isDisabled()).toBe(true)
    answer()
    await expect.poll(() => page.getByText('Too many attempts, try again in 7 minutes').count()).toBe(2)
    await expect
      .poll(() => page.getByLabel('Password', { exact: true }).evaluate(field => field === document.activeElement))
      .toBe(true)
  })

  test.each([
    [{ success: false, message: 'A sentence', error: 'unauthenticated' }, 'A sentence'],
    [{ success: false, error: 'unauthenticated' }, 'unauthenticated'],
    [{}, 'HTTP 401'],
    [{ success: false, message: '' }, 'Invalid username or password. Please try again.'],
    [null, 'The server cannot be reached.'],
  ])('answers %j with the message: %s', async (json, words) => {
    const { page } = await browser.open()
    await page.goto('/')
    await page.route('**/api/auth/login', route =>
      json === null ? route.abort() : route.fulfill({ status: 401, json }),
    )
    await page.getByLabel('Username').fill('somebody')
    await page.getByLabel('Password', { exact: true }).fill('something')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: words }).first().waitFor()
    await expect.poll(() => page.getByText(words, { exact: true }).count()).toBe(2)
  })

  test('stores nothing in the browser but the user', async () => {
    const user = await buildUser(server)
    const { page } = await browser.open()
    await enter(page, user)
    const kept = JSON.parse((await page.evaluate(() => localStorage.getItem('auth-storage'))) ?? '')
    expect(Object.keys(kept.state).sort()).toEqual(['isAuthenticated', 'user'])
    expect(kept.state.user.username).toBe(user.username)
  })

  test('leads to the requested address, but never to another site', async () => {
    const user = await buildUser(server)
    const { page } = await browser.open()
    await enter(page, user, '/trash')
    await page.getByText('Items in trash will be permanently deleted after 9 days.').waitFor()
    const { page: lured } = await browser.open()
    await enter(lured, user, '/login?next=%2F%2Fexample.org%2Ffiles')
    await expect.poll(() => lured.url()).toBe(`${server.url}/files`)
  })
})

test('a user who may not read files starts in the first permitted section, or else in the account', async () => {
  const tagger = await buildUser(server, { role: await buildRole(server, ['tags:read', 'api-keys:manage']) })
  const { page, offences } = await browser.open()
  await enter(page, tagger)
  await expect.poll(() => new URL(page.url()).pathname).toBe('/api-keys')
  await page.getByRole('link', { name: 'Tags', exact: true }).click()
  await page.getByRole('heading', { name: 'Tags', exact: true }).waitFor()
  await page.getByRole('link', { name: 'filestore' }).click()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/api-keys')
  expect(offences).toEqual([])
  const nobody = await buildUser(server, { role: await buildRole(server, []) })
  const { page: bare } = await browser.open()
  await enter(bare, nobody)
  await expect.poll(() => new URL(bare.url()).pathname).toBe('/account')
})

test('the change of an initial password leads on to the requested address', async () => {
  const user = await buildUser(server, { mustChangePassword: true })
  const { page } = await browser.open()
  await enter(page, user, '/trash')
  await page.getByLabel('Current password').fill(user.password)
  await page.getByLabel('New password', { exact: true }).fill('long enough now')
  await page.getByLabel('Repeat new password').fill('long enough now')
  await page.getByRole('button', { name: 'Change Password' }).click()
  await page.getByText('Trash is empty').waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/trash')
})

test('an initial password must be changed before anything else', async () => {
  const user = await buildUser(server, { mustChangePassword: true })
  const { page, offences } = await browser.open()
  await enter(page, user, '/trash')
  await page.getByText('This password was given to you.').waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/account')
  await page.getByRole('link', { name: 'Files', exact: true }).click()
  await page.getByText('This password was given to you.').waitFor()

  const change = async (current: string, next: string, repeated: string) => {
    await page.getByLabel('Current password').fill(current)
    await page.getByLabel('New password', { exact: true }).fill(next)
    await page.getByLabel('Repeat new password').fill(repeated)
    await page.getByRole('button', { name: 'Change Password' }).click()
  }
  await change(user.password, 'short', 'short')
  await page.getByText('Use at least 8 characters').waitFor()
  await change(user.password, 'long enough now', 'long enough noe')
  await page.getByText('The two passwords differ').waitFor()
  await change('wrong one', 'long enough now', 'long enough now')
  await expect.poll(() => page.getByLabel('Current password').getAttribute('aria-invalid')).toBe('true')
  await change(user.password, 'long enough now', 'long enough now')
  await page.getByText('This folder is empty').waitFor()
  expect(offences).toEqual([])
})

test('the start page opens the last folder, or Home after that folder was deleted', async () => {
  const user = await buildUser(server)
  const folder = await buildFolder(user, 'Last seen')
  await buildFolder(user, 'Inner', folder.id)
  const { page } = await browser.open()
  await enter(page, user, `/files/${folder.id}`)
  await row(page, 'Inner').waitFor()
  await page.goto('/')
  await row(page, 'Inner').waitFor()
  await user.raw(`/api/files/${folder.id}/trash`, { method: 'PUT' })
  await page.goto('/')
  await page.getByText('This folder is empty').waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/files')
})

test("an unknown address shows the user's profile, storage and upcoming features", async () => {
  const user = await buildUser(server)
  const { page, offences } = await browser.open()
  await enter(page, user, '/nowhere')
  await page.getByRole('region', { name: 'Profile' }).getByText(user.username, { exact: true }).waitFor()
  await page.getByRole('region', { name: 'Storage' }).getByText('of 5.00 GB used').waitFor()
  for (const name of ['Files', 'Search', 'Share', 'Links']) {
    await expect
      .poll(() => page.getByRole('region', { name: 'Quick Actions' }).getByRole('button', { name }).isDisabled())
      .toBe(true)
  }
  await page.getByText('Upcoming Features').waitFor()
  expect(offences).toEqual([])
})
