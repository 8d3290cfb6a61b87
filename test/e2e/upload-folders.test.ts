/** Uploads of whole folders, dropped or chosen, and folders that cannot be read. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { enter, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'
import { dropPaths, tray, uploadRow } from './uploading.ts'

let disk: string

openSite()

beforeAll(async () => {
  disk = mkdtempSync(join(tmpdir(), 'filestore-tree-'))
  for (const folder of ['Photos/2026/May', 'Photos/Empty/Emptier']) {
    mkdirSync(join(disk, folder), { recursive: true })
  }
  for (const file of ['Photos/index.txt', 'Photos/2026/a.txt', 'Photos/2026/May/b – ünïcode 🎄.txt', 'beside.txt']) {
    writeFileSync(join(disk, file), file)
  }
  writeFileSync(join(disk, 'Photos/2026/May/nothing.txt'), '')
  mkdirSync(join(disk, 'Single'))
  writeFileSync(join(disk, 'Single/only.txt'), 'x')
  // More entries than a browser returns for a folder in one call.
  mkdirSync(join(disk, 'Many'))
  for (let index = 0; index < 230; index++) writeFileSync(join(disk, `Many/${index}.txt`), String(index))
})

afterAll(async () => {
  rmSync(disk, { recursive: true, force: true })
})

/** Every path below a folder: files with their sizes, folders with a slash at the end. */
async function treeOf(user: BuiltUser, folderId: number | null = null, above = ''): Promise<string[]> {
  const { files, folders } = await user.call(listFiles, { parent_id: folderId })
  const below = await Promise.all(folders.map(({ id, name }) => treeOf(user, id, `${above}${name}/`)))
  return [
    ...files.map(({ name, size }) => `${above}${name} ${size}`),
    ...folders.map(({ name }) => `${above}${name}/`),
    ...below.flat(),
  ].sort()
}

/** A file whose content is its own path. */
const selfNamed = (path: string): string => `${path} ${Buffer.byteLength(path)}`

const photos = [
  'Photos/',
  'Photos/2026/',
  'Photos/2026/May/',
  selfNamed('Photos/2026/May/b – ünïcode 🎄.txt'),
  'Photos/2026/May/nothing.txt 0',
  selfNamed('Photos/2026/a.txt'),
  selfNamed('Photos/index.txt'),
]

test('dropped folders are uploaded with all their contents, empty folders and a file beside them included', async () => {
  const user = await buildUser(server)
  const { page, offences } = await browser.open()
  await enter(page, user)
  await page.getByText('This folder is empty').waitFor()
  await dropPaths(page, [join(disk, 'Photos'), join(disk, 'beside.txt')])
  await row(page, 'Photos').waitFor()
  await tray(page).waitFor({ state: 'detached' })
  const all = [...photos, 'Photos/Empty/', 'Photos/Empty/Emptier/', 'beside.txt 10'].sort()
  await expect.poll(() => treeOf(user)).toEqual(all)
  expect(offences).toEqual([])
})

test('a chosen folder is uploaded with all its files, and merges with the folder of the same name', async () => {
  const user = await buildUser(server)
  const own = await buildFolder(user, 'Photos')
  await buildFile(user, { name: 'kept.txt', parent_id: own.id }, 'kept')
  const { page } = await browser.open()
  await enter(page, user)
  await page.getByRole('button', { name: 'More ways to upload' }).click()
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('menuitem', { name: 'Upload folder' }).click()
  await (await chooser).setFiles(join(disk, 'Photos'))
  await uploadRow(page, 'index.txt').getByText('Completed').waitFor()
  await tray(page).waitFor({ state: 'detached' })
  await expect.poll(() => treeOf(user)).toEqual([...photos, 'Photos/kept.txt 4'].sort())
})

test('the tray says that folders are being read, and shows an error for those that cannot be read', async () => {
  const user = await buildUser(server)
  const { page } = await browser.open()
  await enter(page, user)
  await page.getByText('This folder is empty').waitFor()
  const dataTransfer = await page.evaluateHandle(() => {
    const fail = (_done: unknown, failed: (error: DOMException) => void) =>
      failed(new DOMException('', 'NotReadableError'))
    const locked = { name: 'locked', isDirectory: true, createReader: () => ({ readEntries: fail }) }
    const gone = { name: 'gone.txt', isDirectory: false, file: fail }
    const good = {
      name: 'good.txt',
      isDirectory: false,
      file: (done: (file: File) => void) => done(new File(['x'], 'good.txt')),
    }
    const portions = [[locked, gone, good], []]
    const letOn = new Promise<void>(resolve => window.addEventListener('let-on', () => resolve()))
    const readEntries = (done: (entries: unknown) => void) => void letOn.then(() => done(portions.shift()))
    const folder = { name: 'Odd', isDirectory: true, createReader: () => ({ readEntries }) }
    DataTransferItem.prototype.webkitGetAsEntry = () => folder as unknown as FileSystemEntry
    const transfer = new DataTransfer()
    transfer.items.add(new File([], 'Odd'))
    return transfer
  })
  await page.getByRole('main').dispatchEvent('drop', { dataTransfer })
  await tray(page).getByRole('heading', { name: 'Reading folders…' }).waitFor()
  await page.evaluate(() => window.dispatchEvent(new Event('let-on')))
  await uploadRow(page, 'gone.txt').getByText('Failed · The file cannot be read').waitFor()
  await uploadRow(page, 'locked').getByText('Failed · The folder cannot be read').waitFor()
  await row(page, 'Odd').waitFor()
  await expect.poll(() => treeOf(user)).toEqual(['Odd/', 'Odd/good.txt 1'])
})
