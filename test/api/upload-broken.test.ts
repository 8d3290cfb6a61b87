/** Uploads that break: cut off anywhere, malformed, or lying about themselves. The server goes on, and nothing stays. */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { type Holdings, readHoldings } from '../support/holdings.ts'
import { fileStart, multipartBody, multipartType, openParts } from '../support/multipart.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { openSocket, requestHead, sendWire } from '../support/wire.ts'

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
}

const bytes = Buffer.alloc(400_000, 'b')
const fields = openParts([{ name: 'parent_id', value: '' }])
const replace = openParts([
  { name: 'name', value: 'f' },
  { name: 'on_conflict', value: 'replace' },
])

describe('a connection that is lost', () => {
  test.each(['destroy', 'resetAndDestroy', 'end'] as const)(
    'in the middle of the file leaves nothing, by %s',
    async how => {
      const socket = await begin(Buffer.concat([fields, fileStart('cut.bin'), bytes]))
      await expect.poll(keysNow).toBe(before.keys.length + 1)
      socket[how]()
      await nothingStays()
      socket.destroy()
    },
  )

  test.each(['destroy', 'end'] as const)(
    'after the file and before the end of the form leaves nothing, by %s',
    async how => {
      const socket = await begin(openParts([{ name: 'file', fileName: 'whole.bin', value: bytes }]))
      await expect.poll(keysNow).toBe(before.keys.length + 1)
      socket[how]()
      await nothingStays()
      socket.destroy()
    },
  )

  test('while it was to replace a file leaves that as it was', async () => {
    const socket = await begin(Buffer.concat([replace, fileStart('f'), bytes]))
    await expect.poll(keysNow).toBe(before.keys.length + 1)
    socket.destroy()
    await nothingStays()
  })

  test('in chunks without their end leaves nothing', async () => {
    const piece = Buffer.concat([fileStart('cut.bin'), bytes])
    const chunk = Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')])
    const socket = await begin(chunk, { 'transfer-encoding': 'chunked' })
    await expect.poll(keysNow).toBe(before.keys.length + 1)
    socket.destroy()
    await nothingStays()
  })

  test('at any other moment leaves nothing either', async () => {
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

describe('a malformed form', () => {
  const boundary = multipartType.split('boundary=')[1] ?? ''
  const disposition = 'Content-Disposition: form-data; name="file"; filename="a.txt"'
  const filled = 'm'.repeat(50_000)

  test.each<[string, string | Buffer]>([
    ['nothing', ''],
    ['no boundary at all', filled],
    ['the first boundary alone', `--${boundary}\r\n`],
    ['the last boundary alone', `--${boundary}--\r\n`],
    ['a file without its end', `--${boundary}\r\n${disposition}\r\n\r\n${filled}`],
    ['a file whose end lacks its dashes', `--${boundary}\r\n${disposition}\r\n\r\n${filled}\r\n--${boundary}`],
    ['a part without headers', `--${boundary}\r\n\r\n${filled}\r\n--${boundary}--\r\n`],
    ['a part whose headers do not end', `--${boundary}\r\n${disposition}\r\nX: ${filled}`],
    [
      'a part without a name',
      `--${boundary}\r\nContent-Disposition: form-data; filename="a"\r\n\r\n${filled}\r\n--${boundary}--`,
    ],
    [
      'a part of another disposition',
      `--${boundary}\r\nContent-Disposition: attachment; name="file"; filename="a"\r\n\r\n${filled}\r\n--${boundary}--`,
    ],
    [
      'a header of a million bytes',
      `--${boundary}\r\n${disposition}\r\nX: ${'h'.repeat(1_000_000)}\r\n\r\nx\r\n--${boundary}--`,
    ],
    ['ten thousand headers', `--${boundary}\r\n${disposition}\r\n${'X: y\r\n'.repeat(10_000)}\r\nx\r\n--${boundary}--`],
    ['a thousand empty parts', `--${boundary}\r\n\r\n\r\n`.repeat(1000)],
    ['line ends of the wrong kind', `--${boundary}\n${disposition}\n\n${filled}\n--${boundary}--\n`],
    ['bytes of every value', Buffer.from(Array.from({ length: 65_536 }, (_, index) => index % 256))],
  ])('of %s is 400 and leaves nothing', async (_what, body) => {
    const answer = await sendWire(server.url, {
      method: 'POST',
      path: '/api/files/upload',
      headers: { ...user.headers, 'content-type': multipartType },
      body: Buffer.from(body),
    })
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.text)).toMatchObject({ success: false, error: 'invalid_input' })
    await nothingStays()
  })

  test.each([
    'multipart/form-data',
    'multipart/form-data; boundary=',
    `multipart/form-data; boundary="${'b'.repeat(5000)}"`,
  ])('without a usable boundary is 400: %s', async type => {
    const answer = await sendWire(server.url, {
      method: 'POST',
      path: '/api/files/upload',
      headers: { ...user.headers, 'content-type': type },
      body: multipartBody([{ name: 'file', fileName: 'a', value: filled }]),
    })
    expect(answer.status).toBe(400)
    await nothingStays()
  })

  test('whose length is shorter than itself is 400, and what follows is no second request of weight', async () => {
    const body = multipartBody([{ name: 'file', fileName: 'a', value: filled }])
    const socket = await begin(body, { 'content-length': String(body.length - 100) })
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /)
    socket.destroy()
    await nothingStays()
  })

  test.each(['-1', 'x', '1, 2', '0x10'])('of an impossible length never gets as far: %s', async length => {
    const socket = await begin(Buffer.from('x'), { 'content-length': length })
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /)
    socket.destroy()
    await nothingStays()
  })
})
