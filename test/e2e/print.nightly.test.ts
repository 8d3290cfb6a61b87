/** What is printed of lists: all their rows, and nothing else of the page. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { favoriteFile } from '../../src/api/files.ts'
import { tagFiles } from '../../src/api/tags.ts'
import { trashFile } from '../../src/api/trash.ts'
import { type BuiltUser, buildFile, buildFolder, buildTag, buildUser, turnSettings } from '../support/factories.ts'
import { drawImage } from '../support/images.ts'
import { plantFiles } from '../support/planted.ts'
import { desktop, enter, phone, row } from './browser.ts'
import { printByKey, printedText, printScreen, readyToPrint } from './paper.ts'
import { browser, openSite, server } from './site.ts'

openSite()

/** Files that no window of the tests shows all at once. */
const names = Array.from({ length: 30 }, (_, index) => `paper ${String(index).padStart(2, '0')}.txt`)

async function buildPapers(): Promise<{ user: BuiltUser; ids: number[] }> {
  const user = await buildUser(server)
  const ids: number[] = []
  for (const name of names) ids.push((await buildFile(user, { name }, 'x'.repeat(2048))).id)
  return { user, ids }
}

const low = { viewport: { width: 1280, height: 400 } }

describe('a folder', () => {
  test('is printed with the tags, sizes and dates of all its rows, and without bars and menus', async () => {
    const { user, ids } = await buildPapers()
    await buildFolder(user, 'Contracts')
    for (const name of ['urgent', 'paid', 'signed']) {
      await user.call(tagFiles, { tag_id: (await buildTag(user, name)).id, file_ids: ids.slice(-1) })
    }
    const { page, offences } = await browser.open(low)
    await enter(page, user)
    await row(page, 'Contracts').waitFor()
    const text = await printedText(page)
    for (const name of [...names, 'Contracts', 'Home', '31 items', '1 folder, 30 files']) expect(text).toContain(name)
    expect(text).toMatch(/paper 29\.txt +paid +signed +urgent +2\.00 KB +\d\d \w{3} 20\d\d, \d\d:\d\d/)
    for (const word of ['Upload', 'New Folder', 'Search', 'Trash', 'Logout']) expect(text).not.toContain(word)
    expect(offences).toEqual([])
  })

  test('is printed black on white also in the dark scheme, which returns afterwards', async () => {
    const { user } = await buildPapers()
    const { page } = await browser.open({ ...desktop, colorScheme: 'dark' })
    await enter(page, user)
    await row(page, 'paper 00.txt').waitFor()
    await readyToPrint(page)
    await page.emulateMedia({ media: 'print' })
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    const printed = page.getByRole('cell', { name: 'paper 29.txt' })
    expect(await printed.evaluate(cell => getComputedStyle(cell).color)).toBe('rgb(21, 23, 28)')
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect(await ground()).toBe('rgb(255, 255, 255)')
    await page.evaluate(() => dispatchEvent(new Event('afterprint')))
    await page.emulateMedia({ media: 'screen' })
    expect(await ground()).toBe('rgb(13, 14, 17)')
  })

  test('of thousands is printed whole by Ctrl+P, and by the menu as far as it is loaded', async () => {
    const user = await buildUser(server)
    const folder = await buildFolder(user)
    await plantFiles(server, user, folder.id, 2500)
    const { page, offences } = await browser.open()
    await enter(page, user, `/files/${folder.id}`)
    await row(page, 'Project 0').waitFor()
    expect(await printedText(page)).toContain('Only the first 200 of 2,500 are printed')
    const sheets = await printByKey(page)
    const text = sheets.map(sheet => sheet.text).join(' ')
    expect(text).not.toContain('Only the first')
    expect(text.match(/Report \d+ of the year\.pdf/g)).toHaveLength(2250)
    expect(sheets.every(sheet => sheet.text.includes('Size'))).toBe(true)
    expect(offences).toEqual([])
  })

  test('of too many items is printed up to a limit, which the paper states', async () => {
    const user = await buildUser(server)
    const folder = await buildFolder(user)
    await plantFiles(server, user, folder.id, 10_500)
    const { page } = await browser.open()
    await enter(page, user, `/files/${folder.id}`)
    await row(page, 'Project 0').waitFor()
    const text = (await printByKey(page)).map(sheet => sheet.text).join(' ')
    expect(text).toContain('Only the first 10,000 of 10,500 are printed')
  })

  test('shown as a grid is printed as one, with all pictures', async () => {
    const user = await buildUser(server)
    const picture = await drawImage(400, 300).as('jpeg')
    for (let index = 0; index < 24; index++) await buildFile(user, { name: `photo ${index}.jpg` }, picture)
    await buildFolder(user, 'Albums')
    const { page } = await browser.open(low)
    await enter(page, user)
    await page.getByRole('button', { name: 'Grid view' }).click()
    await page.getByText('photo 0.jpg').first().waitFor()
    const sheets = await printByKey(page)
    const text = sheets.map(sheet => sheet.text).join(' ')
    expect(sheets.reduce((sum, { pictures }) => sum + pictures, 0)).toBe(24)
    expect(text).toContain('photo 23.jpg')
    expect(text).toContain('Albums')
    expect(text).not.toContain('Upload')
  })

  test('is printed by a phone as by a desktop', async () => {
    const { user } = await buildPapers()
    const { page } = await browser.open(phone)
    await enter(page, user)
    await row(page, 'paper 00.txt').waitFor()
    const text = await printedText(page)
    for (const name of names) expect(text).toContain(name)
    expect(text).not.toContain('New Folder')
  })
})

