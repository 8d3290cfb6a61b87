/** Headers that take long to parse are refused before they are parsed, so that nobody delays others with them. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findLongestPause, shortPause } from '../support/longest-pause.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { sendWire } from '../support/wire.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const assets = join(import.meta.dirname, '../../dist/web/assets')
/** An asset of the page that is stored compressed, too. */
const asset = `/assets/${readdirSync(assets).find(name => name.endsWith('.js') && !name.includes('LICENSE'))}`

/** Almost the most bytes that Node takes for all headers. */
const most = 30_000

const longHeaders: [string, string, string][] = [
  ['Accept-Encoding', asset, 'a,'.repeat(most / 2)],
  ['Accept', '/', 'a,'.repeat(most / 2)],
  ['Accept-Language', '/', 'a,'.repeat(most / 2)],
  ['If-None-Match', asset, ','.repeat(most)],
  ['If-None-Match', '/api/openapi.json', '"a",'.repeat(most / 4)],
  ['Range', '/', `bytes=${'0-0,'.repeat(most / 4 - 10)}0-0`],
]

/** Sixty requests at once. */
const flood = (path: string, headers: Record<string, string>, method = 'GET') =>
  Promise.all(Array.from({ length: 60 }, () => sendWire(server.url, { method, path, headers })))

describe('a long header', () => {
  test.each(longHeaders)('%s of %s is refused without a long pause', async (name, path, value) => {
    let statuses: number[] = []
    const pause = await findLongestPause(async () => {
      statuses = (await flood(path, { [name]: value })).map(({ status }) => status)
    })
    expect(new Set(statuses)).toEqual(new Set([431]))
    expect(pause).toBeLessThan(shortPause)
  })

  test('Host of a sign-in is refused without a long pause', async () => {
    let statuses: number[] = []
    const headers = { 'sec-fetch-site': 'same-origin', host: '%E4'.repeat(9000) }
    const pause = await findLongestPause(async () => {
      statuses = (await flood('/api/auth/login', headers, 'POST')).map(({ status }) => status)
    })
    expect(new Set(statuses)).toEqual(new Set([431]))
    expect(pause).toBeLessThan(shortPause)
  })

  test('of usual length is answered as ever', async () => {
    const headers = { 'accept-encoding': 'gzip, deflate, br, zstd', 'if-none-match': '"a", "b"' }
    const answer = await sendWire(server.url, { path: asset, headers })
    expect(answer).toMatchObject({ status: 200, headers: { 'content-encoding': 'br' } })
    const host = `${'a'.repeat(63)}.localhost`
    expect((await sendWire(server.url, { path: '/healthz', headers: { host } })).status).toBe(200)
  })
})
