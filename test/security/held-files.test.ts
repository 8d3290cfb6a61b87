/** Downloads that nobody reads, each on a connection of its own: a user's sessions hold so many files and no more. */
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { maxSessionFiles } from '../../src/api/limits.ts'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
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

/** The connections that have got the beginning of their answer. */
const begun = new Set<Socket>()

async function download(what = path): Promise<Socket> {
  const socket = await openSocket(server.url)
  socket.on('error', () => undefined)
  onTestFinished(() => {
    socket.destroy()
  })
  socket.once('data', () => {
    begun.add(socket)
    socket.pause()
  })
  socket.write(requestHead(server.url, 'GET', what, user.headers))
  return socket
}

test('as many as one user may hold begin, the next wait, and each that has gone lets one of them begin', async () => {
  const sockets: Socket[] = []
  for (let count = 0; count < maxSessionFiles + 20; count++) sockets.push(await download())
  await expect.poll(() => begun.size).toBeGreaterThanOrEqual(maxSessionFiles)
  for (let round = 0; round < 50; round++) {
    await user.call(listFiles, {})
    expect(countOpenBlobs(server)).toBeLessThanOrEqual(maxSessionFiles)
  }
  const waiting = sockets.filter(socket => !begun.has(socket))
  expect(waiting).toHaveLength(20)
  // Who gives up while waiting takes no turn.
  for (const socket of waiting.splice(0, 5)) socket.destroy()
  for (const socket of [...begun].slice(0, 15)) socket.destroy()
  await expect.poll(() => waiting.every(socket => begun.has(socket))).toBe(true)
  await expect.poll(() => countOpenBlobs(server)).toBe(maxSessionFiles)
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => countOpenBlobs(server)).toBe(0)
  expect((await user.raw(path)).status).toBe(200)
})

test('who gives up while waiting is told to have downloaded nothing', async () => {
  const wanted = await buildFile(user, {}, randomBytes(100_000))
  begun.clear()
  const sockets: Socket[] = []
  for (let count = 0; count < maxSessionFiles; count++) sockets.push(await download())
  await expect.poll(() => begun.size).toBe(maxSessionFiles)
  const waiting = [
    await download(`/api/files/${wanted.id}/download`),
    await download(`/api/files/${wanted.id}/preview`),
  ]
  for (let round = 0; round < 10; round++) await user.call(listFiles, {})
  for (const socket of waiting) socket.destroy()
  for (let round = 0; round < 10; round++) await user.call(listFiles, {})
  expect(begun.size).toBe(maxSessionFiles)
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
