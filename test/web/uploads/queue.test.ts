/** The page's upload queue: order, failures, pauses, ended sessions, and Undo. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listFiles } from '../../../src/api/files.ts'
import type { FileItem } from '../../../src/api/items.ts'
import { retryFailed, retryUploads } from '../../../web/lib/uploads/add-uploads.ts'
import { cancelUpload, decide, dismissFailed } from '../../../web/lib/uploads/queue.ts'
import { readItem, type UploadRequest } from '../../../web/lib/uploads/upload-form.ts'
import { signIn } from '../../support/client.ts'
import { type BuiltUser, buildFile, buildUser, turnSettings } from '../../support/factories.ts'
import { startServer } from '../../support/server.ts'
import type { TestServer } from '../../support/test-server.ts'
import { breakLine, openUploadPage, rowOf, statuses, textFile } from './page.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const totalOf = async (user: BuiltUser): Promise<number> => (await user.call(listFiles, {})).total
const numbered = (count: number, text = 'x'): File[] =>
  Array.from({ length: count }, (_, index) => textFile(`${index}.txt`, text))

/** Holds every upload until the test ends it. */
function holdUploads() {
  const held: { request: UploadRequest; answer: (item: FileItem) => void; refuse: (error: unknown) => void }[] = []
  const send = (request: UploadRequest) =>
    new Promise<FileItem>((answer, refuse) => held.push({ request, answer, refuse }))
  return { held, send }
}

test('all of many files are uploaded, and their rows disappear', async () => {
  const user = await buildUser(server)
  const page = openUploadPage(user)
  await page.add(numbered(120))
  await expect.poll(() => statuses(page), { timeout: 30_000 }).toEqual({})
  expect(await totalOf(user)).toBe(120)
  expect(page.tray.getState().isOpen).toBe(false)
})

test('an arrived file says in words under which name, that it waits for approval, or nothing', async () => {
  const admin = await signIn(server.url, server.adminName, server.adminPassword)
  const user = await buildUser(server)
  const page = openUploadPage(user, { after: () => undefined })
  const noteOf = (name: string) => {
    const { status, note } = rowOf(page, name)
    return status === 'completed' ? note : status
  }
  await page.add([textFile('plain.txt')])
  await expect.poll(() => noteOf('plain.txt')).toBe(null)
  await turnSettings(admin, { validation_enabled: true })
  await page.add([textFile('held.txt')])
  await expect.poll(() => noteOf('held.txt')).toBe('waits for approval')
  await buildFile(user, { name: 'taken.txt' })
  await page.add([textFile('taken.txt', 'other')])
  await expect.poll(() => rowOf(page, 'taken.txt').status).toBe('clashing')
  decide(page.uploads, [rowOf(page, 'taken.txt').id], 'rename')
  await expect.poll(() => noteOf('taken.txt')).toBe('saved as taken (1).txt · waits for approval')
  await turnSettings(admin, { validation_enabled: false })
})

test('six small files by themselves or two large ones are uploaded at once, in the order of their addition', async () => {
  const user = await buildUser(server)
  const { held, send } = holdUploads()
  const page = openUploadPage(user, { send })
  const large = Array.from({ length: 3 }, (_, index) => new File([new Uint8Array(1024 ** 2)], `large ${index}`))
  await page.add([...large, ...numbered(8)])
  await expect.poll(() => page.sent).toEqual(['large 0', 'large 1', '0.txt', '1.txt', '2.txt', '3.txt'])
  held[2]?.refuse(new Error('refused'))
  await expect.poll(() => page.sent.slice(6)).toEqual(['4.txt'])
  held[0]?.refuse(new Error('refused'))
  await expect.poll(() => page.sent.slice(7)).toEqual(['large 2'])
})

test('a file above the size limit fails at once without being sent, and cannot be retried', async () => {
  const user = await buildUser(server)
  const page = openUploadPage(user, { maxFileSize: 8 * 1024 ** 2 })
  await page.add([new File([new Uint8Array(9 * 1024 ** 2)], 'large.bin')])
  expect(rowOf(page, 'large.bin')).toMatchObject({ status: 'error', note: 'File is larger than 8MB' })
  retryFailed(page.uploads)
  expect(rowOf(page, 'large.bin').status).toBe('error')
  expect(page.sent).toEqual([])
})

