/**
 * The rate limit of a script key: each request counts once, every answer shows what is left, and 429 comes before any
 * work.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { openKeyBudgets } from '../../src/access/key-budgets.ts'
import { failure, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildKey, buildUser } from '../support/factories.ts'
import { fileStart, multipartType } from '../support/multipart.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { sendWire } from '../support/wire.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())
afterEach(() => {
  vi.useRealTimers()
})

/** Moves the clock forward by this many seconds. */
function passTime(seconds: number): void {
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: now + seconds * 1000 })
}

const buildLimited = (minute: number, hour?: number, day?: number) =>
  buildKey(server, user, ['files:read'], 'script', {
    rate_limit_per_minute: minute,
    rate_limit_per_hour: hour,
    rate_limit_per_day: day,
  })

const numberIn = (response: Response, header: string): number | null => {
  const value = response.headers.get(header)
  return value === null ? null : Number(value)
}

/** The status and the rate limit that an answer shows. */
const budgetOf = (response: Response) => ({
  status: response.status,
  limit: numberIn(response, 'ratelimit-limit'),
  remaining: numberIn(response, 'ratelimit-remaining'),
})

const ask = async (client: TestClient) => budgetOf(await client.raw('/api/auth/profile'))

describe('the rate limit of an API key', () => {
  test('is 60 requests a minute by default', async () => {
    const key = await buildKey(server, user, ['files:read'], 'script', {})
    const response = await key.raw('/api/files')
    expect(budgetOf(response)).toEqual({ status: 200, limit: 60, remaining: 59 })
    expect(numberIn(response, 'ratelimit-reset')).toBeGreaterThan(55)
    expect(numberIn(response, 'ratelimit-reset')).toBeLessThanOrEqual(60)
  })

  test('is shown in every answer, and each answer costs one request', async context => {
    onlyOneServer('counts', context)
    const key = await buildLimited(20)
    const file = await buildFile(user)
    const download = `/api/files/${file.id}/download`
    const etag = { 'if-none-match': (await user.raw(download)).headers.get('etag') ?? '' }
    const listing = { 'if-none-match': (await user.raw('/api/files')).headers.get('etag') ?? '' }
    const answers = [
      await key.raw('/api/files'),
      await key.raw('/api/files', { method: 'HEAD' }),
      await key.raw('/api/files', { headers: listing }),
      await key.raw(download),
      await key.raw(download, { headers: { range: 'bytes=0-1' } }),
      await key.raw(download, { headers: { range: 'bytes=9999-' } }),
      await key.raw(download, { headers: etag }),
      await key.raw('/api/files?limit=x'),
      await key.raw('/api/files/999999/download'),
      await key.raw('/api/files/folders', { method: 'POST', body: 'not json at all' }),
      await key.raw('/api/no/such/call'),
      await key.raw('/api/files', { method: 'DELETE' }),
      await key.raw('/api/openapi.json'),
      await key.raw('/api/auth/login', { method: 'POST' }),
    ]
    expect(answers.map(budgetOf)).toEqual(
      [200, 200, 304, 200, 206, 416, 304, 400, 404, 403, 404, 405, 200, 400].map((status, index) => ({
        status,
        limit: 20,
        remaining: 19 - index,
      })),
    )
  })

  test('does not apply to a wrong key, which is 401 everywhere; public calls need no key', async () => {
    const wrong = { authorization: 'Bearer gk_wrong:gs_wrong' }
    for (const path of ['/api/openapi.json', '/api/no/such/call']) {
      expect((await fetch(server.url + path, { headers: wrong })).status).toBe(401)
    }
    expect((await fetch(`${server.url}/api/openapi.json`)).status).toBe(200)
  })

  test('refuses further requests with 429 and the time to wait, and a refused request costs nothing', async context => {
    onlyOneServer('counts', context)
    const key = await buildLimited(2)
    expect(await ask(key)).toEqual({ status: 200, limit: 2, remaining: 1 })
    expect(await ask(key)).toEqual({ status: 200, limit: 2, remaining: 0 })
    for (let round = 0; round < 3; round++) {
      const refused = await key.raw('/api/files')
      expect(budgetOf(refused)).toEqual({ status: 429, limit: 2, remaining: 0 })
      expect(refused.headers.get('retry-after')).toBe(refused.headers.get('ratelimit-reset'))
      expect(numberIn(refused, 'retry-after')).toBeLessThanOrEqual(60)
      expect(await failure(refused)).toEqual({ status: 429, error: 'rate_limited' })
    }
    passTime(61)
    expect(await ask(key)).toEqual({ status: 200, limit: 2, remaining: 1 })
  })

  test('shows the window with the fewest requests left, and the longest of several such windows', async () => {
    const byHour = await (await buildLimited(10, 3)).raw('/api/files')
    expect(budgetOf(byHour)).toEqual({ status: 200, limit: 3, remaining: 2 })
    expect(numberIn(byHour, 'ratelimit-reset')).toBeGreaterThan(3500)
    const byDay = await (await buildLimited(2, 2, 2)).raw('/api/files')
    expect(numberIn(byDay, 'ratelimit-reset')).toBeGreaterThan(86_300)
  })

  test('counts a request in all windows or in none', async context => {
    onlyOneServer('counts', context)
    const key = await buildLimited(2, 3)
    for (const status of [200, 200, 429, 429, 429]) expect(await ask(key)).toMatchObject({ status })
    passTime(61)
    expect(await ask(key)).toEqual({ status: 200, limit: 3, remaining: 0 })
    const refused = await key.raw('/api/files')
    expect(budgetOf(refused)).toEqual({ status: 429, limit: 3, remaining: 0 })
    expect(numberIn(refused, 'retry-after')).toBeGreaterThan(3000)
    passTime(3600)
    expect(await ask(key)).toEqual({ status: 200, limit: 2, remaining: 1 })
  })

  test('allows one day’s requests and no more', async context => {
    onlyOneServer('clock', context)
    const key = await buildLimited(5, 5, 1)
    expect(await ask(key)).toEqual({ status: 200, limit: 1, remaining: 0 })
    passTime(2 * 60 * 60)
    expect(await ask(key)).toEqual({ status: 429, limit: 1, remaining: 0 })
    passTime(22 * 60 * 60)
    expect(await ask(key)).toEqual({ status: 200, limit: 1, remaining: 0 })
  })

  test('holds for concurrent requests', async context => {
    onlyOneServer('counts', context)
    const key = await buildLimited(10, 12)
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(key)))
    const passed = answers.filter(({ status }) => status === 200)
    expect(passed.map(({ remaining }) => remaining).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30)
    passTime(61)
    expect(await ask(key)).toEqual({ status: 200, limit: 12, remaining: 1 })
  })

  test('holds for requests in the same instant', async () => {
    const { spend } = openKeyBudgets({ isShared: false })
    const limits = { minute: 10, hour: 100, day: 1000 }
    const budgets = await Promise.all(Array.from({ length: 40 }, () => spend([{ keyId: 1, limits }])))
    expect(budgets.filter(({ isSpent }) => !isSpent)).toHaveLength(10)
    expect(await spend([{ keyId: 2, limits }])).toMatchObject({ isSpent: false, remaining: 9 })
  })

  test('is checked before the body is read', async context => {
    onlyOneServer('counts', context)
    const key = await buildLimited(1)
    await ask(key)
    async function* unfinished(): AsyncGenerator<Buffer> {
      yield fileStart('open.bin')
      await new Promise(() => undefined)
    }
    const answer = await sendWire(server.url, {
      method: 'POST',
      path: '/api/files/upload',
      headers: { ...key.headers, 'content-type': multipartType },
      body: unfinished(),
    })
    expect(answer.status).toBe(429)
  })

  test('is separate from other keys and the owner’s session, and wrong secrets do not use it', async () => {
    const key = await buildLimited(2)
    const other = await buildLimited(2)
    const forged = { ...key.headers, 'x-api-secret': other.secret }
    for (let round = 0; round < 5; round++) {
      const answer = await key.raw('/api/files', { headers: forged })
      expect(budgetOf(answer)).toEqual({ status: 401, limit: null, remaining: null })
    }
    expect(await ask(other)).toEqual({ status: 200, limit: 2, remaining: 1 })
    expect(await ask(user)).toEqual({ status: 200, limit: null, remaining: null })
    expect(await ask(key)).toEqual({ status: 200, limit: 2, remaining: 1 })
  })

  test('does not apply to a device key', async () => {
    const device = await buildKey(server, user, ['files:read'], 'device')
    expect(await ask(device)).toEqual({ status: 200, limit: null, remaining: null })
  })
})
