/** The search box while a search begins and goes on: its place, and the filters around it. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { enter, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

let user: BuiltUser

openSite()

beforeAll(async () => {
  user = await buildUser(server)
  await buildFile(user, { name: 'report draft.txt' })
  await buildFile(user, { name: 'report 2027.png' })
})

const box = (page: Page) => page.getByRole('searchbox', { name: 'Search files' })

test.each([1280, 1024, 800])('the box keeps its place while one types, %i pixels wide', async width => {
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

test('filters stay while the text is taken away, and are told where nothing is found', async () => {
  const { page } = await browser.open()
  await enter(page, user, '/search?q=report&mime_type=image%2F&min_size=1048576')
  await page.getByText('Try searching with different keywords').waitFor()
  await page.getByText('Filters in force: Images, at least 1.00 MB.').waitFor()
  await box(page).fill('')
  await page.getByText('Type at least 3 characters of a name.').waitFor()
  await page.getByLabel('Min size (MB)').fill('')
  await box(page).fill('2027')
  await page.getByText('Found 1 result for "2027"').waitFor()
  await row(page, 'report 2027.png').waitFor()
  expect(await page.getByLabel('Kind').inputValue()).toBe('image/')
})
