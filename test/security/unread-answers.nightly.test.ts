/** Answers that the client does not read are cut off after a while and hold nothing; slow readers are not affected. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maxKeyRequests, maxSessionRequests } from '../../src/api/limits.ts'
import type { Permission } from '../../src/api/permissions.ts'
import { failure, signIn, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildKey, buildUser } from '../support/factories.ts'
import { holdUpload } from '../support/held-upload.ts'
import { countOpenBlobs } from '../support/holdings.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openSocket, requestHead, sendUnread } from '../support/wire.ts'

const megabyte = 1024 ** 2
/** ms; a stalled client is cut off after this time, or at most twice this time. */
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

/** The number of requests whose answer has not ended. */
async function countUnderWay(): Promise<number> {
  const underWay = await server.deps.metrics.getSingleMetric('filestore_http_requests_under_way')?.get()
  return underWay?.values[0]?.value ?? expect.fail()
}

describe('an answer that the client does not read', () => {
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
  ])('is cut off, and its file is closed: %s', async (_what, request) => {
    await sendUnread(server.url, request())
    expect(await countUnderWay()).toBeGreaterThan(0)
    await expect.poll(countUnderWay).toBe(0)
    await expect.poll(() => countOpenBlobs(server)).toBe(0)
  })

  test('is not cut off while the client reads it slowly, for however long', async () => {
    const socket = await openSocket(server.url)
    socket.write(get(`/api/files/${fileId}/download`))
    const began = performance.now()
    let received = 0
    // 20 MB a second, so the download takes three times as long as the server waits for a stalled client.
    const isAhead = () => received > ((performance.now() - began) / 1000) * 20 * megabyte
    for await (const piece of socket) {
      received += (piece as Buffer).length
      while (isAhead()) expect((await user.raw('/healthz')).status).toBe(200)
      if (received > 60 * megabyte) break
    }
    expect(received).toBeGreaterThan(60 * megabyte)
    expect(performance.now() - began).toBeGreaterThan(2 * stallTime)
  })

  test('is not cut off while the server still prepares it', async () => {
    const body = JSON.stringify({ name: 'made late' })
    const headers = { ...user.headers, 'content-type': 'application/json', 'content-length': String(body.length) }
    const socket = await openSocket(server.url)
    const began = performance.now()
    // No other write can run meanwhile.
    await server.deps.db.touch(async () => {
      socket.write(requestHead(server.url, 'POST', '/api/files/folders', headers) + body)
      while (performance.now() - began < 2.5 * stallTime) expect((await user.raw('/healthz')).status).toBe(200)
    })
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 201 /)
    socket.destroy()
  })
})

describe('running requests', () => {
  const statusOf = async (client: TestClient) => (await client.raw('/api/files')).status

  /**
   * Uploads that never end, each on a connection of its own; resolves when all of them run. They send little, because
   * what the server keeps of one user's unfinished forms has a limit of its own.
   */
  async function hold(clients: readonly TestClient[], count: number): Promise<Socket[]> {
    // Connections of the last test may still be closing.
    await expect.poll(countUnderWay).toBe(0)
    const sockets: Socket[] = []
    for (let index = 0; index < count; index++) {
      sockets.push(await holdUpload(server, clients[index % clients.length] ?? expect.fail(), 1000))
    }
    // A request of the user, to see whether they run, would take a place.
    await expect.poll(countUnderWay).toBe(count)
    return sockets
  }

  async function expectRefused(client: TestClient): Promise<void> {
    // The last upload may have begun, and not have taken its place.
    await expect.poll(() => statusOf(client)).toBe(429)
    const refused = await client.raw('/api/files')
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await failure(refused)).toEqual({ status: 429, error: 'rate_limited' })
  }

  test('of all sessions of a user are limited together, and more are refused until one ends', async () => {
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

  test('of all API keys of a user are limited together, and the user’s sessions are not affected', async () => {
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
