/**
 * Downloads that the client does not read, each on a connection of its own: one user may hold a limited number of files
 * open.
 */
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { maxOpenFiles, maxStreams } from '../../src/api/limits.ts'
import type { TestClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildKey, buildUser } from '../support/factories.ts'
import { countOpenBlobs } from '../support/holdings.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openSocket, requestHead } from '../support/wire.ts'

let server: TestServer
let user: BuiltUser
let path: string
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
  path = `/api/files/${(await buildFile(user, {}, randomBytes(20 * 1024 ** 2))).id}/download`
})
afterAll(() => server.close())

/** The connections that received the beginning of their answer. */
const begun = new Set<Socket>()

async function download(what = path, client: TestClient = user): Promise<Socket> {
  const socket = await openSocket(server.url)
  socket.on('error', () => undefined)
  onTestFinished(() => {
    socket.destroy()
  })
  socket.once('data', () => {
    begun.add(socket)
    socket.pause()
  })
  socket.write(requestHead(server.url, 'GET', what, client.headers))
  return socket
}

test('downloads of one user begin up to the limit of open files, and each one that ends lets a waiting one begin', async () => {
  const sockets: Socket[] = []
  for (let count = 0; count < maxOpenFiles + 20; count++) sockets.push(await download())
  await expect.poll(() => begun.size).toBeGreaterThanOrEqual(maxOpenFiles)
  for (let round = 0; round < 50; round++) {
    await user.call(listFiles, {})
    expect(countOpenBlobs(server)).toBeLessThanOrEqual(maxOpenFiles)
  }
  const waiting = sockets.filter(socket => !begun.has(socket))
  expect(waiting).toHaveLength(20)
  // A waiting download whose client disconnects takes no place.
  for (const socket of waiting.splice(0, 5)) socket.destroy()
  for (const socket of [...begun].slice(0, 15)) socket.destroy()
  await expect.poll(() => waiting.every(socket => begun.has(socket))).toBe(true)
  await expect.poll(() => countOpenBlobs(server)).toBe(maxOpenFiles)
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => countOpenBlobs(server)).toBe(0)
  expect((await user.raw(path)).status).toBe(200)
})

test('a waiting download whose client disconnects is not recorded in the audit log', async () => {
  const wanted = await buildFile(user, {}, randomBytes(100_000))
  begun.clear()
  const sockets: Socket[] = []
  for (let count = 0; count < maxOpenFiles; count++) sockets.push(await download())
  await expect.poll(() => begun.size).toBe(maxOpenFiles)
  const waiting = [
    await download(`/api/files/${wanted.id}/download`),
    await download(`/api/files/${wanted.id}/preview`),
  ]
  for (let round = 0; round < 10; round++) await user.call(listFiles, {})
  for (const socket of waiting) socket.destroy()
  for (let round = 0; round < 10; round++) await user.call(listFiles, {})
  expect(begun.size).toBe(maxOpenFiles)
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => countOpenBlobs(server)).toBe(0)
  const { deps } = server
  const readings = async () => {
    await deps.journal.flush()
    return deps.db.rows(
      "SELECT action FROM events WHERE item_id = $1 AND action IN ('file.download', 'file.preview')",
      [wanted.id],
    )
  }
  expect(await readings()).toEqual([])
  expect((await user.raw(`/api/files/${wanted.id}/download`)).status).toBe(200)
  expect(await readings()).toEqual([{ action: 'file.download' }])
})

test('ZIP files of one session begin up to their limit, the others wait in order, and those of a key do not wait for them', async () => {
  const folder = await buildFolder(user)
  await buildFile(user, { parent_id: folder.id }, randomBytes(20 * 1024 ** 2))
  const [zip, key] = [`/api/files/${folder.id}/archive`, await buildKey(server, user, ['files:read'])]
  begun.clear()
  const sockets: Socket[] = []
  for (let count = 0; count < maxStreams + 3; count++) {
    sockets.push(await download(zip))
    await user.call(listFiles, {})
  }
  const areBegun = () => sockets.map(socket => begun.has(socket))
  const first = (count: number) => sockets.map((_, index) => index < count)
  await expect.poll(areBegun).toEqual(first(maxStreams))
  const ofKey = [await download(zip, key), await download(zip, key)]
  await expect.poll(() => ofKey.every(socket => begun.has(socket))).toBe(true)
  const single = await download()
  await expect.poll(() => begun.has(single)).toBe(true)
  expect(areBegun()).toEqual(first(maxStreams))
  sockets[1]?.destroy()
  await expect.poll(areBegun).toEqual(first(maxStreams + 1))
  for (const socket of [...sockets, ...ofKey, single]) socket.destroy()
  await expect.poll(() => countOpenBlobs(server)).toBe(0)
})
