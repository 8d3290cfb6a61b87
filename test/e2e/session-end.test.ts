/** A session that ends during work, the browser's other tabs, and a server that cannot be reached. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { login, logout } from '../../src/api/auth.ts'
import { buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { onlyNightly } from '../support/rounds.ts'
import { findBarriers } from './accessible.ts'
import { endSession, enter, row, signIn } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

const sessionDialog = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' })

describe('a session that ends during work', () => {
  test('can be renewed in a dialog above the page, and then what was typed is sent', async () => {
    const user = await buildUser(server)
    const folder = await buildFolder(user, 'Half done')
    const { page, offences } = await browser.open()
    await enter(page, user, `/files/${folder.id}`)
    await page.getByRole('button', { name: 'New Folder' }).first().click()
    await page.getByLabel('Folder Name').fill('Typed before')
    await endSession(page)
    await page.getByRole('button', { name: 'Create Folder' }).click()
    const dialog = sessionDialog(page)
    await dialog.waitFor()
    // Neither Escape nor a wrong password loses what was typed.
    await page.keyboard.press('Escape')
    await dialog.getByLabel('Password', { exact: true }).fill('wrong')
    await page.keyboard.press('Enter')
    await dialog.getByText('Invalid username or password').waitFor()
    await expect.poll(() => page.getByLabel('Folder Name').inputValue()).toBe('Typed before')
    expect(await findBarriers(page)).toEqual([])
    await dialog.getByLabel('Password', { exact: true }).fill(user.password)
    await page.keyboard.press('Enter')
    await row(page, 'Typed before').waitFor()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/files/${folder.id}`)
    expect(offences).toEqual([])
  })

  test('can be left by signing out, and another user sees nothing of it', async () => {
    const [user, other] = [await buildUser(server), await buildUser(server)]
    const folder = await buildFolder(user, 'Not for others')
    const { page, offences } = await browser.open()
    await enter(page, user, `/files/${folder.id}`)
    await endSession(page)
    await sessionDialog(page).getByRole('button', { name: 'Logout' }).click()
    await page.getByRole('heading', { name: 'Sign in to filestore' }).waitFor()
    await signIn(page, other.username, other.password)
    await page.getByText('This folder is empty').waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/files')
    expect(await page.getByText('Not for others').count()).toBe(0)
    expect(offences).toEqual([])
  })

  test('leads to sign-in after a reload, and then back to the same folder', async () => {
    const user = await buildUser(server)
    const folder = await buildFolder(user, 'Half done')
    const { page } = await browser.open()
    await enter(page, user, `/files/${folder.id}`)
    await endSession(page)
    await page.reload()
    await signIn(page, user.username, user.password)
    await page.getByText('This folder is empty').waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/files/${folder.id}`)
  })
})

test('a user can sign out while the server cannot be reached', async () => {
  const user = await buildUser(server)
  const { page } = await browser.open()
  await enter(page, user, '/overview')
  await page.route(`**/api${logout.path}`, route => route.abort())
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('heading', { name: 'Sign in to filestore' }).waitFor()
  await expect.poll(() => new URL(page.url()).pathname + new URL(page.url()).search).toBe('/login')
  await page.getByLabel('Username').fill('somebody')
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem('auth-storage') ?? '').state.user)).toBe(null)
})

describe('two tabs', () => {
  test('sign out and in together', async context => {
    onlyNightly(context)
    const user = await buildUser(server)
    const { page, offences } = await browser.open()
    await enter(page, user)
    const second = await page.context().newPage()
    await second.goto('/overview')
    await second.getByRole('button', { name: 'Logout' }).click()
    await page.getByRole('heading', { name: 'Sign in to filestore' }).waitFor()
    await signIn(page, user.username, user.password)
    await second.getByRole('button', { name: 'Logout' }).waitFor()
    expect(offences).toEqual([])
  })

  test('never show one user the files of another', async () => {
    const [user, other] = [await buildUser(server), await buildUser(server)]
    await buildFolder(user, 'Of the first')
    await buildFolder(other, 'Of the second')
    const { page } = await browser.open()
    await enter(page, user)
    await row(page, 'Of the first').waitFor()
    const second = await page.context().newPage()
    // The browser's only session becomes another user's while the first tab stays open.
    await page.context().request.post(`${server.url}/api${login.path}`, {
      headers: { origin: server.url },
      data: { username: other.username, password: other.password },
    })
    await second.goto('/')
    await row(page, 'Of the second').waitFor()
    expect(await page.getByText('Of the first').count()).toBe(0)
  })

  test('keep what was typed when one of them finds that the session has expired', async context => {
    onlyNightly(context)
    const user = await buildUser(server)
    const { page, offences } = await browser.open()
    await enter(page, user)
    await page.getByRole('button', { name: 'New Folder' }).first().click()
    await page.getByLabel('Folder Name').fill('Typed before')
    const second = await page.context().newPage()
    await endSession(page)
    await second.goto('/')
    await second.getByRole('heading', { name: 'Sign in to filestore' }).waitFor()
    await sessionDialog(page).waitFor()
    await signIn(second, user.username, user.password)
    await sessionDialog(page).waitFor({ state: 'detached' })
    await expect.poll(() => page.getByLabel('Folder Name').inputValue()).toBe('Typed before')
    await page.getByRole('button', { name: 'Create Folder' }).click()
    await row(page, 'Typed before').waitFor()
    expect(offences).toEqual([])
  })

  test('show the next user nothing of the last one', async () => {
    const [user, other] = [await buildUser(server), await buildUser(server)]
    await buildFile(user, { name: 'private.txt' })
    const { page, offences } = await browser.open()
    await enter(page, user)
    await row(page, 'private.txt').dblclick()
    await page.getByRole('dialog', { name: 'private.txt' }).waitFor()
    const second = await page.context().newPage()
    await second.goto('/overview')
    await second.getByRole('button', { name: 'Logout' }).click()
    await page.getByRole('heading', { name: 'Sign in to filestore' }).waitFor()
    await signIn(page, other.username, other.password)
    await page.getByText('This folder is empty').waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/files')
    expect(await page.getByText('private.txt').count()).toBe(0)
    expect(offences).toEqual([])
  })

  test("show another user's files after that user signed in, even when one tab cannot load the profile", async () => {
    const [user, other] = [await buildUser(server), await buildUser(server)]
    await buildFolder(user, 'Of the first')
    await buildFolder(other, 'Of the second')
    const { page } = await browser.open()
    await enter(page, user)
    await row(page, 'Of the first').waitFor()
    const second = await page.context().newPage()
    await second.route('**/api/auth/profile', route => route.abort())
    await page.context().request.post(`${server.url}/api${login.path}`, {
      headers: { origin: server.url },
      data: { username: other.username, password: other.password },
    })
    await second.goto('/')
    await row(page, 'Of the second').waitFor()
    expect(await page.getByText('Of the first').count()).toBe(0)
  })

  test('stay signed in when one of them cannot load the profile', async () => {
    const user = await buildUser(server)
    const { page } = await browser.open()
    await enter(page, user)
    const second = await page.context().newPage()
    await second.route('**/api/auth/profile', route => route.abort())
    const asked = page.waitForResponse('**/api/auth/profile')
    await second.goto('/')
    expect((await asked).status()).toBe(200)
    await page.getByText('This folder is empty').waitFor()
    await second.getByText('This folder is empty').waitFor()
  })
})

test('a server that cannot be reached is reported once, and the page reloads its data when it is back', async context => {
  onlyNightly(context)
  const user = await buildUser(server)
  const { page, offences } = await browser.open()
  await enter(page, user)
  await page.getByText('This folder is empty').waitFor()
  await page.context().setOffline(true)
  // The browser may report the lost network before its requests fail; a failed request reports it in any case.
  await page.getByRole('button', { name: 'Refresh' }).click()
  const strip = page.getByRole('alert').filter({ hasText: 'Failed to load files' })
  await strip.waitFor()
  const notice = page.getByText('The server cannot be reached. Trying again...')
  await notice.waitFor()
  await expect.poll(() => notice.count()).toBe(1)
  await page.context().setOffline(false)
  await page.getByText('The server can be reached again').waitFor()
  await notice.waitFor({ state: 'detached' })
  await strip.waitFor({ state: 'detached' })
  expect(offences).toEqual([])
})

test('the notice that the server is back disappears when it is gone again', async () => {
  const { page } = await browser.open()
  await enter(page, await buildUser(server))
  await page.getByText('This folder is empty').waitFor()
  const gone = page.getByText('The server cannot be reached. Trying again...')
  const back = page.getByText('The server can be reached again')
  for (let round = 0; round < 2; round++) {
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Refresh' }).click()
    await gone.waitFor()
    await back.waitFor({ state: 'detached', timeout: 3_000 })
    await page.context().setOffline(false)
    await back.first().waitFor()
    await expect.poll(() => back.count()).toBe(1)
  }
})

test('a screen whose code cannot be loaded appears once the server is back, and the old screen stays until then', async () => {
  const user = await buildUser(server)
  const { page } = await browser.open()
  await enter(page, user)
  await page.getByText('This folder is empty').waitFor()
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Overview', exact: true }).click()
  await page.getByText('The server cannot be reached. Trying again...').waitFor()
  await expect.poll(() => page.getByText('This folder is empty').count()).toBe(1)
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
})
