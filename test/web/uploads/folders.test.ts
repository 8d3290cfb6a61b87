/**
 * Dropped folders in the page's upload queue: their contents, entries that cannot be read, and folders that cannot be
 * made.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call } from '../../../src/api/client.ts'
import { createFolder, listFiles } from '../../../src/api/files.ts'
import { trashFile } from '../../../src/api/trash.ts'
import { retryFailed } from '../../../web/lib/uploads/add-uploads.ts'
import { answerClash } from '../../../web/lib/uploads/clashes.ts'
import { sendElsewhere } from '../../../web/lib/uploads/elsewhere.ts'
import { cancelUpload } from '../../../web/lib/uploads/queue.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../../support/factories.ts'
import { startServer } from '../../support/server.ts'
import type { TestServer } from '../../support/test-server.ts'
import { fileEntry, folderEntry, openUploadPage, refuseMany, rowOf, statuses, textFile } from './page.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** Every path below a folder, folders with a slash at the end. */
async function treeOf(user: BuiltUser, folderId: number | null = null, above = ''): Promise<string[]> {
  const { files, folders } = await user.call(listFiles, { parent_id: folderId })
  const below = await Promise.all(folders.map(({ id, name }) => treeOf(user, id, `${above}${name}/`)))
  const own = [...files.map(({ name }) => `${above}${name}`), ...folders.map(({ name }) => `${above}${name}/`)]
  return [...own, ...below.flat()].sort()
}

const photos = () =>
  folderEntry('Photos', [
    fileEntry(textFile('index.txt')),
    folderEntry('2026', [fileEntry(textFile('a.txt'))]),
    folderEntry('Empty', [folderEntry('Emptier', [])]),
  ])
const allOfPhotos = ['Photos/', 'Photos/2026/', 'Photos/2026/a.txt', 'Photos/Empty/', 'Photos/Empty/Emptier/']
const many = (count: number) =>
  folderEntry(
    'Many',
    Array.from({ length: count }, (_, index) => fileEntry(textFile(`${index}.txt`, 'x'))),
  )

/** The user's calls, with `instead` in place of those that make folders. */
const withFolders = (user: BuiltUser, instead: (made: Call, input: never) => Promise<unknown>): Call =>
  ((endpoint, input) =>
    endpoint.path === createFolder.path ? instead(user.call, input as never) : user.call(endpoint, input)) as Call

test('every one of 80 files in a folder is uploaded by itself, and the folder is made once', async () => {
  const user = await buildUser(server)
  let made = 0
  const call = withFolders(user, (whole, input) => {
    made += 1
    return whole(createFolder, input)
  })
  const page = openUploadPage(user, { call, sendMany: refuseMany })
  await page.add([], [many(80)])
  await expect.poll(() => statuses(page), { timeout: 30_000 }).toEqual({})
  expect(await treeOf(user)).toHaveLength(81)
  expect(made).toBe(1)
})

test('a folder is made with all its files once the server is back', async () => {
  const user = await buildUser(server)
  let isThere = false
  const call = withFolders(user, async (whole, input) => {
    if (!isThere) throw new TypeError('Failed to fetch')
    return whole(createFolder, input)
  })
  const page = openUploadPage(user, {
    call,
    sendMany: refuseMany,
    waitForServer: async () => {
      isThere = true
    },
  })
  await page.add([], [many(20)])
  await expect.poll(() => statuses(page)).toEqual({})
  expect(await treeOf(user)).toHaveLength(21)
})

test('a folder fails when the request to make it fails although the server is reachable', async () => {
  const user = await buildUser(server)
  const call = withFolders(user, async () => {
    throw new TypeError('Failed to fetch')
  })
  const page = openUploadPage(user, { call, sendMany: refuseMany })
  await page.add([], [photos()])
  await expect.poll(() => new Set(Object.values(statuses(page)))).toEqual(new Set(['error']))
  expect(rowOf(page, 'index.txt').note).toBe('Failed to create folder')
})

