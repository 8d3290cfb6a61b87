/** Health checks: whether the server runs, and whether it is ready for requests. */
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openClient } from '../support/client.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

describe.each(['/healthz', '/readyz'])('%s', path => {
  test('answers everyone, uncached and without a session', async () => {
    const response = await openClient(server.url).raw(path)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ status: 'ok' })
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.getSetCookie()).toEqual([])
  })

  test('answers a HEAD', async () => {
    expect((await openClient(server.url).raw(path, { method: 'HEAD' })).status).toBe(200)
  })
})

describe('a server whose store is missing', () => {
  test('is alive but not ready, and is ready again when the store is back', async () => {
    const client = openClient(server.url)
    const blobs = join(server.dataDir, 'storage', 'blobs')
    await rename(blobs, `${blobs}-away`)
    const unready = await client.raw('/readyz')
    expect(unready.status).toBe(503)
    expect(await unready.json()).toEqual({ status: 'unavailable' })
    expect((await client.raw('/healthz')).status).toBe(200)
    await rename(`${blobs}-away`, blobs)
    expect((await client.raw('/readyz')).status).toBe(200)
  })
})
