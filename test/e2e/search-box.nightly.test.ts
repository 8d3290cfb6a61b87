/** The search box during a search: its position, and the filters around it. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { Permission } from '../../src/api/permissions.ts'
import { tagFiles } from '../../src/api/tags.ts'
import { type BuiltUser, buildField, buildFile, buildRole, buildTag, buildUser } from '../support/factories.ts'
import { desktop, enter, phone, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

let user: BuiltUser

openSite()

beforeAll(async () => {
  user = await buildUser(server)
  await buildFile(user, { name: 'report draft.txt' })
  await buildFile(user, { name: 'report 2027.png' })
})

const box = (page: Page) => page.getByRole('searchbox', { name: 'Search files' })

test.each([1280, 1024, 800])('the search box keeps its position while the user types, %i pixels wide', async width => {
  const { page } = await browser.open({ viewport: { width, height: 800 } })
  await enter(page, user)
  await row(page, 'report draft.txt').waitFor()
  const left = async () => (await box(page).boundingBox())?.x ?? 0
  const before = await left()
  await box(page).fill('report')
  await page.getByText('Found 2 results').waitFor()
  expect(await left()).toBeCloseTo(before, 0)
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('Kind').selectOption('Images')
  await page.getByText('Found 1 result').waitFor()
  expect(await left()).toBeCloseTo(before, 0)
})

const reading: Permission[] = ['files:read', 'files:search']

test.each([
  ['only read', []],
  ['upload', ['files:upload']],
  ['make folders', ['files:write']],
] as const)('the search box keeps its position for a user who may also %s', async (_what, more) => {
  const reader = await buildUser(server, { role: await buildRole(server, [...reading, ...more]) })
  const { page } = await browser.open()
  await enter(page, reader)
  await page.getByText('This folder is empty').waitFor()
  const left = async () => (await box(page).boundingBox())?.x ?? 0
  const before = await left()
  await box(page).fill('report')
  await page.getByText('No results found for "report"').waitFor()
  expect(await left()).toBeCloseTo(before, 0)
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('Kind').selectOption('Images')
  await page.getByRole('button', { name: 'Filters, 1 in force' }).waitFor()
  expect(await left()).toBeCloseTo(before, 0)
})

test('filters stay when the text is cleared, and are listed when nothing is found', async () => {
  const { page } = await browser.open()
  await enter(page, user, '/search?q=report&mime_type=image%2F&min_size=1048576')
  await page.getByText('Try searching with different keywords').waitFor()
  await page.getByText('Filters in force: Images, at least 1.00 MB.').waitFor()
  await box(page).fill('')
  await page.getByText('Type at least 2 characters of a name.').waitFor()
  await page.getByLabel('Min size (MB)').fill('')
  await box(page).fill('2027')
  await page.getByText('Found 1 result for "2027"').waitFor()
  await row(page, 'report 2027.png').waitFor()
  await expect.poll(() => page.getByLabel('Kind').inputValue()).toBe('image/')
})

test('filters are listed by the names of tags and fields, and a shortened kind has its full name as a hint', async () => {
  const admin = await buildUser(server, { role: 'admin' })
  const field = await buildField(admin, { name: 'seen', label: 'Seen', field_type: 'checkbox' })
  const tag = await buildTag(user, 'Press')
  const file = await buildFile(user, { name: 'tagged.txt', metadata: [{ field_id: field.id, value: 'true' }] })
  await user.call(tagFiles, { tag_id: tag.id, file_ids: [file.id] })
  const { page } = await browser.open()
  await enter(page, user, `/search?q=zzz&mime_type=application%2F&tag_id=${tag.id}&meta=seen%3Atrue`)
  await page.getByText('Filters in force: Office files, archives and more, tag Press, Seen: Yes.').waitFor()
  await expect.poll(() => page.getByLabel('Kind').getAttribute('title')).toBe('Office files, archives and more')
})

test('the filters take one line in a wide window and three on a phone', async () => {
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