describe('the rows of other lists are all printed', () => {
  const expectNames = async (page: Page, ...further: string[]) => {
    const text = await printedText(page)
    for (const name of [...names, ...further]) expect(text).toContain(name)
    expect(text).not.toContain('Logout')
  }

  test('of a search, with the folders and the text that was searched', async () => {
    const { user } = await buildPapers()
    const { page } = await browser.open(low)
    await enter(page, user, '/search?q=paper')
    await row(page, 'paper 29.txt').waitFor()
    await expectNames(page, 'Search Results', '“paper”', 'Folder')
  })

  test('of the favorites', async () => {
    const { user, ids } = await buildPapers()
    for (const id of ids) await user.call(favoriteFile, { id, is_favorite: true })
    const { page } = await browser.open(low)
    await enter(page, user, '/favorites')
    await page.getByRole('article').first().waitFor()
    await expectNames(page, 'Favorites', '2.00 KB')
  })

  test('of the trash', async () => {
    const { user, ids } = await buildPapers()
    for (const id of ids) await user.call(trashFile, { id })
    const { page } = await browser.open(low)
    await enter(page, user, '/trash')
    await row(page, 'paper 29.txt').waitFor()
    await expectNames(page, 'Trash', 'Days left')
  })

  test('of the validation queue, the tags and the audit log', async () => {
    const admin = await buildUser(server, { role: 'admin' })
    const owner = await buildUser(server)
    await turnSettings(admin, { validation_enabled: true })
    for (const name of names) await buildFile(owner, { name })
    await turnSettings(admin, { validation_enabled: false })
    for (const name of names) await buildTag(admin, name)
    const { page } = await browser.open(low)
    await enter(page, admin, '/validation')
    await page.getByRole('listitem', { name: 'paper 00.txt' }).waitFor()
    await expectNames(page, 'Validation Queue', owner.username)
    await page.goto('/tags')
    await row(page, 'paper 00.txt').waitFor()
    await expectNames(page, 'Tags')
    await page.goto('/settings/audit')
    await page.getByRole('table', { name: 'Audit log' }).waitFor()
    await expectNames(page, 'Audit', 'uploaded')
  })
})

test('a screen without a list is printed to its end', async () => {
  const user = await buildUser(server)
  const { page } = await browser.open(desktop)
  await enter(page, user, '/api-keys/documentation')
  await page.getByRole('heading', { name: 'Base URL' }).waitFor()
  const text = (await printScreen(page)).map(sheet => sheet.text).join(' ')
  expect(text).toContain('have no such limit')
  expect(text).not.toContain('Logout')
})
