/** The visitor's page of links with a password, of those that do not work, and of hostile names. */
import { beforeAll, describe, expect, test } from 'vitest'
import { updateProfile } from '../../src/api/auth.ts'
import { deleteLink, listLinks, updateLink } from '../../src/api/links.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { findBarriersInBothThemes } from './accessible.ts'
import { endAnimations, onlyFirst, phone, row } from './browser.ts'
import { openSite, server } from './site.ts'
import { textFile } from './uploading.ts'
import { button } from './viewer.ts'
import { buildLinkPath, overflowOf, visit } from './visitor.ts'

let anna: BuiltUser

openSite()

beforeAll(async () => {
  anna = await buildUser(server)
})

const linkOf = async ({ id }: { id: number }) => {
  const [link] = (await anna.call(listLinks, { item_id: id })).links
  if (link === undefined) throw new Error('the item has no link')
  return link
}

test('a password opens the link, a wrong one says so, and a new one asks again', async () => {
  const folder = await buildFolder(anna, 'Secret plans')
  await buildFile(anna, { name: 'plan.txt', parent_id: folder.id }, 'secret words')
  const path = await buildLinkPath(anna, folder, { password: 'correct horse' })
  const { page, offences } = await visit(path)
  await page.getByRole('heading', { name: 'This link has a password' }).waitFor()
  expect(await page.title()).not.toContain('Secret')
  await page.getByLabel('Password', { exact: true }).fill('wrong horse')
  await page.keyboard.press('Enter')
  await page.getByText('Wrong password').waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.keyboard.press('Enter')
  await row(page, 'plan.txt').waitFor()
  await page.reload()
  await page.getByRole('link', { name: 'plan.txt' }).click()
  await page.getByText('secret words').waitFor()
  await page.keyboard.press('Escape')
  await anna.call(updateLink, { id: (await linkOf(folder)).id, password: 'another horse' })
  await button(page, 'Download all').click()
  await page.getByRole('heading', { name: 'This link has a password' }).waitFor()
  expect(offences).toEqual([])
})

test('too many wrong passwords say how long to wait', async () => {
  const file = await buildFile(anna, { name: 'plan.txt' })
  const { page } = await visit(await buildLinkPath(anna, file, { password: 'correct horse' }))
  const json = { success: false, message: 'Too many attempts', error: 'rate_limited', request_id: '' }
  await page.route('**/unlock', route => route.fulfill({ status: 429, headers: { 'Retry-After': '600' }, json }))
  await page.getByLabel('Password', { exact: true }).fill('wrong horse')
  await page.keyboard.press('Enter')
  await page.getByText('Too many attempts. Try again in 10 minutes.').waitFor()
})

describe('a link that does not work', () => {
  test('says so, alike for unknown and ended ones, and of expired ones that they are', async () => {
    const file = await buildFile(anna, { name: 'plan.txt' }, 'words')
    const path = await buildLinkPath(anna, file)
    await anna.call(deleteLink, { id: (await linkOf(file)).id })
    const { page, offences } = await visit(path)
    await page.getByRole('heading', { name: 'This link does not work (any more)' }).waitFor()
    expect(await page.title()).not.toContain('plan')
    expect(await findBarriersInBothThemes(page)).toEqual([])
    await page.goto('/s/aaaaaaaaaaaaaaaaaaaaaa')
    await page.getByRole('heading', { name: 'This link does not work (any more)' }).waitFor()
    const expiring = await buildLinkPath(anna, file, { expires_at: '2099-01-01T00:00:00Z' })
    const { db } = server.deps
    await db.touch(() => db.change('UPDATE links SET expires_at = $1', [Date.parse('2026-01-02')]))
    await page.goto(expiring)
    await page.getByRole('heading', { name: 'This link has expired' }).waitFor()
    expect(offences).toEqual([])
  })

  test('because the server cannot be reached is tried again', async () => {
    const file = await buildFile(anna, { name: 'plan.txt' }, 'words')
    const path = await buildLinkPath(anna, file)
    const { page } = await visit('about:blank')
    await page.route(
      '**/api/s/**',
      onlyFirst(route => route.abort()),
    )
    await page.goto(path)
    await page.getByText('The server cannot be reached.').waitFor()
    await button(page, 'Retry').click()
    await page.getByText('words').waitFor()
  })

  test('because the server is busy opens by itself after the time that the server names', async () => {
    const file = await buildFile(anna, { name: 'plan.txt' }, 'words')
    const path = await buildLinkPath(anna, file)
    const { page } = await visit('about:blank')
    const json = { success: false, message: 'Too many requests', error: 'rate_limited', request_id: '' }
    await page.route(
      '**/api/s/*',
      onlyFirst(route => route.fulfill({ status: 429, headers: { 'Retry-After': '1' }, json })),
    )
    await page.goto(path)
    await page.getByText('The server is busy').waitFor()
    await page.getByText('words').waitFor()
  })
})

