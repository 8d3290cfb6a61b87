/** Downloads of many items as one ZIP file, downloads that fail partly or wholly, and downloads that wait for a new session. */
import type { Download, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { trashFile } from '../../src/api/trash.ts'
import { listArchive } from '../support/archives.ts'
import { buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { plantFiles } from '../support/planted.ts'
import { onlyNightly } from '../support/rounds.ts'
import { endSession, enter, holdNews, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

/** Waits for this many downloads of an act. */
async function downloads(page: Page, count: number, act: () => Promise<void>): Promise<Download[]> {
  const saved: Download[] = []
  page.on('download', download => saved.push(download))
  await act()
  await expect.poll(() => saved.length).toBeGreaterThanOrEqual(count)
  await saved[0]?.path()
  expect(saved).toHaveLength(count)
  return saved
}

const namesInZip = async (saved: Download | undefined): Promise<string[]> =>
  (await listArchive((await saved?.path()) ?? '')).map(({ name }) => name).sort()

test('a download that the server refuses shows the reason', async () => {
  const user = await buildUser(server)
  const { id } = await buildFile(user, { name: 'marked.txt' })
  const { page } = await browser.open()
  await holdNews(page)
  await enter(page, user)
  await row(page, 'marked.txt').hover()
  await user.call(trashFile, { id })
  await page.getByRole('button', { name: 'Download marked.txt' }).click()
  const strip = page.getByRole('alert').filter({ hasText: 'Download failed' })
  await strip.getByText('not found').waitFor()
  expect(await page.getByText('The server cannot be reached').count()).toBe(0)
})

test('a download of several files continues after one of them fails', async () => {
  const user = await buildUser(server)
  const [first] = await Promise.all(['a.txt', 'b.txt', 'c.txt'].map(name => buildFile(user, { name })))
  const { page } = await browser.open()
  await holdNews(page)
  await enter(page, user)
  await row(page, 'a.txt').waitFor()
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  await page.getByText('3 selected').waitFor()
  await user.call(trashFile, { id: first?.id ?? 0 })
  const saved: string[] = []
  page.on('download', download => saved.push(download.suggestedFilename()))
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  const strip = page.getByRole('alert').filter({ hasText: 'Bulk download failed' })
  await strip.getByText(/^1 of 3 items: .*not found/).waitFor()
  await expect.poll(() => saved).toEqual(['b.txt', 'c.txt'])
})

describe('more than a few selected items', () => {
  test('are downloaded as one ZIP file that holds exactly them, folders too', async () => {
    const user = await buildUser(server)
    for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt']) await buildFile(user, { name }, name)
    const folder = await buildFolder(user, 'Folder')
    await buildFile(user, { name: 'inner.txt', parent_id: folder.id })
    await buildFile(user, { name: 'unselected.txt' })
    const { page, offences } = await browser.open()
    await enter(page, user)
    await row(page, 'Folder').click({ modifiers: ['Control'] })
    await row(page, 'e.txt').click({ modifiers: ['Shift'] })
    await page.getByText('6 selected').waitFor()
    const saved = await downloads(page, 1, () => page.keyboard.press('d'))
    expect(await namesInZip(saved[0])).toEqual([
      'Folder/',
      'Folder/inner.txt',
      'a.txt',
      'b.txt',
      'c.txt',
      'd.txt',
      'e.txt',
    ])
    expect(offences).toEqual([])
  })

  test('are the ZIP file of their folder when they are all of a folder of thousands', async context => {
    onlyNightly(context)
    const user = await buildUser(server)
    const folder = await buildFolder(user, 'Thousands')
    await plantFiles(server, user, folder.id, 1500)
    const { page } = await browser.open()
    await enter(page, user, `/files/${folder.id}`)
    await row(page, 'Project 0').waitFor()
    await page.keyboard.press('Control+a')
    await page.getByText('1,500 selected').waitFor()
    const [saved] = await downloads(page, 1, () => page.getByRole('button', { name: 'Download', exact: true }).click())
    expect(saved?.suggestedFilename()).toBe('Thousands.zip')
    expect(await namesInZip(saved)).toHaveLength(1500)
  })

  test('are refused before anything starts when one ZIP file cannot hold them', async () => {
    const user = await buildUser(server)
    const folder = await buildFolder(user, 'Thousands')
    await plantFiles(server, user, folder.id, 1500)
    const { page } = await browser.open()
    await enter(page, user, `/files/${folder.id}`)
    await row(page, 'Project 0').waitFor()
    await page.keyboard.press('Control+a')
    await page.getByText('1,500 selected').waitFor()
    await row(page, 'Project 0').getByRole('checkbox').click()
    await page.getByText('1,499 selected').waitFor()
    const saved: unknown[] = []
    page.on('download', download => saved.push(download))
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    const strip = page.getByRole('alert').filter({ hasText: 'Bulk download failed' })
    await strip.getByText('One ZIP file takes at most 1,000 items, and 1,499 are selected.').waitFor()
    expect(saved).toEqual([])
  })
})

test('a ZIP download waits for the user to sign in again, and shows when the server refuses it', async () => {
  const user = await buildUser(server)
  const [first] = await Promise.all(['a.txt', 'b.txt'].map(name => buildFile(user, { name })))
  const { page, offences } = await browser.open()
  await holdNews(page)
  await enter(page, user)
  await row(page, 'a.txt').waitFor()
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  await endSession(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download as ZIP' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await dialog.getByLabel('Password', { exact: true }).fill(user.password)
  await page.keyboard.press('Enter')
  expect((await download).suggestedFilename()).toMatch(/\.zip$/)
  await dialog.waitFor({ state: 'detached' })
  expect(offences).toEqual([])
  await user.call(trashFile, { id: first?.id ?? 0 })
  await page.getByRole('button', { name: 'Download as ZIP' }).click()
  await page.getByText('Bulk download failed. The server refused it.').waitFor()
})
