/** The visitor's page of a link on a folder: list, grid, preview, selection and ZIP files. */
import type { Download, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { trashFile } from '../../src/api/trash.ts'
import { listArchive } from '../support/archives.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { drawImage } from '../support/images.ts'
import { plantFiles } from '../support/planted.ts'
import { findBarriers, findBarriersInBothThemes } from './accessible.ts'
import { listedNames, phone, row } from './browser.ts'
import { openSite, server } from './site.ts'
import { button, dialog, press } from './viewer.ts'
import { buildLinkPath, overflowOf, visit } from './visitor.ts'

let anna: BuiltUser
let path: string

openSite()

beforeAll(async () => {
  anna = await buildUser(server)
  const folder = await buildFolder(anna, 'Shown')
  const inner = await buildFolder(anna, 'Inner', folder.id)
  await buildFile(anna, { name: 'deep.txt', parent_id: inner.id }, 'deep')
  await buildFile(anna, { name: 'a.png', parent_id: folder.id }, await drawImage(640, 480).as('png'))
  await buildFile(anna, { name: 'b.zip', parent_id: folder.id }, 'x'.repeat(2048))
  await buildFile(anna, { name: 'c.txt', parent_id: folder.id }, 'some words')
  await buildFile(anna, { name: 'beside.txt' }, 'not shared')
  path = await buildLinkPath(anna, folder)
})

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
const select = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).click()

async function saved(page: Page, act: () => Promise<void>): Promise<{ name: string; entries: string[] }> {
  const download: Promise<Download> = page.waitForEvent('download')
  await act()
  const done = await download
  const entries = await listArchive((await done.path()) ?? '')
  return { name: done.suggestedFilename(), entries: entries.map(({ name }) => name).sort() }
}

test('a visitor walks through folders, and the browser goes back', async () => {
  const { page, offences } = await visit(path)
  await heading(page, 'Shown')
  await row(page, 'c.txt').waitFor()
  expect(await listedNames(page)).toEqual(['Inner', 'a.png', 'b.zip', 'c.txt'])
  await page.getByText('1 folder, 3 files').waitFor()
  await page.getByRole('link', { name: 'Inner' }).click()
  await heading(page, 'Inner')
  await row(page, 'deep.txt').waitFor()
  expect(await page.getByText('beside.txt').count()).toBe(0)
  await page.goBack()
  await heading(page, 'Shown')
  await page.goForward()
  await row(page, 'deep.txt').waitFor()
  await page.reload()
  await row(page, 'deep.txt').waitFor()
  await page.getByRole('navigation', { name: 'Folders' }).getByRole('link', { name: 'Shown' }).click()
  await row(page, 'c.txt').waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
  expect(offences).toEqual([])
})

test('columns sort the list, and the grid shows pictures', async () => {
  const { page, offences } = await visit(path)
  await page.getByRole('columnheader').getByRole('button', { name: 'Size' }).click()
  await expect.poll(() => listedNames(page)).toEqual(['Inner', 'c.txt', 'b.zip', 'a.png'])
  await page.getByRole('columnheader').getByRole('button', { name: 'Size' }).click()
  await expect.poll(() => listedNames(page)).toEqual(['Inner', 'a.png', 'b.zip', 'c.txt'])
  await button(page, 'Grid view').click()
  await page.getByRole('gridcell', { name: 'a.png' }).locator('img').waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
  expect(offences).toEqual([])
})

test('a folder of pictures opens as a grid, until the visitor chooses the list', async () => {
  const folder = await buildFolder(anna, 'Photos')
  const inner = await buildFolder(anna, 'Texts', folder.id)
  for (const name of ['1.txt', '2.txt', '3.txt', '4.txt']) await buildFile(anna, { name, parent_id: inner.id })
  for (const name of ['1.png', '2.png', '3.png']) {
    await buildFile(anna, { name, parent_id: folder.id }, await drawImage(640, 480).as('png'))
  }
  await buildFile(anna, { name: 'notes.txt', parent_id: folder.id })
  const { page } = await visit(await buildLinkPath(anna, folder))
  await page.getByRole('gridcell', { name: '3.png' }).locator('img').waitFor()
  await page.getByRole('link', { name: 'Texts' }).click()
  await row(page, '1.txt').waitFor()
  await page.goBack()
  await button(page, 'List view').click()
  await row(page, '3.png').waitFor()
})

