/** The user's own account: profile, theme, password and sessions. */
import { expect, test } from 'vitest'
import { listApiKeys } from '../../src/api/keys.ts'
import { buildKey, buildUser } from '../support/factories.ts'
import { onlyNightly } from '../support/rounds.ts'
import { findBarriersInBothThemes } from './accessible.ts'
import { enter, phone, signIn } from './browser.ts'
import { printedText } from './paper.ts'
import { browser, openSite, server } from './site.ts'

openSite()

/** Signs in from another browser, which sends this user agent. */
const signInFrom = (userAgent: string, { username, password }: { username: string; password: string }) =>
  fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': userAgent },
    body: JSON.stringify({ username, password }),
  })

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0'

test('the welcome link opens the account page and shows the name that was saved last', async context => {
  onlyNightly(context)
  const user = await buildUser(server)
  const { page, offences } = await browser.open()
  await enter(page, user)
  await page.getByRole('link', { name: `Welcome, ${user.username}` }).click()
  await page.getByLabel('Full Name').fill('  Jana Dvořáková ')
  await page.getByRole('button', { name: 'Save Profile' }).click()
  await page.getByText('Profile saved').waitFor()
  await page.getByRole('link', { name: 'Welcome, Jana Dvořáková' }).waitFor()
  await page.getByLabel('Full Name').fill('')
  await page.getByRole('button', { name: 'Save Profile' }).click()
  await page.getByRole('link', { name: `Welcome, ${user.username}` }).waitFor()
  expect(offences).toEqual([])
})

test('the account page and the menu of a phone list the keyboard shortcuts, which print without the page', async () => {
  const user = await buildUser(server)
  const { page, offences } = await browser.open(phone)
  await enter(page, user)
  await page.getByRole('button', { name: 'Menu', exact: true }).tap()
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).tap()
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.getByText('Show in folder, from a list across folders').waitFor()
  await help.getByRole('button', { name: 'Close' }).tap()
  await page.goto('/account')
  await page.getByRole('button', { name: 'Show keyboard shortcuts' }).tap()
  await help.getByRole('button', { name: 'Print' }).waitFor()
  const text = await printedText(page)
  for (const word of ['Keyboard shortcuts', 'Move around', 'Backspace', 'Approve']) expect(text).toContain(word)
  expect(text).not.toContain('Sessions')
  expect(offences).toEqual([])
})

test('the profile form shows an error beside its field and keeps what was typed', async () => {
  const [user, other] = [await buildUser(server), await buildUser(server)]
  await other.raw('/api/auth/profile', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'taken@example.org' }),
  })
  const { page } = await browser.open()
  await enter(page, user, '/account')
  const email = page.getByLabel('Email')
  const save = page.getByRole('button', { name: 'Save Profile' })
  await email.fill(' ')
  await save.click()
  await page.getByText('Email is required').waitFor()
  expect(await email.evaluate(element => element === document.activeElement)).toBe(true)
  await email.fill('nowhere')
  await save.click()
  await page.getByText('Expected an email address').waitFor()
  await email.fill('Taken@example.org')
  await save.click()
  await expect.poll(() => email.getAttribute('aria-invalid')).toBe('true')
  await expect.poll(() => email.inputValue()).toBe('Taken@example.org')
  await page.route('**/api/auth/profile', route => route.fulfill({ status: 500, json: {} }))
  await save.click()
  await page.getByRole('alert').filter({ hasText: 'Failed to save profile' }).waitFor()
  expect(await save.evaluate(element => element === document.activeElement)).toBe(true)
})

