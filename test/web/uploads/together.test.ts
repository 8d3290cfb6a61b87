/** Small files that the page's upload queue sends in one request: refusals and cancelling. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listFiles } from '../../../src/api/files.ts'
import { answerClash } from '../../../web/lib/uploads/clashes.ts'
import { cancelUpload } from '../../../web/lib/uploads/queue.ts'
import { buildFile, buildFolder, buildShare, buildUser } from '../../support/factories.ts'
import { startServer } from '../../support/server.ts'
import type { TestServer } from '../../support/test-server.ts'
import { abc, hold, namesIn, openWithFirst, untilAborted } from './groups.ts'
import { fileEntry, folderEntry, openUploadPage, rowOf, statuses, textFile } from './page.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

test('small files go together with the folders that they need, a large one by itself', async () => {
  const user = await buildUser(server)
  const page = openUploadPage(user)
  const large = new File([new Uint8Array(1024 ** 2)], 'large.bin')
  const inner = folderEntry('2026', [fileEntry(textFile('c.txt'))])
  await page.add([textFile('a.txt'), large, textFile('b.txt')], [folderEntry('Photos', [inner])])
  await expect.poll(() => statuses(page)).toEqual({})
  expect(page.groups).toEqual([['a.txt', 'b.txt', 'c.txt']])
  expect(page.sent).toEqual(['large.bin'])
  expect(await namesIn(user)).toEqual(['Photos', 'a.txt', 'b.txt', 'large.bin'])
  const { folders } = await user.call(listFiles, {})
  const [photos] = folders
  const [year] = (await user.call(listFiles, { parent_id: photos?.id ?? 0 })).folders
  expect(await namesIn(user, year?.id ?? 0)).toEqual(['c.txt'])
})

test('files and folders go into a folder that another user shares', async () => {
  const [owner, user] = [await buildUser(server), await buildUser(server)]
  const shared = await buildFolder(owner, 'Shared')
  await buildShare(owner, shared, user, 'edit')
  const page = openUploadPage(user)
  await page.add(abc(), [folderEntry('Photos', [fileEntry(textFile('d.txt'))])], shared.id)
  await expect.poll(() => statuses(page)).toEqual({})
  expect(page.groups).toEqual([['a.txt', 'b.txt', 'c.txt', 'd.txt']])
  expect(await namesIn(owner, shared.id)).toEqual(['Photos', 'a.txt', 'b.txt', 'c.txt'])
})

test('one request takes at most a hundred files and four megabytes', async () => {
  const user = await buildUser(server)
  const page = openUploadPage(user)
  const thin = Array.from({ length: 130 }, (_, index) => textFile(`${index}.txt`))
  const thick = Array.from({ length: 6 }, (_, index) => new File([new Uint8Array(900_000)], `thick ${index}`))
  await page.add([...thin, ...thick])
  await expect.poll(() => statuses(page)).toEqual({})
  expect(page.groups.map(({ length }) => length)).toEqual([100, 34, 2])
  expect((await user.call(listFiles, {})).total).toBe(136)
})

test('files that wait go in requests for their own folders once the session is back', async () => {
  const user = await buildUser(server)
  const [one, other] = [await buildFolder(user, 'one'), await buildFolder(user, 'other')]
  const page = openUploadPage(user)
  page.session.setState({ user: { id: user.id }, isAuthenticated: false })
  await page.add(abc().slice(0, 2), [], one.id)
  await page.add(abc().slice(1), [], other.id)
  page.session.setState({ user: { id: user.id }, isAuthenticated: true })
  await expect.poll(() => statuses(page)).toEqual({})
  expect(page.groups).toEqual([
    ['a.txt', 'b.txt'],
    ['b.txt', 'c.txt'],
  ])
  expect(await namesIn(user, one.id)).toEqual(['a.txt', 'b.txt'])
})

test('the progress of a request is shown file by file', async () => {
  const user = await buildUser(server)
  const { held, letGo } = hold()
  const page = openWithFirst(user, async (request, whole) => {
    request.onProgress(0.5)
    await held
    return whole(request)
  })
  await page.add(abc())
  await expect.poll(() => ['a.txt', 'b.txt', 'c.txt'].map(name => rowOf(page, name).sent)).toEqual([10, 5, 0])
  letGo()
  await expect.poll(() => statuses(page)).toEqual({})
})

describe('a refused file', () => {
  test('stays with the reason, and the others are uploaded', async () => {
    const user = await buildUser(server, { storageQuota: 1_000_000 })
    const page = openUploadPage(user)
    const big = new File([new Uint8Array(1_040_000)], 'big.bin')
    await page.add([textFile('a.txt'), textFile('bad/name.txt'), big, textFile('b.txt')])
    await expect.poll(() => statuses(page)).toEqual({ 'bad/name.txt': 'error', 'big.bin': 'error' })
    expect(rowOf(page, 'bad/name.txt').note).toMatch(/name/i)
    expect(rowOf(page, 'big.bin').note).toBe('Storage quota exceeded')
    expect(await namesIn(user)).toEqual(['a.txt', 'b.txt'])
  })

  test('whose name is taken waits for the answer, and is replaced together with others', async () => {
    const user = await buildUser(server)
    await Promise.all(['a.txt', 'b.txt'].map(name => buildFile(user, { name }, 'old')))
    const page = openUploadPage(user)
    await page.add(abc())
    await expect.poll(() => statuses(page)).toEqual({ 'a.txt': 'clashing', 'b.txt': 'clashing' })
    answerClash(page.uploads, rowOf(page, 'a.txt'), 'replace', true)
    await expect.poll(() => statuses(page)).toEqual({})
    expect(page.groups).toEqual([
      ['a.txt', 'b.txt', 'c.txt'],
      ['a.txt', 'b.txt'],
    ])
    expect((await user.call(listFiles, {})).files.map(({ size }) => size)).toEqual([10, 10, 10])
  })

  test('whose folder has the name of a file asks nothing, because its own name is free', async () => {
    const user = await buildUser(server)
    await buildFile(user, { name: 'Photos' })
    const page = openUploadPage(user)
    await page.add([textFile('b.txt')], [folderEntry('Photos', [fileEntry(textFile('a.txt'))])])
    await expect.poll(() => statuses(page)).toEqual({ 'a.txt': 'error' })
    expect(rowOf(page, 'a.txt').note).toBe("'Photos' is already taken")
  })
})

describe('cancelling one file of a request', () => {
  test('sends the others again, once each', async () => {
    const user = await buildUser(server)
    const page = openWithFirst(user, untilAborted)
    await page.add(abc())
    cancelUpload(page.uploads, rowOf(page, 'b.txt').id)
    await expect.poll(() => statuses(page)).toEqual({})
    expect(page.groups.slice(1)).toEqual([['a.txt', 'c.txt']])
    expect(await namesIn(user)).toEqual(['a.txt', 'c.txt'])
  })

  test('lets the request end when the server has all of it, and Undo does not store the file twice', async () => {
    const user = await buildUser(server)
    const { held, letGo } = hold()
    let isAborted = false
    const page = openWithFirst(user, async (request, whole) => {
      request.onSent()
      await held
      isAborted = request.signal.aborted
      return whole(request)
    })
    await page.add(abc())
    cancelUpload(page.uploads, rowOf(page, 'b.txt').id)
    letGo()
    await expect.poll(() => statuses(page)).toEqual({})
    expect([isAborted, page.groups.length]).toEqual([false, 1])
    page.offers[0]?.undo()
    await expect.poll(() => statuses(page)).toEqual({})
    expect([page.sent, await namesIn(user)]).toEqual([['b.txt'], ['a.txt', 'b.txt', 'c.txt']])
  })
})

test('closing the tray cancels a request with several files', async () => {
  const user = await buildUser(server)
  let isAborted = false
  const page = openUploadPage(user, {
    sendMany: request =>
      untilAborted(request).finally(() => {
        isAborted = request.signal.aborted
      }),
  })
  await page.add(abc())
  page.tray.setState({ isOpen: false })
  await expect.poll(() => isAborted).toBe(true)
  expect([statuses(page), page.groups.length]).toEqual([{}, 1])
})