describe('the preview', () => {
  test('opens, steps and closes by keyboard, and Back closes it', async () => {
    const { page, offences } = await visit(path)
    await row(page, 'a.png').waitFor()
    await press(page, 'ArrowDown', 'ArrowDown', 'Enter')
    await dialog(page, 'a.png').getByText('1 of 3').waitFor()
    await page.getByRole('img', { name: 'a.png' }).waitFor()
    await press(page, 'ArrowRight')
    await dialog(page, 'b.zip').getByText('2 of 3 · 2.00 KB').waitFor()
    await button(page, 'Next file').click()
    await dialog(page, 'c.txt').getByText('some words').waitFor()
    expect(await findBarriersInBothThemes(page)).toEqual([])
    await press(page, 'Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('a.png')
    await page.getByRole('link', { name: 'c.txt' }).click()
    await dialog(page, 'c.txt').waitFor()
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(offences).toEqual([])
  })
})

describe('downloads', () => {
  test('of the folder, of a selection and of one file need no program but the browser', async () => {
    const { page, offences } = await visit(path)
    await row(page, 'c.txt').waitFor()
    const all = await saved(page, () => button(page, 'Download all').click())
    expect(all).toEqual({
      name: 'Shown.zip',
      entries: ['Inner/', 'Inner/deep.txt', 'a.png', 'b.zip', 'c.txt'],
    })
    await select(page, 'Inner')
    await select(page, 'c.txt')
    await page.getByText('2 selected').waitFor()
    expect(await findBarriersInBothThemes(page)).toEqual([])
    const chosen = await saved(page, () => button(page, 'Download').click())
    expect(chosen).toEqual({ name: 'Shown.zip', entries: ['Inner/', 'Inner/deep.txt', 'c.txt'] })
    const one = page.waitForEvent('download')
    await button(page, 'Download b.zip').click()
    expect((await one).suggestedFilename()).toBe('b.zip')
    expect(offences).toEqual([])
  })

  test('that the server refuses show why, and an ended link ends the page', async () => {
    const folder = await buildFolder(anna, 'Going')
    const file = await buildFile(anna, { name: 'gone.txt', parent_id: folder.id }, 'x')
    const { page } = await visit(await buildLinkPath(anna, folder))
    await row(page, 'gone.txt').hover()
    await anna.call(trashFile, { id: file.id })
    await button(page, 'Download gone.txt').click()
    await page.getByRole('alert').getByText('Download failed').waitFor()
    await anna.call(trashFile, { id: folder.id })
    await button(page, 'Download all').click()
    await page.getByRole('heading', { name: 'This link does not work (any more)' }).waitFor()
  })
})

test('the keyboard alone moves, selects, opens and goes up', async () => {
  const { page } = await visit(path)
  await row(page, 'c.txt').waitFor()
  await press(page, 'ArrowDown', 'ArrowDown', 'Space', 'Shift+ArrowDown')
  await page.getByText('2 selected').waitFor()
  await press(page, 'Escape')
  await page.getByText('2 selected').waitFor({ state: 'detached' })
  await press(page, 'Control+a')
  await page.getByText('4 selected').waitFor()
  await press(page, 'Escape', 'Home', 'Enter')
  await row(page, 'deep.txt').waitFor()
  await press(page, 'Backspace')
  await row(page, 'c.txt').waitFor()
})

test('thousands of files come while the visitor scrolls, and all of them can be selected', async () => {
  const folder = await buildFolder(anna, 'Many')
  await plantFiles(server, anna, folder.id, 1200)
  const { page, offences } = await visit(await buildLinkPath(anna, folder))
  await page.getByText('1,200 items').waitFor()
  await page.locator('[data-index="0"]').click({ modifiers: ['Control'] })
  await page.getByText('1 selected').waitFor()
  await press(page, 'End')
  await page.locator('[data-index="1199"]:not([aria-label=Loading])').waitFor()
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  await page.getByText('1,200 selected').waitFor()
  await button(page, 'Download').click()
  await page.getByText('Select at most 1,000 items').waitFor()
  expect(await findBarriers(page)).toEqual([])
  expect(offences).toEqual([])
})

test('an empty folder and one that is gone say so', async () => {
  const folder = await buildFolder(anna, 'Bare')
  const inner = await buildFolder(anna, 'Brief', folder.id)
  const bare = await buildLinkPath(anna, inner)
  const { page, offences } = await visit(bare)
  await page.getByText('This folder is empty').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await page.goto(`${await buildLinkPath(anna, folder)}?folder=${inner.id}`)
  await page.getByText('This folder is empty').waitFor()
  await anna.call(trashFile, { id: inner.id })
  await page.reload()
  await page.getByText('This folder is not here any more').waitFor()
  await button(page, 'Go to the first folder').click()
  await heading(page, 'Bare')
  expect(offences).toEqual([])
})

test('with limited downloads there are neither thumbnails nor previews, and looking at a file uses up none', async () => {
  const folder = await buildFolder(anna, 'Rare')
  for (const name of ['a.png', 'b.png']) {
    await buildFile(anna, { name, parent_id: folder.id }, await drawImage(64, 48).as('png'))
  }
  const { page, offences } = await visit(await buildLinkPath(anna, folder, { max_downloads: 5 }))
  await page.getByText('5 downloads left').waitFor()
  await page.getByRole('link', { name: 'a.png' }).click()
  await dialog(page, 'a.png').getByText('The downloads of this link are limited').waitFor()
  await page.keyboard.press('ArrowRight')
  await dialog(page, 'b.png').getByText('The downloads of this link are limited').waitFor()
  expect(await page.locator('img').count()).toBe(0)
  expect(await findBarriers(page)).toEqual([])
  const download = page.waitForEvent('download')
  await dialog(page, 'b.png').getByRole('button', { name: 'Download' }).last().click()
  expect((await download).suggestedFilename()).toBe('b.png')
  await page.keyboard.press('Escape')
  await page.getByText('4 downloads left').waitFor()
  expect(offences).toEqual([])
})

test('on a narrow phone everything fits, and a finger selects', async () => {
  const folder = await buildFolder(anna, 'A folder whose name is much too long for the window of a phone')
  await buildFile(anna, { name: `${'W'.repeat(120)}.txt`, parent_id: folder.id }, 'x')
  const inner = await buildFolder(anna, 'Inner folder with a long name as well', folder.id)
  await buildFile(anna, { name: 'deep.txt', parent_id: inner.id }, 'deep')
  const { page, offences } = await visit(await buildLinkPath(anna, folder), {
    ...phone,
    viewport: { width: 320, height: 640 },
  })
  await page.getByRole('row', { name: 'Inner folder' }).waitFor()
  expect(await overflowOf(page)).toBe(0)
  expect(await findBarriersInBothThemes(page)).toEqual([])
  const top = async () => (await page.getByRole('row', { name: 'Inner folder' }).boundingBox())?.y
  const before = await top()
  await page.getByRole('checkbox', { name: /^Select W/ }).tap()
  await page.getByText('1 selected').waitFor()
  expect(await top()).toBe(before)
  expect(await findBarriers(page)).toEqual([])
  await button(page, 'Clear selection').tap()
  await page.getByRole('row', { name: 'Inner folder' }).tap()
  await row(page, 'deep.txt').waitFor()
  expect(await overflowOf(page)).toBe(0)
  await row(page, 'deep.txt').tap()
  await dialog(page, 'deep.txt').getByText('deep', { exact: true }).waitFor()
  expect(await overflowOf(page)).toBe(0)
  expect(offences).toEqual([])
})
