/** Search: the box, what is found, and the filters that stand in the address. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setFileMetadata } from '../../src/api/files.ts'
import { tagFiles } from '../../src/api/tags.ts'
import { type BuiltUser, buildField, buildFile, buildFolder, buildTag, buildUser } from '../support/factories.ts'
import { plantFiles } from '../support/planted.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { findBarriersInBothThemes } from './accessible.ts'
import { enter, launchBrowser, listedNames, phone, row, type TestBrowser } from './browser.ts'

let server: TestServer
let browser: TestBrowser

/** For what takes a few round trips on a busy machine. */
const patient = { timeout: 10_000 }

beforeAll(async () => {
  server = await startServer()
  browser = await launchBrowser(server)
})

afterAll(async () => {
  await browser.close()
  await server.close()
})

const box = (page: Page) => page.getByRole('searchbox', { name: 'Search files' })
const lists = (page: Page, ...names: string[]) =>
  expect.poll(async () => (await listedNames(page)).sort(), patient).toEqual(names.sort())

/** A folder with a report in it, and two reports beside it. */
async function buildOwner(): Promise<{ user: BuiltUser; folderId: number; ids: number[] }> {
  const user = await buildUser(server)
  const folder = await buildFolder(user, 'Reports')
  const inner = await buildFile(user, { name: 'Annual report.pdf', parent_id: folder.id }, 'x'.repeat(3_000_000))
  const text = await buildFile(user, { name: 'report draft.txt' })
  const picture = await buildFile(user, { name: 'report 2027.png' })
  return { user, folderId: folder.id, ids: [inner.id, text.id, picture.id] }
}

describe('the box', () => {
  test('searches after a pause from three letters on, takes what is typed meanwhile, and leads back when cleared', async () => {
    const { user } = await buildOwner()
    const { page, offences } = await browser.open()
    const asked: string[] = []
    page.on('request', request => {
      const url = new URL(request.url())
      if (url.pathname === '/api/files/search') asked.push(url.searchParams.get('q') ?? '')
    })
    await enter(page, user)
    await row(page, 'report draft.txt').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type(' re ')
    await box(page).press('Enter')
    expect(new URL(page.url()).pathname).toBe('/files')
    await box(page).fill('repo')
    await page.getByRole('heading', { name: 'Search Results' }).waitFor()
    await page.keyboard.type('rt')
    await page.getByText('Found 4 results for "report"').waitFor()
    expect(await box(page).inputValue()).toBe('report')
    expect(await box(page).evaluate(input => input === document.activeElement)).toBe(true)
    expect(asked.every(text => ['repo', 'report'].includes(text))).toBe(true)
    await lists(page, 'Reports', 'Annual report.pdf', 'report draft.txt', 'report 2027.png')
    await box(page).fill('')
    await row(page, 'Reports').waitFor()
    expect(new URL(page.url()).pathname).toBe('/files')
    expect(offences).toEqual([])
  })

  test('searches at once by Enter, also for a number, and says when nothing is found', async () => {
    const { user } = await buildOwner()
    const { page } = await browser.open()
    await enter(page, user)
    await box(page).fill('2027')
    await box(page).press('Enter')
    await page.getByText('Found 1 result for "2027"').waitFor()
    await page.reload()
    await page.getByText('Found 1 result for "2027"').waitFor()
    await box(page).fill('nowhere')
    await box(page).press('Enter')
    await page.getByText('No results found for "nowhere"').waitFor()
    await page.getByRole('heading', { name: 'No files found' }).waitFor()
    await page.getByText('Try searching with different keywords').waitFor()
    await page.getByRole('button', { name: 'Back to Files' }).click()
    await row(page, 'Reports').waitFor()
    expect(await box(page).inputValue()).toBe('')
  })
})

describe('the Search button', () => {
  test('searches at once, and says when the text is too short', async () => {
    const { user } = await buildOwner()
    const { page } = await browser.open()
    await enter(page, user)
    await box(page).fill('re')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByRole('status').getByText('Type at least 3 characters').waitFor()
    await box(page).fill('2027')
    expect(await page.getByText('Type at least 3 characters').count()).toBe(0)
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByText('Found 1 result for "2027"').waitFor()
  })
})