test('the files of a folder that the server refuses fail with the reason, and can all be retried', async () => {
  const user = await buildUser(server)
  const inTheWay = await buildFile(user, { name: 'Photos' })
  const page = openUploadPage(user)
  await page.add([textFile('beside.txt')], [photos()])
  await expect.poll(() => statuses(page)).toEqual({ 'index.txt': 'error', 'a.txt': 'error', Emptier: 'error' })
  expect(rowOf(page, 'index.txt').note).toBe("'Photos' is already taken")
  await user.call(trashFile, { id: inTheWay.id })
  retryFailed(page.uploads)
  await expect.poll(() => statuses(page)).toEqual({})
  expect(await treeOf(user)).toEqual([...allOfPhotos, 'Photos/index.txt', 'beside.txt'].sort())
})

test('files are counted while folders are read, and unreadable entries stay with an error', async () => {
  const user = await buildUser(server)
  const page = openUploadPage(user)
  const fail = (_done: unknown, failed: (error: DOMException) => void) =>
    failed(new DOMException('', 'NotReadableError'))
  const locked = { name: 'locked', isDirectory: true, createReader: () => ({ readEntries: fail }) }
  const gone = { name: 'gone.txt', isDirectory: false, file: fail }
  const entries = [locked, gone, fileEntry(textFile('good.txt'))] as unknown as FileSystemEntry[]
  const added = page.add([], [folderEntry('Odd', entries)])
  expect(page.uploads.useReading.getState()).toEqual({ files: 0 })
  await added
  expect(page.uploads.useReading.getState()).toEqual({ files: null })
  expect(rowOf(page, 'gone.txt')).toMatchObject({ status: 'error', note: 'The file cannot be read' })
  expect(rowOf(page, 'locked')).toMatchObject({ status: 'error', note: 'The folder cannot be read' })
  await expect.poll(() => treeOf(user)).toEqual(['Odd/', 'Odd/good.txt'])
})

test('an upload restored by Undo while its folder is being made is uploaded once', async () => {
  const user = await buildUser(server)
  let letGo = (): void => undefined
  const held = new Promise<void>(resolve => {
    letGo = resolve
  })
  const call = withFolders(user, async (whole, input) => {
    await held
    return whole(createFolder, input)
  })
  const page = openUploadPage(user, { call })
  await page.add([], [folderEntry('Single', [fileEntry(textFile('only.txt'))])])
  cancelUpload(page.uploads, rowOf(page, 'only.txt').id)
  page.offers[0]?.undo()
  expect(statuses(page)).toEqual({ 'only.txt': 'uploading' })
  letGo()
  await expect.poll(() => statuses(page)).toEqual({})
  expect(await treeOf(user)).toEqual(['Single/', 'Single/only.txt'])
  expect(page.sent).toEqual(['only.txt'])
})

test('what has lost its folder goes into another one, with the folders around it', async () => {
  const user = await buildUser(server)
  const [gone, other] = [await buildFolder(user, 'Gone'), await buildFolder(user, 'Other')]
  const page = openUploadPage(user)
  await user.call(trashFile, { id: gone.id })
  await page.add([textFile('single.txt')], [photos()], gone.id)
  const lost = { 'single.txt': 'error', 'a.txt': 'error', 'index.txt': 'error', Emptier: 'error' }
  await expect.poll(() => statuses(page)).toEqual(lost)
  sendElsewhere(page.uploads, { id: other.id, name: 'Other' })
  await expect.poll(() => statuses(page)).toEqual({})
  expect(await treeOf(user, other.id)).toEqual([...allOfPhotos, 'Photos/index.txt', 'single.txt'].sort())
})

test('an answer for the old folder replaces nothing in the other one', async () => {
  const user = await buildUser(server)
  const [gone, other] = [await buildFolder(user, 'Gone'), await buildFolder(user, 'Other')]
  await buildFile(user, { name: 'a.txt', parent_id: gone.id }, 'old')
  await buildFile(user, { name: 'a.txt', parent_id: other.id }, 'kept')
  const page = openUploadPage(user)
  await page.add([textFile('a.txt')], [], gone.id)
  await expect.poll(() => statuses(page)).toEqual({ 'a.txt': 'clashing' })
  await user.call(trashFile, { id: gone.id })
  answerClash(page.uploads, rowOf(page, 'a.txt'), 'replace', true)
  await expect.poll(() => statuses(page)).toEqual({ 'a.txt': 'error' })
  sendElsewhere(page.uploads, { id: other.id, name: 'Other' })
  await expect.poll(() => statuses(page)).toEqual({ 'a.txt': 'clashing' })
  expect((await user.call(listFiles, { parent_id: other.id })).files).toMatchObject([{ size: 'kept'.length }])
})