test('the session list names each device, and sessions end one by one or all at once', async () => {
  const user = await buildUser(server)
  for (let count = 0; count < 2; count++) await signInFrom(firefox, user)
  const { page, offences } = await browser.open()
  await enter(page, user, '/account')
  const sessions = page.getByRole('region', { name: 'Sessions' }).getByRole('listitem')
  await expect.poll(() => sessions.count()).toBe(4)
  await expect.poll(() => sessions.first().innerText()).toContain('This device')
  const fromFirefox = sessions.filter({ hasText: 'Firefox on Windows' })
  await expect.poll(() => fromFirefox.count()).toBe(2)
  await fromFirefox.first().getByRole('button', { name: 'End' }).click()
  await page.getByRole('dialog').getByText('Firefox on Windows will have to sign in again.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click()
  await expect.poll(() => fromFirefox.count()).toBe(1)
  await page.getByRole('button', { name: 'End all other sessions' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End sessions' }).click()
  await expect.poll(() => sessions.count()).toBe(1)
  expect((await user.raw('/api/auth/profile')).status).toBe(401)
  await page.getByRole('button', { name: 'End all other sessions' }).waitFor({ state: 'detached' })
  expect(offences).toEqual([])
})

test('a failure to list or to end sessions shows an error and lets the user try again', async () => {
  const user = await buildUser(server)
  const { page } = await browser.open()
  await page.route('**/api/auth/sessions', route => route.fulfill({ status: 500, json: {} }))
  await enter(page, user, '/account')
  await page.getByText('Failed to load sessions').waitFor()
  await page.unroute('**/api/auth/sessions')
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('This device').waitFor()
  await page.route('**/api/auth/sessions/*', route => route.fulfill({ status: 500, json: {} }))
  await page.getByRole('button', { name: 'End session of node' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click()
  await page.getByRole('dialog').getByText('Failed to end session').waitFor()
})

test('a new password ends the other sessions and is needed for the next sign-in', async () => {
  const user = await buildUser(server)
  const { page, offences } = await browser.open()
  await enter(page, user, '/account')
  await page.getByLabel('Current password').fill(user.password)
  await page.getByLabel('New password', { exact: true }).fill('another one of mine')
  await page.getByLabel('Repeat new password').fill('another one of mine')
  await page.getByRole('button', { name: 'Change Password' }).click()
  await page.getByText('Password changed').waitFor()
  await expect.poll(() => page.getByLabel('Current password').inputValue()).toBe('')
  expect((await user.raw('/api/auth/profile')).status).toBe(401)
  await page.getByRole('button', { name: 'Logout' }).click()
  await signIn(page, user.username, 'another one of mine')
  await page.getByText('This folder is empty').waitFor()
  expect(offences).toEqual([])
})

test('a new password ends the device keys unless the box is unticked, and the page names the script keys that stay', async () => {
  const user = await buildUser(server)
  const device = await buildKey(server, user, ['files:read'], 'device')
  const script = await buildKey(server, user, ['files:read'])
  const name = (await user.call(listApiKeys, {})).api_keys.find(({ id }) => id === script.id)?.name ?? ''
  const { page, offences } = await browser.open()
  await enter(page, user, '/account')
  await page.getByText(`This script key stays: ${name}. Delete`).waitFor()
  const tick = page.getByRole('checkbox', { name: 'End all device keys' })
  await expect.poll(() => tick.isChecked()).toBe(true)
  const change = async (from: string, to: string) => {
    await page.getByLabel('Current password').fill(from)
    await page.getByLabel('New password', { exact: true }).fill(to)
    await page.getByLabel('Repeat new password').fill(to)
    await page.getByRole('button', { name: 'Change Password' }).click()
    await expect.poll(() => page.getByLabel('Current password').inputValue()).toBe('')
  }
  await tick.uncheck()
  await change(user.password, 'another one of mine')
  expect((await device.raw('/api/files')).status).toBe(200)
  // Saving has ticked the box again.
  await expect.poll(() => tick.isChecked()).toBe(true)
  await change('another one of mine', 'a third one of mine')
  expect((await device.raw('/api/files')).status).toBe(401)
  expect((await script.raw('/api/files')).status).toBe(200)
  await page.getByRole('link', { name: 'API Keys' }).last().click()
  await page.getByRole('row', { name }).waitFor()
  expect(offences).toEqual([])
})

test('the theme follows the system until the user chooses one', async () => {
  const user = await buildUser(server)
  const { page } = await browser.open({ colorScheme: 'light' })
  await enter(page, user, '/account')
  const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme')
  await page.getByText('Dark', { exact: true }).click()
  await expect.poll(scheme).toBe('dark')
  await page.getByText('System', { exact: true }).click()
  await expect.poll(scheme).toBe('light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(scheme).toBe('dark')
})

test('the account page has no accessibility barriers in either theme', async () => {
  const user = await buildUser(server)
  await signInFrom(firefox, user)
  const { page } = await browser.open(phone)
  await enter(page, user, '/account')
  await page.getByText('This device').waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
  await page.getByRole('button', { name: 'End all other sessions' }).click()
  await page.getByRole('dialog').waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
})