test('who goes elsewhere while a text waits to be searched for stays there', async () => {
  const { user } = await buildOwner()
  const { page } = await browser.open()
  await page.clock.install()
  await enter(page, user)
  await row(page, 'report draft.txt').waitFor()
  await page.clock.pauseAt(Date.now() + 5_000)
  await box(page).fill('report')
  await page.getByRole('link', { name: 'Trash' }).click()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/trash')
  await page.clock.runFor(1_000)
  await page.clock.resume()
  await page.getByText('Trash is empty').waitFor()
  expect(new URL(page.url()).pathname).toBe('/trash')
})

test('Back to Files leads home where the folder looked at last has gone', async () => {
  const { user, folderId } = await buildOwner()
  const { page } = await browser.open()
  await enter(page, user, `/files/${folderId}`)
  await row(page, 'Annual report.pdf').waitFor()
  await box(page).fill('report')
  await row(page, 'Reports').click()
  await page.keyboard.press('Delete')
  await page.getByText('Reports was moved to the trash').waitFor()
  await page.getByRole('button', { name: 'Back to Files' }).click()
  await row(page, 'report draft.txt').waitFor()
  expect(new URL(page.url()).pathname).toBe('/files')
})

describe('what is found', () => {
  test('tells where it lies and leads there', async () => {
    const { user, folderId } = await buildOwner()
    const { page } = await browser.open()
    await enter(page, user, '/search?q=annual')
    await row(page, 'Annual report.pdf').getByRole('link', { name: '/Reports' }).click()
    await row(page, 'Annual report.pdf').waitFor()
    expect(new URL(page.url()).pathname).toBe(`/files/${folderId}`)
    await page.goBack()
    await page.getByText('Found 1 result for "annual"').waitFor()
    await row(page, 'Annual report.pdf').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Show in folder' }).click()
    const found = row(page, 'Annual report.pdf')
    await expect.poll(() => found.evaluate(element => element === document.activeElement), patient).toBe(true)
    expect(new URL(page.url()).pathname).toBe(`/files/${folderId}`)
  })

  test('is selected, starred, renamed and deleted like in a folder, and folders are opened', async () => {
    const { user, folderId } = await buildOwner()
    const { page, offences } = await browser.open()
    await enter(page, user, '/search?q=report')
    await row(page, 'report draft.txt').hover()
    await page.getByRole('button', { name: 'Add report draft.txt to favorites' }).click()
    await row(page, 'report draft.txt').getByRole('img', { name: 'Favorite' }).waitFor()
    await row(page, 'report draft.txt').click()
    await page.keyboard.press('F2')
    await page.getByLabel('New name for report draft.txt').fill('final report.txt')
    await page.keyboard.press('Enter')
    await row(page, 'final report.txt').waitFor()
    await row(page, 'final report.txt').click({ modifiers: ['Control'] })
    await row(page, 'Annual report.pdf').getByRole('checkbox').click()
    await page.getByText('2 selected').waitFor()
    await page.keyboard.press('Delete')
    await page.getByText('2 items were moved to the trash').waitFor()
    await lists(page, 'Reports', 'report 2027.png')
    await page.keyboard.press('Control+z')
    await lists(page, 'Reports', 'Annual report.pdf', 'final report.txt', 'report 2027.png')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Grid view' }).click()
    await page.getByRole('gridcell', { name: 'Reports' }).getByRole('link').click()
    await page.getByRole('gridcell', { name: 'Annual report.pdf' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/files/${folderId}`)
    expect(offences).toEqual([])
  })

  test('beyond a thousand is counted as more, and comes page by page', async () => {
    const user = await buildUser(server)
    const folder = await buildFolder(user, 'Many')
    await plantFiles(server, user, folder.id, 1500)
    const { page } = await browser.open()
    await enter(page, user, '/search?q=report')
    await page.getByText('Found 1,000+ results for "report"').waitFor()
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await page.getByText('1,350 selected').waitFor()
  })
})

describe('the filters', () => {
  test('stand in the address, are asked of the server, and are cleared together', async () => {
    const { user, ids } = await buildOwner()
    const tag = await buildTag(user, 'Press')
    await user.call(tagFiles, { tag_id: tag.id, file_ids: [ids[1] ?? 0] })
    const { page, offences } = await browser.open()
    await enter(page, user, '/search?q=report')
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByLabel('Kind').selectOption('Images')
    await lists(page, 'report 2027.png')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await lists(page, 'Reports', 'Annual report.pdf', 'report draft.txt', 'report 2027.png')
    await page.getByLabel('Min size (MB)').fill('2.5')
    await lists(page, 'Annual report.pdf')
    expect(new URL(page.url()).searchParams.get('min_size')).toBe('2621440')
    await page.reload()
    await page.getByText('Found 1 result for "report"').waitFor()
    expect(await page.getByLabel('Min size (MB)').inputValue()).toBe('2.5')
    await page.getByLabel('Min size (MB)').fill('')
    await page.getByLabel('Tag', { exact: true }).selectOption('Press')
    await lists(page, 'report draft.txt')
    await page.getByLabel('Changed until').fill('2001-01-01')
    await page.getByText('No results found for "report"').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click()
    await page.getByLabel('Status').selectOption('Rejected')
    await page.getByText('No results found for "report"').waitFor()
    expect(offences).toEqual([])
  })

  test('that are in force are shown, also where their lists fail', async () => {
    const { user } = await buildOwner()
    const { page } = await browser.open()
    const answer = { status: 500, json: { success: false, message: '', error: 'internal', request_id: 'x' } }
    await page.route('**/api/tags', route => route.fulfill(answer))
    await page.route('**/api/metadata/fields/upload*', route => route.fulfill(answer))
    await enter(page, user, '/search?q=report&tag_id=7&meta=city%3ARome')
    await page.getByText('Failed to load tags').waitFor()
    await page.getByText('Failed to load metadata fields').waitFor()
    expect(await page.getByLabel('Tag', { exact: true }).inputValue()).toBe('7')
    expect(await page.getByLabel('Metadata field').inputValue()).toBe('city')
    await page.getByLabel('Metadata field').selectOption('None')
    await expect.poll(() => new URL(page.url()).searchParams.get('meta')).toBe(null)
  })

  test('find by the value of a metadata field', async () => {
    const admin = await buildUser(server, { role: 'admin' })
    const field = await buildField(admin, { name: 'photographer', label: 'Photographer' })
    const { user, ids } = await buildOwner()
    await user.call(setFileMetadata, { id: ids[2] ?? 0, metadata: [{ field_id: field.id, value: 'Łukasz' }] })
    const { page } = await browser.open()
    await enter(page, user, '/search?q=report')
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByLabel('Metadata field').selectOption('Photographer')
    await page.getByLabel('Photographer', { exact: true }).fill('łuk')
    await lists(page, 'report 2027.png')
    expect(new URL(page.url()).searchParams.get('meta')).toBe('photographer:łuk')
  })
})

test('a search that fails is told, and can be asked for again', async () => {
  const { user } = await buildOwner()
  const { page } = await browser.open()
  await enter(page, user)
  await page.route('**/api/files/search*', route => route.abort())
  await box(page).fill('report')
  await page.getByRole('alert').getByText('Search failed').waitFor()
  await page.unroute('**/api/files/search*')
  await page.getByRole('alert').getByRole('button', { name: 'Retry' }).click()
  await page.getByText('Found 4 results for "report"').waitFor()
  await page.getByText('Search failed').waitFor({ state: 'detached' })
})

test('on a phone the bar’s button leads to the box', async () => {
  const { user } = await buildOwner()
  const { page, offences } = await browser.open(phone)
  await enter(page, user)
  await page.getByRole('button', { name: 'Search' }).tap()
  await page.getByText('Type at least 3 characters of a name.').waitFor()
  expect(await box(page).evaluate(input => input === document.activeElement)).toBe(true)
  await page.keyboard.type('annual')
  await page.getByText('Found 1 result for "annual"').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(await findBarriersInBothThemes(page)).toEqual([])
  await page.getByRole('checkbox', { name: 'Select Annual report.pdf' }).tap()
  await page.getByText('1 selected').waitFor()
  await page.getByRole('button', { name: 'Clear selection' }).tap()
  await page.getByRole('button', { name: 'Back to Files' }).tap()
  await row(page, 'Reports').waitFor()
  expect(offences).toEqual([])
})

test('axe finds nothing in a search', { timeout: 60_000 }, async () => {
  const { user } = await buildOwner()
  const { page } = await browser.open()
  await enter(page, user, '/search?q=report')
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('Kind').waitFor()
  await row(page, 'Reports').hover()
  expect(await findBarriersInBothThemes(page)).toEqual([])
})
