/** Chunked bodies with pieces of one byte, which cost the server hundreds of times more than the client. */
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFolder } from '../../src/api/files.ts'
import { failure } from '../support/client.ts'
import { type BuiltUser, buildKey, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openForTest, requestHead, sendWire } from '../support/wire.ts'

let server: TestServer
let user: BuiltUser
let key: Record<string, string>
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
  const { keyId, secret } = await buildKey(server, user, ['files:read', 'files:upload', 'files:write'])
  key = { 'x-api-key-id': keyId, 'x-api-secret': secret }
})
afterAll(() => server.close())

const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const json = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
const form = { 'content-type': 'multipart/form-data; boundary=xyz', 'transfer-encoding': 'chunked' }
const formHead = '--xyz\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'

describe('a body with thousands of tiny chunks', () => {
  test.each([
    ['to sign in', 'POST', '/api/auth/login', json, ''],
    ['of a call', 'POST', '/api/files/by-path', json, ''],
    ['of an upload', 'POST', '/api/files/upload', form, chunk(formHead)],
    ['where none is read', 'GET', '/healthz', { 'transfer-encoding': 'chunked' }, ''],
    ['where there is nothing', 'POST', '/api/nothing', json, ''],
  ])('%s closes its connection', async (_what, method, path, headers, start) => {
    const socket = await openForTest(server.url)
    // Not once(), which rejects when the connection is reset.
    const closed = new Promise(resolve => socket.once('close', resolve))
    socket.resume()
    socket.write(requestHead(server.url, method, path, { ...headers, ...key }) + start)
    for (let sent = 0; sent < 20_000 && !socket.destroyed; sent += 1000) {
      if (!socket.write(chunk('a').repeat(1000)))
        await Promise.race([new Promise(resolve => socket.once('drain', resolve)), closed])
    }
    await closed
    expect(await user.call(createFolder, { name: 'a', exist_ok: true })).toMatchObject({ file: { name: 'a' } })
  })

  test('is read when it has a few hundred chunks, or slow chunks such as lines of a log', async () => {
    const [name, content] = ['n'.repeat(200), 'one line of a log\n'.repeat(3000)]
    const body = async function* (pieces: Iterable<string>) {
      for (const piece of pieces) yield Buffer.from(piece)
    }
    const headers = { ...key, 'content-type': 'application/json' }
    const made = await sendWire(server.url, {
      method: 'POST',
      path: '/api/files/folders',
      headers,
      body: body(JSON.stringify({ name })),
    })
    expect(made).toMatchObject({ status: 201 })
    const lines = content.split(/(?<=\n)/)
    const uploaded = await sendWire(server.url, {
      method: 'POST',
      path: '/api/files/upload',
      headers: { ...key, 'content-type': 'multipart/form-data; boundary=xyz' },
      body: body([formHead, ...lines, '\r\n--xyz--\r\n']),
    })
    expect(uploaded).toMatchObject({ status: 201 })
    const { data } = JSON.parse(uploaded.text) as { data: { file: { id: number } } }
    expect(await (await user.raw(`/api/files/${data.file.id}/download`)).text()).toBe(content)
  })
})

test('a form with a longer boundary than the standard allows is refused', async () => {
  const boundary = 'b'.repeat(71)
  const response = await user.raw('/api/files/upload', {
    method: 'POST',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: `--${boundary}--`,
  })
  expect(await failure(response)).toMatchObject({ status: 400, error: 'invalid_input' })
})

test('unfinished large bodies of one account do not block other accounts, and end with their connections', async () => {
  const half = `{"path":"${'x'.repeat(900_000)}`
  const sockets: Socket[] = []
  const sendHalf = async () => {
    const socket = await openForTest(server.url)
    const head = { ...key, 'content-type': 'application/json', 'content-length': '1000000' }
    socket.write(requestHead(server.url, 'POST', '/api/files/by-path', head) + half)
    sockets.push(socket)
  }
  const send = () =>
    sendWire(server.url, {
      method: 'POST',
      path: '/api/files/by-path',
      headers: { ...key, 'content-type': 'application/json' },
      body: JSON.stringify({ path: 'x'.repeat(900_000) }),
    })
  // A whole body that arrives before a half one can have taken its room, so that one more is needed.
  await expect
    .poll(async () => {
      await sendHalf()
      return (await send()).status
    })
    .toBe(429)
  const other = await buildUser(server)
  expect(await other.call(createFolder, { name: 'theirs' })).toMatchObject({ file: { name: 'theirs' } })
  for (const socket of sockets) socket.destroy()
  await expect.poll(async () => (await send()).status).not.toBe(429)
})
