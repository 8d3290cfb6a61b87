/** A session that ends in mid-work, the browser's other tabs, and a server that is gone. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { login, logout } from '../../src/api/auth.ts'
import { buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { findBarriers } from './accessible.ts'
import { endSession, enter, row, signIn } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

const sessionDialog = (page: Page) => page.getByRole('dialog', { name: 'Your session has ended' })

describe('a session that ends in mid-work', () => {
  test('is begun again above the page, and what was typed is sent after all', async () => {
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
    // Neither Escape nor a wrong password lose anything.
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

  test('can be left for good, and another user finds nothing of it', async () => {
    const [user, other] = [await buildUser(server), await buildUser(server)]
    const folder = await buildFolder(user, 'Not for others')
    const { page, offences } = await browser.open()
    await enter(page, user, `/files/${folder.id}`)
    await endSession(page)
    await page.getByRole('button', { name: 'Refresh' }).click()
    await sessionDialog(page).getByRole('button', { name: 'Logout' }).click()
    await page.getByRole('heading', { name: 'Sign in to filestore' }).waitFor()
    await signIn(page, other.username, other.password)
    await page.getByText('This folder is empty').waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/files')
    expect(await page.getByText('Not for others').count()).toBe(0)
    expect(offences).toEqual([])
  })

  test('after a reload leads to sign-in and back to where one was', async () => {
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

test('who wants to leave leaves, also where the server cannot be told', async () => {
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
  test('sign out together, and in again', async () => {
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

  test('never show one user what is of another', async () => {
    const [user, other] = [await buildUser(server), await buildUser(server)]
    await buildFolder(user, 'Of the first')
    await buildFolder(other, 'Of the second')
    const { page } = await browser.open()
    await enter(page, user)
    await row(page, 'Of the first').waitFor()
    const second = await page.context().newPage()
    // The browser's one session becomes another user's without the first tab having been left.
    await page.context().request.post(`${server.url}/api${login.path}`, {
      headers: { origin: server.url },
      data: { username: other.username, password: other.password },
    })
    await second.goto('/')
    await row(page, 'Of the second').waitFor()
    expect(await page.getByText('Of the first').count()).toBe(0)
  })

  test('lose nothing because one of them finds that the session has run out', async () => {
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

  test('leave nothing of the last user to the next one', async () => {
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

  test('show another user’s session as that user’s, also where one tab could not ask', async () => {
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

  test('do not sign each other out because one could not ask the server', async () => {
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

test('a server that is gone is told once, and everything comes by itself once it is back', async () => {
  const user = await buildUser(server)
  const { page, offences } = await browser.open()
  await enter(page, user)
  await page.getByText('This folder is empty').waitFor()
  await page.context().setOffline(true)
  // The browser may say so before its requests fail; the first one that does tells of it in any case.
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

test('the word that the server is back goes when it is gone again', async () => {
  const { page } = await browser.open()
  await enter(page, await buildUser(server))
  await page.getByText('This folder is empty').waitFor()
  const gone = page.getByText('The server cannot be reached. Trying again...')
  const back = page.getByText('The server can be reached again')
  for (let round = 0; round < 2; round++) {
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Refresh' }).click()
    await gone.waitFor()
    await back.waitFor({ state: 'detached', timeout: 1000 })
    await page.context().setOffline(false)
    await back.first().waitFor()
    await expect.poll(() => back.count()).toBe(1)
  }
})

test('a screen that a server that is gone cannot send is waited for on the page as it stands', async () => {
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
