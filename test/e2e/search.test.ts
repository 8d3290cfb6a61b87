/** Search: the box, the results, and the filters in the address. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { setFileMetadata } from '../../src/api/files.ts'
import { tagFiles } from '../../src/api/tags.ts'
import { type BuiltUser, buildField, buildFile, buildFolder, buildTag, buildUser } from '../support/factories.ts'
import { plantFiles } from '../support/planted.ts'
import { findBarriersInBothThemes } from './accessible.ts'
import { desktop, enter, listedNames, phone, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

const box = (page: Page) => page.getByRole('searchbox', { name: 'Search files' })
const lists = (page: Page, ...names: string[]) =>
  expect.poll(async () => (await listedNames(page)).sort()).toEqual(names.sort())

/** Builds a user with a folder that holds a report, and two reports beside it. */
async function buildOwner(): Promise<{ user: BuiltUser; folderId: number; ids: number[] }> {
  const user = await buildUser(server)
  const folder = await buildFolder(user, 'Reports')
  const inner = await buildFile(user, { name: 'Annual report.pdf', parent_id: folder.id }, 'x'.repeat(3_000_000))
  const text = await buildFile(user, { name: 'report draft.txt' })
  const picture = await buildFile(user, { name: 'report 2027.png' })
  return { user, folderId: folder.id, ids: [inner.id, text.id, picture.id] }
}

test('the filters take one line in a wide window and three on a phone', async () => {
  const { user } = await buildOwner()
  await buildTag(user, 'Press')
  const filters = ['Kind', 'Tag', 'Status', 'Changed from', 'Changed until', 'Min size (MB)', 'Max size (MB)']
  for (const [options, lines] of [
    [desktop, 1],
    [phone, 3],
  ] as const) {
    const { page } = await browser.open(options)
    await enter(page, user, '/search?q=report')
    await page.getByRole('button', { name: 'Filters' }).click()
    const panel = page.getByRole('region', { name: 'Filters' })
    await panel.getByLabel('Tag').waitFor()
    const tops = await Promise.all(
      filters.map(async label => (await panel.getByLabel(label, { exact: true }).boundingBox())?.y),
    )
    expect(new Set(tops).size).toBe(lines)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(options.viewport?.width)
    await page.context().close()
  }
})

describe('the search box', () => {
  test('searches after a pause from two letters on, keeps what is typed meanwhile, and returns to the folder when cleared', async () => {
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
    await page.keyboard.type(' r ')
    await box(page).press('Enter')
    await expect.poll(() => new URL(page.url()).pathname).toBe('/files')
    await box(page).fill('repo')
    await page.getByRole('heading', { name: 'Search Results' }).waitFor()
    await page.keyboard.type('rt')
    await page.getByText('Found 4 results for "report"').waitFor()
    await expect.poll(() => box(page).inputValue()).toBe('report')
    expect(await box(page).evaluate(input => input === document.activeElement)).toBe(true)
    expect(asked.every(text => ['repo', 'report'].includes(text))).toBe(true)
    await lists(page, 'Reports', 'Annual report.pdf', 'report draft.txt', 'report 2027.png')
    await box(page).fill('')
    await row(page, 'Reports').waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/files')
    expect(offences).toEqual([])
  })

  test('finds one Chinese character and two letters, and its results are put in order, which a reload keeps', async () => {
    const { user } = await buildOwner()
    await buildFile(user, { name: '会議資料.pdf' }, 'x'.repeat(10))
    const { page, offences } = await browser.open()
    await enter(page, user)
    await box(page).fill('料')
    await page.getByText('Found 1 result for "料"').waitFor()
    await box(page).fill('re')
    await page.getByText('Found 4 results for "re"').waitFor()
    expect(await listedNames(page)).toEqual(['report 2027.png', 'report draft.txt', 'Annual report.pdf', 'Reports'])
    await page.getByLabel('Order of the results').selectOption('Largest first')
    const largest = ['Reports', 'Annual report.pdf', 'report 2027.png', 'report draft.txt']
    await expect.poll(() => listedNames(page)).toEqual(largest)
    await page.reload()
    await page.getByText('Found 4 results for "re"').waitFor()
    await expect.poll(() => listedNames(page)).toEqual(largest)
    await page.getByLabel('Order of the results').selectOption('Name, A to Z')
    await expect.poll(async () => (await listedNames(page))[1]).toBe('Annual report.pdf')
    expect(await findBarriersInBothThemes(page)).toEqual([])
    expect(offences).toEqual([])
  })

  test('searches at once on Enter, also for a number, and says when nothing is found', async () => {
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
    await expect.poll(() => box(page).inputValue()).toBe('')
  })
})

