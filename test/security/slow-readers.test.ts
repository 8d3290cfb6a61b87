/** Downloads from an object store that their clients do not read: others still read and write. */
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { maxOpenFiles } from '../../src/api/limits.ts'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { type S3Server, startS3Server } from '../support/s3-server.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openSocket, requestHead } from '../support/wire.ts'

const megabyte = 1024 ** 2
/** More than the connections between the store, the server and the client hold. */
const large = 20 * megabyte

let store: S3Server
let server: TestServer
let holder: BuiltUser
let other: BuiltUser
beforeAll(async () => {
  store = await startS3Server()
  server = await startServer({ storage: store.flag })
  holder = await buildUser(server)
  other = await buildUser(server)
})
afterAll(async () => {
  await server.close()
  await store.close()
})

/** Begins downloads, and reads nothing but the beginning of each answer. Resolves when so many have begun. */
async function hold(count: number, begun: number, path: string): Promise<void> {
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  let began = 0
  for (let index = 0; index < count; index++) {
    const socket = await openSocket(server.url)
    sockets.push(socket.on('error', () => undefined))
    socket.once('data', () => {
      began += 1
      socket.pause()
    })
    socket.write(requestHead(server.url, 'GET', path, holder.headers))
  }
  await expect.poll(() => began).toBeGreaterThanOrEqual(begun)
}

test('unread downloads of one user keep no other from reading and writing, and hold no connection for long', async () => {
  const held = await buildFile(holder, {}, randomBytes(large))
  const bytes = randomBytes(9 * megabyte)
  await hold(maxOpenFiles + 6, maxOpenFiles, `/api/files/${held.id}/download`)
  const { id } = await buildFile(other, {}, bytes)
  const answer = await other.raw(`/api/files/${id}/download`)
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
  await expect.poll(() => store.openAnswers()).toBe(0)
})

test("a slow download is whole though another user's upload of the same content takes its place", async () => {
  const bytes = randomBytes(large)
  const { id } = await buildFile(holder, {}, bytes)
  const response = await holder.raw(`/api/files/${id}/download`)
  const reader = response.body?.getReader()
  const parts = [(await reader?.read())?.value ?? new Uint8Array()]
  await expect.poll(() => store.openAnswers()).toBe(0)
  const before = [...store.objects.keys()]
  await buildFile(other, {}, bytes)
  await server.deps.removals.settled()
  expect(before.filter(key => !store.objects.has(key))).toHaveLength(1)

  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) parts.push(part.value)
  expect(Buffer.concat(parts).equals(bytes)).toBe(true)
})
