/** Pipelining: a few requests of a connection run at once, the others wait, and all are answered in order. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { countOpenBlobs } from '../support/holdings.ts'
import { multipartBody, multipartType } from '../support/multipart.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openForTest, openSocket, requestHead, sendUnread } from '../support/wire.ts'

const megabyte = 1024 ** 2

let server: TestServer
let user: BuiltUser
let fileId: number
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
  fileId = (await buildFile(user, {}, randomBytes(20 * megabyte))).id
})
afterAll(() => server.close())

const get = (path: string) => requestHead(server.url, 'GET', path, user.headers)

/** The largest asset of the page; its path contains the version of pdf.js. */
const assetsFolder = join(import.meta.dirname, '../../dist/web/assets')
const largestAsset = `/assets/${String(readdirSync(assetsFolder, { recursive: true }).find(path => /pdf\.worker\.min\.mjs$/.test(String(path))))}`

interface Answer {
  status: number
  headers: Record<string, string>
  body: Buffer
}

/** The answers of a connection in order, each complete by its Content-Length. */
async function* readAnswers(socket: Socket): AsyncGenerator<Answer> {
  let held = Buffer.alloc(0)
  for await (const piece of socket) {
    held = Buffer.concat([held, piece as Buffer])
    for (;;) {
      const end = held.indexOf('\r\n\r\n')
      if (end < 0) break
      const [first = '', ...lines] = held.subarray(0, end).toString().split('\r\n')
      const headers = Object.fromEntries(lines.map(line => line.toLowerCase().split(': ', 2)))
      const length = Number(headers['content-length'])
      if (held.length < end + 4 + length) break
      yield { status: Number(first.split(' ')[1]), headers, body: held.subarray(end + 4, end + 4 + length) }
      held = held.subarray(end + 4 + length)
    }
  }
}

test('70 unread answers with the largest asset do not multiply its memory and do not block other requests', async () => {
  await (await user.raw(largestAsset)).arrayBuffer()
  const idle = process.memoryUsage().rss
  await sendUnread(server.url, get(largestAsset).repeat(70))
  for (let round = 0; round < 100; round++) {
    expect((await user.raw('/healthz')).status).toBe(200)
    expect(process.memoryUsage().rss - idle).toBeLessThan(150 * megabyte)
  }
})

test('70 unread downloads on one connection hold few files open, and none after it closes', async () => {
  const socket = await sendUnread(server.url, get(`/api/files/${fileId}/download`).repeat(70))
  for (let round = 0; round < 50; round++) {
    await user.call(listFiles, {})
    expect(countOpenBlobs(server)).toBeLessThanOrEqual(8)
  }
  expect(countOpenBlobs(server)).toBeGreaterThan(0)
  socket.destroy()
  await expect.poll(() => countOpenBlobs(server)).toBe(0)
})

test('72 pipelined requests of every kind are answered completely and in order', async () => {
  const large = await buildFile(user, {}, randomBytes(3 * megabyte))
  const small = await buildFile(user, { name: 'small.txt' }, 'small content')
  const kinds: [string, (answer: Answer) => boolean][] = [
    ['/healthz', ({ body }) => body.toString() === '{"status":"ok"}'],
    [`/api/files/${small.id}/download`, ({ body }) => body.toString() === 'small content'],
    [`/api/files/${small.id}/preview`, ({ body }) => body.toString() === 'small content'],
    [`/api/files/${small.id}`, ({ body }) => JSON.parse(body.toString()).data.file.id === small.id],
    [`/api/files?limit=1`, ({ body }) => JSON.parse(body.toString()).success === true],
    ['/api/nowhere', ({ status }) => status === 404],
    ['/assets/none.js', ({ status }) => status === 404],
    ['/api/openapi.json', ({ body }) => JSON.parse(body.toString()).openapi === '3.1.0'],
    [
      largestAsset,
      ({ body, headers }) => body.length > megabyte && headers['content-type'] === 'text/javascript; charset=utf-8',
    ],
    [`/api/files/${large.id}/download`, ({ body }) => body.length === 3 * megabyte],
  ]
  const asked = Array.from({ length: 72 }, (_, index) => kinds[index % (index < 20 ? 10 : 8)] ?? expect.fail())
  const socket = await openSocket(server.url)
  socket.write(asked.map(([path]) => get(path)).join(''))
  let count = 0
  for await (const answer of readAnswers(socket)) {
    const [path, fits] = asked[count] ?? expect.fail()
    expect({ count, path, fits: fits(answer) }).toEqual({ count, path, fits: true })
    count += 1
    if (count === asked.length) break
  }
  expect(count).toBe(asked.length)
})

test('an upload behind many pipelined requests is stored when its turn comes', async () => {
  const content = randomBytes(2 * megabyte)
  const body = multipartBody([{ name: 'file', fileName: 'behind.bin', value: content }])
  const headers = { ...user.headers, 'content-type': multipartType, 'content-length': String(body.length) }
  const socket = await openSocket(server.url)
  socket.write(get('/api/files').repeat(60))
  socket.write(requestHead(server.url, 'POST', '/api/files/upload', headers))
  socket.write(body)
  socket.write(get('/healthz'))
  const statuses: number[] = []
  for await (const { status } of readAnswers(socket)) {
    statuses.push(status)
    if (statuses.length === 62) break
  }
  expect(statuses).toEqual([...Array.from({ length: 60 }, () => 200), 201, 200])
})

test('a connection with thousands of pipelined requests is closed and holds no files', async () => {
  const socket = await openSocket(server.url)
  const closed = once(socket, 'close')
  socket.on('error', () => undefined)
  socket.write(get(`/api/files/${fileId}/download`) + 'GET / HTTP/1.1\r\nHost:a\r\n\r\n'.repeat(2000))
  // Discards the bytes; the connection closes long before the last answer.
  let bytes = 0
  socket.on('data', (piece: Buffer) => {
    bytes += piece.length
  })
  await closed
  expect(bytes).toBeLessThan(20 * megabyte)
  await expect.poll(() => countOpenBlobs(server)).toBe(0)
  expect((await user.raw('/healthz')).status).toBe(200)
})

test('the document that anybody may ask for is sent to a few readers of a network at once', async () => {
  const path = '/api/openapi.json'
  const ask = async () => {
    const response = await fetch(server.url + path)
    await response.arrayBuffer()
    return response.status
  }
  expect(await ask()).toBe(200)
  const requests = requestHead(server.url, 'GET', path, {}).repeat(40)
  const sockets = await Promise.all(Array.from({ length: 6 }, () => openForTest(server.url)))
  for (const socket of sockets) socket.pause().write(requests)
  const waiting: Promise<number>[] = []
  await expect
    .poll(() => {
      const answer = ask()
      waiting.push(answer)
      return Promise.race([answer, setTimeout(300, 'waits')])
    })
    .toBe('waits')
  expect((await user.raw(`/api/files/${fileId}`)).status).toBe(200)
  for (const socket of sockets) socket.destroy()
  expect(await waiting.at(-1)).toBe(200)
})
