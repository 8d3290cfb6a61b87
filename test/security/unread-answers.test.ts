/** Answers that nobody reads: whatever they are, they are cut after a while and hold nothing; slow readers are left alone. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maxKeyRequests, maxSessionRequests } from '../../src/api/limits.ts'
import type { Permission } from '../../src/api/permissions.ts'
import { failure, signIn, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildKey, buildUser } from '../support/factories.ts'
import { holdUpload } from '../support/held-upload.ts'
import { countOpenBlobs, readHoldings } from '../support/holdings.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openSocket, requestHead, sendUnread } from '../support/wire.ts'

const megabyte = 1024 ** 2
/** ms; a stalled client is cut after this time, or twice of it. */
const stallTime = 1000

let server: TestServer
let user: BuiltUser
let fileId: number
let folderId: number
beforeAll(async () => {
  server = await startServer({ maxFileSize: '100MB' }, { stallTime })
  user = await buildUser(server)
  folderId = (await buildFolder(user)).id
  fileId = (await buildFile(user, { name: 'a.mp4', parent_id: folderId }, randomBytes(60 * megabyte))).id
})
afterAll(() => server.close())

const get = (path: string, { headers }: TestClient = user) => requestHead(server.url, 'GET', path, headers)

/** Requests whose answer has not ended. */
async function countUnderWay(): Promise<number> {
  const underWay = await server.deps.metrics.getSingleMetric('filestore_http_requests_under_way')?.get()
  return underWay?.values[0]?.value ?? expect.fail()
}

describe('an answer that nobody reads', () => {
  test.each<[string, () => string]>([
    ['a download', () => get(`/api/files/${fileId}/download`)],
    [
      'a range',
      () => requestHead(server.url, 'GET', `/api/files/${fileId}/download`, { ...user.headers, range: 'bytes=5-' }),
    ],
    ['a preview', () => get(`/api/files/${fileId}/preview`)],
    ['a ZIP', () => get(`/api/files/${folderId}/archive`)],
    ['documents', () => get('/api/openapi.json').repeat(70)],
    ['pages', () => get('/').repeat(70) + get(`/api/files/${fileId}/download`)],
  ])('is cut, and holds no file any more: %s', async (_what, request) => {
    await sendUnread(server.url, request())
    expect(await countUnderWay()).toBeGreaterThan(0)
    await expect.poll(countUnderWay).toBe(0)
    await expect.poll(() => countOpenBlobs(server)).toBe(0)
  })

  test('is not cut while it is read slowly, for however long', async () => {
    const socket = await openSocket(server.url)
    socket.write(get(`/api/files/${fileId}/download`))
    const began = performance.now()
    let received = 0
    // 20 MB a second: three times as long as a client is waited for that takes nothing.
    const isAhead = () => received > ((performance.now() - began) / 1000) * 20 * megabyte
    for await (const piece of socket) {
      received += (piece as Buffer).length
      while (isAhead()) expect((await user.raw('/healthz')).status).toBe(200)
      if (received > 60 * megabyte) break
    }
    expect(received).toBeGreaterThan(60 * megabyte)
    expect(performance.now() - began).toBeGreaterThan(2 * stallTime)
  })

  test('is not cut while it is still being made', async () => {
    const body = JSON.stringify({ name: 'made late' })
    const headers = { ...user.headers, 'content-type': 'application/json', 'content-length': String(body.length) }
    const socket = await openSocket(server.url)
    const began = performance.now()
    // Nothing else can be written meanwhile.
    await server.deps.db.touch(async () => {
      socket.write(requestHead(server.url, 'POST', '/api/files/folders', headers) + body)
      while (performance.now() - began < 2.5 * stallTime) expect((await user.raw('/healthz')).status).toBe(200)
    })
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 201 /)
    socket.destroy()
  })
})

describe('requests under way', () => {
  const statusOf = async (client: TestClient) => (await client.raw('/api/files')).status

  const countBlobs = async () => (await readHoldings(server)).keys.length

  /** Uploads whose bytes never end, each on a connection of its own; resolves when all of them are under way. */
  async function hold(clients: readonly TestClient[], count: number): Promise<Socket[]> {
    // Those of the last test may still be closing.
    await expect.poll(countUnderWay).toBe(0)
    const before = await countBlobs()
    const sockets: Socket[] = []
    for (let index = 0; index < count; index++) {
      sockets.push(await holdUpload(server, clients[index % clients.length] ?? expect.fail()))
    }
    // Their bytes in the store show it; a request of the user's own would take one's place.
    await expect.poll(countBlobs).toBe(before + count)
    return sockets
  }

  async function expectRefused(client: TestClient): Promise<void> {
    const refused = await client.raw('/api/files')
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await failure(refused)).toEqual({ status: 429, error: 'rate_limited' })
  }

  test('are so many of all sessions of a user, and then no more until one has ended', async () => {
    const ann = await buildUser(server)
    const again = await signIn(server.url, ann.username, ann.password)
    const key = await buildKey(server, ann, ['files:read'])
    const sockets = await hold([ann, again], maxSessionRequests)
    await expectRefused(ann)
    await expectRefused(again)
    expect([await statusOf(key), await statusOf(user)]).toEqual([200, 200])
    sockets[0]?.destroy()
    await expect.poll(() => statusOf(ann)).toBe(200)
    for (const socket of sockets) socket.destroy()
  })

  test('are so many of all keys of a user, who goes on in the browser', async () => {
    const ann = await buildUser(server)
    const permissions: Permission[] = ['files:read', 'files:upload']
    const keys = [
      await buildKey(server, ann, permissions, 'script', { rate_limit_per_minute: 1000 }),
      await buildKey(server, ann, permissions, 'script', { rate_limit_per_minute: 1000 }),
    ]
    const sockets = await hold(keys, maxKeyRequests)
    for (const key of keys) await expectRefused(key)
    await expectRefused(await buildKey(server, ann, permissions, 'device'))
    expect(await statusOf(ann)).toBe(200)
    for (const socket of sockets) socket.destroy()
    for (const key of keys) await expect.poll(() => statusOf(key)).toBe(200)
  })
})
