/** What a page requests when it opens, and in which order. */
import { expect, test } from 'vitest'
import { buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { endAnimations, enter, onlyFirst, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

const script = /\/assets\/[^?]*\/main-\w+\.js$/
const isListing = (url: string): boolean => /\/api\/files\?(?!.*only=)/.test(url)
const isFirstCall = (url: string): boolean => isListing(url) || url.endsWith('/api/auth/profile')

test.each([
  ['the root', (_: number) => '/files'],
  ['a folder', (id: number) => `/files/${id}`],
  ['the folder last looked at', () => '/'],
])("profile and listing of %s are requested once, before the page's script has loaded", async (_, path) => {
  const user = await buildUser(server)
  const folder = await buildFolder(user, 'Docs')
  await buildFile(user, { name: 'in docs.txt', parent_id: folder.id })
  const { page, offences } = await browser.open()
  await enter(page, user, `/files/${folder.id}`)
  await row(page, 'in docs.txt').waitFor()

  const asked: string[] = []
  const isAsked = new Promise<void>(resolve => {
    page.on('request', request => {
      if (isFirstCall(request.url())) asked.push(request.url())
      if (asked.length === 2) resolve()
    })
  })
  await page.route(script, async route => {
    await isAsked
    await route.continue()
  })
  await page.goto(path(folder.id))
  await row(page, path(folder.id) === '/files' ? 'Docs' : 'in docs.txt').waitFor()
  expect(asked.filter(isListing)).toHaveLength(1)
  expect(offences).toEqual([])
})

test('a listing that was preloaded for one user is not shown to another', async () => {
  const [user, other] = [await buildUser(server), await buildUser(server)]
  await buildFile(user, { name: 'mine.txt' })
  await buildFile(other, { name: 'theirs.txt' })
  const { page } = await browser.open()
  await enter(page, user)
  await row(page, 'mine.txt').waitFor()
  await page.route(
    '**/api/auth/profile',
    onlyFirst(route => route.fulfill({ status: 401, json: { success: false, message: 'No' } })),
  )
  await page.goto('/files')
  await page.getByLabel('Username').fill(other.username)
  await page.getByLabel('Password', { exact: true }).fill(other.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await row(page, 'theirs.txt').waitFor()
  expect(await row(page, 'mine.txt').count()).toBe(0)
})

test('code that the list does not need loads after the list', async () => {
  const user = await buildUser(server)
  await buildFile(user, { name: 'plain.txt' })
  const { page } = await browser.open()
  const asked: string[] = []
  page.on('request', request => void asked.push(request.url()))
  const isLate = (url: string) => /(upload-tray|modal-dialog|item-menu)-\w+\.js$/.test(url)
  await enter(page, user)
  await row(page, 'plain.txt').waitFor()
  // Otherwise the page that is left asks for its late code while the next one loads.
  await expect.poll(() => asked.filter(isLate)).toHaveLength(3)
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route(
    ({ href }) => isListing(href),
    async route => {
      await held
      await route.continue()
    },
  )
  asked.length = 0
  await page.goto('/files')
  await page.getByRole('status', { name: 'Loading' }).waitFor()
  expect(asked.filter(isLate)).toEqual([])
  release()
  await row(page, 'plain.txt').waitFor()
  await expect.poll(() => asked.filter(isLate)).toHaveLength(3)
})

test('a toast waits until the code of toasts has loaded', async () => {
  const user = await buildUser(server)
  await buildFile(user, { name: 'plain.txt' })
  const { page } = await browser.open()
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  await page.route('**/toasts-*.js', async route => {
    await held
    await route.continue()
  })
  await enter(page, user)
  await row(page, 'plain.txt').click()
  await page.keyboard.press('Delete')
  await row(page, 'plain.txt').waitFor({ state: 'detached' })
  const undo = page.getByRole('button', { name: 'Undo' })
  expect(await undo.count()).toBe(0)
  release()
  await undo.click()
  await row(page, 'plain.txt').waitFor()
})

test('a page works without toasts when their code fails to load', async () => {
  const user = await buildUser(server)
  await buildFile(user, { name: 'plain.txt' })
  const { page } = await browser.open()
  await page.route('**/toasts-*.js', route => route.abort())
  await enter(page, user)
  await row(page, 'plain.txt').click()
  await page.keyboard.press('Delete')
  await row(page, 'plain.txt').waitFor({ state: 'detached' })
})

test('a page whose script does not come offers to reload it', async () => {
  const { page } = await browser.open()
  await page.route(script, route => route.abort())
  await page.goto('/tags')
  const late = page.getByText('Still loading?')
  expect(await late.isVisible()).toBe(false)
  await endAnimations(late)
  await page.unroute(script)
  await late.getByRole('button', { name: 'Reload the page' }).click()
  await page.getByRole('heading', { name: 'Sign in to filestore' }).waitFor()
  expect(new URL(page.url()).searchParams.get('next')).toMatch(/^\/tags/)
})