describe('an answer', () => {
  test.each([
    ['no JSON', 201, 'done', 'Invalid response format'],
    ['no item', 201, '{"success":true,"message":"OK","data":null}', 'Invalid response format'],
    ['a bare status', 502, '<html>', 'HTTP 502'],
    ['a sentence', 500, '{"success":false,"message":"Out of order","error":"internal"}', 'Out of order'],
  ])('with %s fails the row with a message', async (_what, status, body, words) => {
    const user = await buildUser(server)
    const page = openUploadPage(user, { send: async () => readItem(status, body, null) })
    await page.add([textFile('a.txt')])
    await expect.poll(() => rowOf(page, 'a.txt')).toMatchObject({ status: 'error', note: words })
  })
})

test("a refused file stays with the server's message, and the others are uploaded", async () => {
  const user = await buildUser(server)
  const page = openUploadPage(user)
  await page.add([textFile('a.txt'), textFile('bad/name.txt'), textFile('b.txt')])
  await expect.poll(() => statuses(page)).toEqual({ 'bad/name.txt': 'error' })
  expect(rowOf(page, 'bad/name.txt').note).toMatch(/name/i)
  expect(await totalOf(user)).toBe(2)
})

test('uploads stop once the account is full, and Retry all continues', async () => {
  const user = await buildUser(server, { storageQuota: 1_000_000 })
  const page = openUploadPage(user)
  await page.add(numbered(300, 'x'.repeat(100_000)))
  await expect.poll(() => Object.values(statuses(page))).toEqual(Array.from({ length: 290 }, () => 'error'))
  expect(rowOf(page, '299.txt').note).toBe('Storage quota exceeded')
  expect(page.groups).toHaveLength(6)
  expect(await totalOf(user)).toBe(10)
  const { db } = server.deps
  await db.touch(() => db.change('UPDATE spaces SET storage_quota = 100000000 WHERE owner_id = $1', [user.id]))
  retryFailed(page.uploads)
  await expect.poll(() => statuses(page)).toEqual({})
  expect(await totalOf(user)).toBe(300)
})

test('uploads wait as long as the server asks, and then all complete', async () => {
  const user = await buildUser(server)
  const whole = openUploadPage(user).uploads.deps.send
  const waits: (() => void)[] = []
  let refusals = 2
  const page = openUploadPage(user, {
    send: async request => {
      refusals -= 1
      return refusals < 0 ? whole(request) : readItem(429, '', '30')
    },
    after: (milliseconds, run) => (milliseconds > 10_000 ? void waits.push(run) : void setTimeout(run, 0)),
  })
  await page.add(['a.txt', 'b.txt', 'c.txt'].map(name => textFile(name)))
  await expect.poll(() => waits.length).toBeGreaterThan(0)
  const { until } = page.uploads.usePause.getState()
  expect((until ?? 0) - Date.now()).toBeGreaterThan(20_000)
  const before = page.sent.length
  await page.add([textFile('d.txt')])
  expect(page.sent).toHaveLength(before)
  for (const end of waits) end()
  await expect.poll(() => statuses(page)).toEqual({})
  expect(await totalOf(user)).toBe(4)
})

describe('a session that ends', () => {
  test('holds uploads until the same user is back', async () => {
    const user = await buildUser(server)
    const { held, send } = holdUploads()
    const page = openUploadPage(user, { send })
    await page.add(numbered(10))
    await expect.poll(() => page.sent).toHaveLength(6)
    page.session.setState({ user: { id: user.id }, isAuthenticated: false })
    for (const { refuse } of held.splice(0)) {
      try {
        readItem(401, '{"success":false,"message":"Sign in to continue","error":"unauthenticated"}', null)
      } catch (error) {
        refuse(error)
      }
    }
    await expect.poll(() => new Set(Object.values(statuses(page)))).toEqual(new Set(['waiting']))
    expect(page.sent).toHaveLength(6)
    page.session.setState({ user: { id: user.id }, isAuthenticated: true })
    await expect.poll(() => page.sent).toHaveLength(12)
  })

  test('removes the uploads when another user signs in', async () => {
    const user = await buildUser(server)
    const { send } = holdUploads()
    const page = openUploadPage(user, { send })
    await page.add(numbered(10))
    page.session.setState({ user: { id: user.id }, isAuthenticated: false })
    page.session.setState({ user: { id: user.id + 1 }, isAuthenticated: true })
    expect(statuses(page)).toEqual({})
    expect(page.tray.getState().isOpen).toBe(false)
  })
})