describe('the Search button', () => {
  test('searches at once, and says when the text is too short', async () => {
    const { user } = await buildOwner()
    const { page } = await browser.open()
    await enter(page, user)
    await box(page).fill('r')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByRole('status').getByText('Type at least 2 characters').waitFor()
    await box(page).fill('2027')
    expect(await page.getByText('Type at least 2 characters').count()).toBe(0)
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByText('Found 1 result for "2027"').waitFor()
  })
})

test('a user who leaves before a delayed search starts stays on the new screen', async () => {
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
  await expect.poll(() => new URL(page.url()).pathname).toBe('/trash')
})

test('Back to Files leads home when the last folder was deleted', async () => {
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
  await expect.poll(() => new URL(page.url()).pathname).toBe('/files')
})

describe('a search result', () => {
  test('shows its folder and leads there', async () => {
    const { user, folderId } = await buildOwner()
    const { page } = await browser.open()
    await enter(page, user, '/search?q=annual')
    await row(page, 'Annual report.pdf').getByRole('link', { name: '/Reports' }).click()
    await row(page, 'Annual report.pdf').waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/files/${folderId}`)
    await page.goBack()
    await page.getByText('Found 1 result for "annual"').waitFor()
    await row(page, 'Annual report.pdf').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Show in folder' }).click()
    const found = row(page, 'Annual report.pdf')
    await expect.poll(() => found.evaluate(element => element === document.activeElement)).toBe(true)
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/files/${folderId}`)
  })

  test('is selected, starred, renamed and deleted like an item of a folder, and folders open', async () => {
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
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/files/${folderId}`)
    expect(offences).toEqual([])
  })

  test('is one of 1,000+ in the count, and Select all loads the rest', async () => {
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

describe('the search filters', () => {
  test('are kept in the address, sent to the server, and cleared together', async () => {
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
    await expect.poll(() => new URL(page.url()).searchParams.get('min_size')).toBe('2621440')
    await page.reload()
    await page.getByText('Found 1 result for "report"').waitFor()
    await expect.poll(() => page.getByLabel('Min size (MB)').inputValue()).toBe('2.5')
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

  test('are shown when their lists fail to load', async () => {
    const { user } = await buildOwner()
    const { page } = await browser.open()
    const answer = { status: 500, json: { success: false, message: '', error: 'internal', request_id: 'x' } }
    await page.route('**/api/tags', route => route.fulfill(answer))
    await page.route('**/api/metadata/fields/upload*', route => route.fulfill(answer))
    await enter(page, user, '/search?q=report&tag_id=7&meta=city%3ARome')
    await page.getByText('Failed to load tags').waitFor()
    await page.getByText('Failed to load metadata fields').waitFor()
    await expect.poll(() => page.getByLabel('Tag', { exact: true }).inputValue()).toBe('7')
    await expect.poll(() => page.getByLabel('Metadata field').inputValue()).toBe('city')
    await page.getByLabel('Metadata field').selectOption('None')
    await expect.poll(() => new URL(page.url()).searchParams.get('meta')).toBe(null)
  })

  test('find files by the value of a metadata field', async () => {
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
    await expect.poll(() => new URL(page.url()).searchParams.get('meta')).toBe('photographer:łuk')
  })
})

test('a failed search shows an error, and Retry repeats it', async () => {
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

test('on a phone the Search button of the bar leads to the search box', async () => {
  const { user } = await buildOwner()
  const { page, offences } = await browser.open(phone)
  await enter(page, user)
  await page.getByRole('button', { name: 'Search' }).tap()
  await page.getByText('Type at least 2 characters of a name.').waitFor()
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

test('a search has no accessibility barriers', async () => {
  const { user } = await buildOwner()
  const { page } = await browser.open()
  await enter(page, user, '/search?q=report')
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('Kind').waitFor()
  await row(page, 'Reports').hover()
  expect(await findBarriersInBothThemes(page)).toEqual([])
})
