/** Device keys: no rate limit, at most 16 requests at once. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maxDeviceKeyRequests } from '../../src/api/limits.ts'
import { failure, type TestClient } from '../support/client.ts'
import { buildFile, buildKey, buildUser } from '../support/factories.ts'
import { holdUpload } from '../support/held-upload.ts'
import { readHoldings } from '../support/holdings.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openSocket, requestHead } from '../support/wire.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** Expects that soon as many requests at once as a device key may have are answered. */
async function expectAllFree(key: TestClient): Promise<void> {
  const ask = () => Promise.all(Array.from({ length: maxDeviceKeyRequests }, () => key.raw('/api/files')))
  const statuses = async () => new Set((await ask()).map(({ status }) => status))
  await expect.poll(statuses).toEqual(new Set([200]))
}

const buildDevice = async () => buildKey(server, await buildUser(server), ['files:read', 'files:upload'], 'device')

describe('a device key', () => {
  test('may have 16 requests at once, gets 429 for the 17th, and has room again when one ends', async context => {
    onlyOneServer('counts', context)
    const key = await buildDevice()
    const other = await buildDevice()
    const sockets = await Promise.all(Array.from({ length: maxDeviceKeyRequests }, () => holdUpload(server, key)))
    // Their bytes in the store show that the uploads run; a request of the key itself would take a place.
    await expect.poll(async () => (await readHoldings(server)).keys).toHaveLength(maxDeviceKeyRequests)
    const seventeenth = await key.raw('/api/files')
    expect(seventeenth.headers.get('retry-after')).toBe('1')
    expect(await failure(seventeenth)).toEqual({ status: 429, error: 'rate_limited' })
    expect((await other.raw('/api/files')).status).toBe(200)
    sockets[0]?.destroy()
    await expect.poll(async () => (await key.raw('/api/files')).status).toBe(200)
    for (const socket of sockets) socket.destroy()
  })

  test('has no rate limit for requests one after another', async () => {
    const key = await buildDevice()
    for (let round = 0; round < 100; round++) expect((await key.raw('/api/files?limit=1')).status).toBe(200)
  })

  test('gets its places back when clients disconnect before their answer', async () => {
    const key = await buildDevice()
    for (let round = 0; round < 20 * maxDeviceKeyRequests; round++) {
      const socket = await openSocket(server.url)
      socket.on('error', () => undefined)
      const closed = once(socket, 'close')
      socket.write(requestHead(server.url, 'GET', '/api/files', key.headers), () => socket.resetAndDestroy())
      await closed
    }
    await expectAllFree(key)
  })

  test('gets the places of pipelined requests back when the client disconnects', async () => {
    const user = await buildUser(server)
    const key = await buildKey(server, user, ['files:read'], 'device')
    const file = await buildFile(user, {}, randomBytes(10 * 1024 ** 2))
    const head = requestHead(server.url, 'GET', `/api/files/${file.id}/download`, key.headers)
    for (let round = 0; round < maxDeviceKeyRequests; round++) {
      const socket = await openSocket(server.url)
      const closed = once(socket, 'close')
      socket.write(head.repeat(4))
      await once(socket, 'data')
      socket.destroy()
      await closed
    }
    await expectAllFree(key)
  })
})
