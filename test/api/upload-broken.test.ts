/** Uploads that break off at any moment: the server goes on, and nothing of them stays. */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { type Holdings, readHoldings } from '../support/holdings.ts'
import { fileStart, multipartBody, multipartType, openParts } from '../support/multipart.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openSocket, requestHead } from '../support/wire.ts'

let server: TestServer
let user: BuiltUser
let before: Holdings
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
  await buildFile(user, { name: 'f' }, 'x'.repeat(50_000))
  before = await readHoldings(server)
})
afterAll(() => server.close())

const head = (headers: Record<string, string>) =>
  requestHead(server.url, 'POST', '/api/files/upload', { ...user.headers, 'content-type': multipartType, ...headers })

async function begin(body: Buffer, headers: Record<string, string> = { 'content-length': '5000000' }): Promise<Socket> {
  const socket = await openSocket(server.url)
  socket.on('error', () => undefined)
  await new Promise<void>(resolve => {
    socket.write(Buffer.concat([Buffer.from(head(headers)), body]), () => resolve())
  })
  return socket
}

const keysNow = async () => (await readHoldings(server)).keys.length
const nothingStays = async () => {
  await expect.poll(() => readHoldings(server)).toEqual(before)
  expect((await buildFile(user, { name: 'f', on_conflict: 'replace' }, 'x'.repeat(50_000))).name).toBe('f')
  // Its bytes replace the equal ones, which go some seconds later.
  await server.deps.removals.settled()
  await expect.poll(keysNow).toBe(before.keys.length)
  before = await readHoldings(server)
}

const bytes = Buffer.alloc(400_000, 'b')
const fields = openParts([{ name: 'parent_id', value: '' }])
const replace = openParts([
  { name: 'name', value: 'f' },
  { name: 'on_conflict', value: 'replace' },
])

describe('a lost connection', () => {
  test.each(['destroy', 'resetAndDestroy', 'end'] as const)('during the file leaves nothing, by %s', async how => {
    const socket = await begin(Buffer.concat([fields, fileStart('cut.bin'), bytes]))
    await expect.poll(keysNow).toBe(before.keys.length + 1)
    socket[how]()
    await nothingStays()
    socket.destroy()
  })

  test.each(['destroy', 'end'] as const)(
    'between the file and the end of the form leaves nothing, by %s',
    async how => {
      const socket = await begin(openParts([{ name: 'file', fileName: 'whole.bin', value: bytes }]))
      await expect.poll(keysNow).toBe(before.keys.length + 1)
      socket[how]()
      await nothingStays()
      socket.destroy()
    },
  )

  test('during a replacement leaves the old file unchanged', async () => {
    const socket = await begin(Buffer.concat([replace, fileStart('f'), bytes]))
    await expect.poll(keysNow).toBe(before.keys.length + 1)
    socket.destroy()
    await nothingStays()
  })

  test('in a chunked body leaves nothing', async () => {
    const piece = Buffer.concat([fileStart('cut.bin'), bytes])
    const chunk = Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')])
    const socket = await begin(chunk, { 'transfer-encoding': 'chunked' })
    await expect.poll(keysNow).toBe(before.keys.length + 1)
    socket.destroy()
    await nothingStays()
  })

  test('at any other moment leaves nothing', async () => {
    const whole = multipartBody([
      { name: 'parent_id', value: '' },
      { name: 'file', fileName: 'cut.bin', value: bytes.subarray(0, 2000) },
    ])
    for (let length = 0; length < whole.length; length += 61) {
      const socket = await begin(whole.subarray(0, length), { 'content-length': String(whole.length) })
      const closed = once(socket, 'close')
      socket.resetAndDestroy()
      await closed
    }
    await nothingStays()
  })
})
