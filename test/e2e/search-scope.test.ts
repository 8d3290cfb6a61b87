/** Where a search looks: everywhere, or in one folder. */
import { expect, test } from 'vitest'
import { buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { enter, listedNames, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

test('a search can be limited to the folder that was viewed before it, and widened again', async () => {
  const user = await buildUser(server)
  const folder = await buildFolder(user, 'Reports')
  await buildFile(user, { name: 'Annual report.pdf', parent_id: folder.id })
  await buildFile(user, { name: 'report draft.txt' })
  const { page, offences } = await browser.open()
  await enter(page, user, `/files/${folder.id}`)
  await row(page, 'Annual report.pdf').waitFor()
  await page.getByRole('searchbox', { name: 'Search files' }).fill('report')
  await page.getByText('Found 3 results for "report"').waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Only in Reports' }).click()
  await page.getByText('Found 2 results for "report"').waitFor()
  await expect.poll(async () => (await listedNames(page)).sort()).toEqual(['Annual report.pdf', 'Reports'])
  await page.getByRole('button', { name: 'Search everywhere' }).click()
  await page.getByText('Found 3 results for "report"').waitFor()
  expect(offences).toEqual([])
})