test('uploads wait when the server goes away, and all go on when it is back', async () => {
  const user = await buildUser(server)
  const whole = openUploadPage(user).uploads.deps.send
  let comeBack = (): void => undefined
  const back = new Promise<void>(resolve => {
    comeBack = resolve
  })
  let isThere = false
  const page = openUploadPage(user, {
    send: request => (isThere ? whole(request) : breakLine()),
    waitForServer: () => back,
  })
  await page.add(numbered(30))
  await expect.poll(() => page.sent).toHaveLength(6)
  await expect.poll(() => Object.values(statuses(page))).toEqual(Array.from({ length: 30 }, () => 'waiting'))
  isThere = true
  comeBack()
  await expect.poll(() => statuses(page)).toEqual({})
  expect(await totalOf(user)).toBe(30)
})

test('an upload whose line breaks again and again fails, and can be retried', async () => {
  const user = await buildUser(server)
  const whole = openUploadPage(user).uploads.deps.send
  let isThere = false
  const page = openUploadPage(user, { send: request => (isThere ? whole(request) : breakLine()) })
  await page.add(numbered(2))
  await expect.poll(() => Object.values(statuses(page))).toEqual(['error', 'error'])
  expect(page.sent).toHaveLength(8)
  expect(rowOf(page, '0.txt').note).toBe('Upload failed')
  isThere = true
  retryUploads(page.uploads, [rowOf(page, '0.txt').id])
  await expect.poll(() => statuses(page)['0.txt']).toBeUndefined()
  retryFailed(page.uploads)
  await expect.poll(() => statuses(page)).toEqual({})
  expect(await totalOf(user)).toBe(2)
})

test('a cancelled upload is aborted, and Undo restarts it', async () => {
  const user = await buildUser(server)
  const { held, send } = holdUploads()
  const page = openUploadPage(user, { send })
  await page.add([textFile('slow.bin')])
  cancelUpload(page.uploads, rowOf(page, 'slow.bin').id)
  expect(held[0]?.request.signal.aborted).toBe(true)
  expect(statuses(page)).toEqual({})
  expect(page.offers.map(({ message }) => message)).toEqual(['Upload cancelled'])
  page.offers[0]?.undo()
  expect(page.tray.getState().isOpen).toBe(true)
  expect(statuses(page)).toEqual({ 'slow.bin': 'uploading' })
  await expect.poll(() => page.sent).toEqual(['slow.bin', 'slow.bin'])
})

test('failed uploads that were dismissed are restored by Undo', async () => {
  const user = await buildUser(server)
  const whole = openUploadPage(user).uploads.deps.send
  let isBroken = true
  const page = openUploadPage(user, { send: request => (isBroken ? breakLine() : whole(request)) })
  await page.add([textFile('a.txt'), textFile('b.txt')])
  await expect.poll(() => statuses(page)).toEqual({ 'a.txt': 'error', 'b.txt': 'error' })
  dismissFailed(page.uploads)
  expect(statuses(page)).toEqual({})
  expect(page.offers.map(({ message }) => message)).toEqual(['2 failed uploads dismissed'])
  isBroken = false
  page.offers[0]?.undo()
  retryFailed(page.uploads)
  await expect.poll(() => statuses(page)).toEqual({})
  expect(await totalOf(user)).toBe(2)
})

test('closing the tray cancels all unfinished uploads', async () => {
  const user = await buildUser(server)
  const { held, send } = holdUploads()
  const page = openUploadPage(user, { send })
  await page.add(numbered(10))
  await expect.poll(() => page.sent).toHaveLength(6)
  page.tray.setState({ isOpen: false })
  expect(statuses(page)).toEqual({})
  expect(held.every(({ request }) => request.signal.aborted)).toBe(true)
  expect(page.sent).toHaveLength(6)
})
