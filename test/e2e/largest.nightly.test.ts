/** What takes the storage: the largest files, from the overview's kinds to a file in its folder, and sizes of folders. */
import { expect, test } from 'vitest'
import { listTrash, trashFile } from '../../src/api/trash.ts'
import { buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { findBarriersInBothThemes } from './accessible.ts'
import { enter, listedNames, phone, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

async function buildOwner() {
  const user = await buildUser(server)
  const folder = await buildFolder(user, 'Papers')
  const inner = await buildFolder(user, 'Inner', folder.id)
  await buildFile(user, { name: 'middle.txt', parent_id: inner.id }, 'x'.repeat(2048))
  await buildFile(user, { name: 'large.csv', parent_id: folder.id }, 'x'.repeat(4096))
  await buildFile(user, { name: 'small.txt' }, 'x')
  const gone = await buildFile(user, { name: 'gone.txt' }, 'x'.repeat(1024))
  await user.call(trashFile, { id: gone.id })
  return { user, folder }
}

test('a kind of the overview leads to its largest files, and these to their folder and the trash', async () => {
  const { user, folder } = await buildOwner()
  const { page, offences } = await browser.open()
  await enter(page, user, '/overview')
  await page.getByRole('link', { name: 'Show the largest files' }).click()
  await page.getByRole('heading', { name: 'Largest files' }).waitFor()
  await expect.poll(() => listedNames(page)).toEqual(['large.csv', 'middle.txt', 'small.txt'])
  await page.getByText('1.00 KB of it by the trash').waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
  await page.goBack()
  await page.getByRole('region', { name: 'Storage' }).getByRole('link', { name: 'Documents' }).click()
  await expect.poll(() => listedNames(page)).toEqual(['middle.txt', 'small.txt'])
  expect(await page.getByLabel('Kind of files').inputValue()).toBe('document')
  await row(page, 'middle.txt').focus()
  await page.keyboard.press('Delete')
  await expect.poll(() => listedNames(page)).toEqual(['small.txt'])
  await expect.poll(async () => (await user.call(listTrash, {})).total).toBe(2)
  await page.getByLabel('Kind of files').selectOption('All kinds')
  await row(page, 'large.csv').focus()
  await page.keyboard.press('f')
  await page.waitForURL(`**/files/${folder.id}**`)
  await page.goBack()
  await page.getByLabel('Kind of files').selectOption('Videos')
  await page.getByText('No videos').waitFor()
  await page.getByRole('link', { name: 'trash', exact: true }).click()
  await row(page, 'gone.txt').waitFor()
  expect(offences).toEqual([])
})

test('what is there twice is found from the overview, and no more once one of both is deleted', async () => {
  const user = await buildUser(server)
  const folder = await buildFolder(user, 'Old')
  await buildFile(user, { name: 'film.mp4' }, 'f'.repeat(2048))
  await buildFile(user, { name: 'film copy.mp4', parent_id: folder.id }, 'f'.repeat(2048))
  await buildFile(user, { name: 'note.txt' }, 'note')
  await buildFile(user, { name: 'note too.txt' }, 'note')
  await buildFile(user, { name: 'once.txt' }, 'once')
  const { page, offences } = await browser.open()
  await enter(page, user, '/overview')
  await page.getByRole('link', { name: 'Show duplicates' }).click()
  await page.getByRole('heading', { name: 'Duplicates' }).waitFor()
  await expect.poll(() => listedNames(page)).toEqual(['film copy.mp4', 'film.mp4', 'note too.txt', 'note.txt'])
  await row(page, 'film copy.mp4').getByText('/Old').waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
  await page.getByLabel('Kind of files').selectOption('Videos')
  await expect.poll(() => listedNames(page)).toEqual(['film copy.mp4', 'film.mp4'])
  await row(page, 'film copy.mp4').focus()
  await page.keyboard.press('Delete')
  await page.getByText('No videos are here twice').waitFor()
  await page.reload()
  await page.getByText('No videos are here twice').waitFor()
  await page.getByLabel('Which files').selectOption('Largest files')
  await expect.poll(() => listedNames(page)).toEqual(['film.mp4'])
  expect(offences).toEqual([])
})

test('a phone shows them, too', async () => {
  const { user } = await buildOwner()
  const { page } = await browser.open(phone)
  await enter(page, user, '/overview/largest?kind=sheet')
  await expect.poll(() => listedNames(page)).toEqual(['large.csv'])
  expect(await findBarriersInBothThemes(page)).toEqual([])
})

test('the details of a folder tell the size of all that is in it', async () => {
  const { user } = await buildOwner()
  const { page } = await browser.open()
  await enter(page, user, '/files')
  await row(page, 'Papers').click()
  await page.keyboard.press('i')
  await page.getByText('1 folder, 1 file', { exact: true }).waitFor()
  await page.getByText('6.00 KB in 2 files', { exact: true }).waitFor()
})