describe('hostile names', () => {
  const hostile = [
    '<img src=x onerror=alert(1)>.txt',
    '"><script>alert(1)<\u2215script>.txt',
    '%HEAD%%NONCE%{{alert(1)}}.txt',
    'javascript:alert(1).txt',
    '\u202egnp.exe',
  ]

  test('of files, folders, people and senders are texts everywhere', async () => {
    const mallory = await buildUser(server)
    await mallory.call(updateProfile, { full_name: '<script>alert(1)</script>' })
    const folder = await buildFolder(mallory, '"><img src=x onerror=alert(1)><title>')
    for (const name of hostile) await buildFile(mallory, { name, parent_id: folder.id }, 'x')
    const path = await buildLinkPath(mallory, folder, { level: 'both', ask_name: true })
    const { page, offences } = await visit(path)
    page.on('dialog', () => offences.push('a dialog'))
    await page.getByText('From <script>alert(1)</script>').waitFor()
    await expect.poll(() => page.getByRole('grid').locator('[data-index]').count()).toBe(hostile.length)
    expect(await page.title()).toBe('"><img src=x onerror=alert(1)><title> · filestore')
    await button(page, 'Grid view').click()
    for (const name of hostile) {
      await page.getByRole('gridcell', { name, exact: true }).getByRole('link').click()
      await page.getByRole('dialog', { name, exact: true }).waitFor()
      await page.keyboard.press('Escape')
    }
    await button(page, 'Upload files').click()
    await page.getByLabel('Your name').fill('<b>Ben<b>')
    const chooser = page.waitForEvent('filechooser')
    await button(page, 'Choose files').click()
    await (await chooser).setFiles([textFile('<i>new<i>.txt')])
    await button(page, 'Send 1 file').click()
    await page.getByRole('heading', { name: '1 file has arrived. Thank you' }).waitFor()
    await button(page, 'Files').click()
    await page.getByText('<b>Ben<').first().waitFor()
    expect(await page.locator('main :is(b, i, script)').count()).toBe(0)
    expect(offences).toEqual([])
  })

  test('stand in the head of the page as texts', async () => {
    const file = await buildFile(anna, { name: '"><script>alert(1)<\u2215script>%BASE%.txt' }, 'x')
    const { page, offences } = await visit(await buildLinkPath(anna, file))
    await page.getByRole('heading', { level: 1 }).waitFor()
    const title = await page.locator('meta[property="og:title"]').getAttribute('content')
    expect(title).toBe('"><script>alert(1)<\u2215script>%BASE%.txt')
    expect(offences).toEqual([])
  })
})

test('a page whose script does not come offers to reload it', async () => {
  const path = await buildLinkPath(anna, await buildFile(anna, { name: 'late.txt' }, 'late'))
  const { page } = await visit('/robots.txt')
  const script = /\/assets\/[^?]*\.js$/
  await page.route(script, route => route.abort())
  await page.goto(path)
  const late = page.getByText('Still loading?')
  expect(await late.isVisible()).toBe(false)
  await endAnimations(late)
  await page.unroute(script)
  await late.getByRole('button', { name: 'Reload the page' }).click()
  await page.getByRole('heading', { name: 'late.txt' }).waitFor()
})

test('the password form fits a narrow phone', async () => {
  const file = await buildFile(anna, { name: 'plan.txt' })
  const path = await buildLinkPath(anna, file, { password: 'correct horse' })
  const { page, offences } = await visit(path, { ...phone, viewport: { width: 320, height: 480 } })
  await page.getByRole('heading', { name: 'This link has a password' }).waitFor()
  expect(await overflowOf(page)).toBe(0)
  expect(await findBarriersInBothThemes(page)).toEqual([])
  expect(offences).toEqual([])
})
