/**
 * Requests that another site makes a browser send: a change with a cookie needs an Origin header of our own pages,
 * reading changes nothing, and no answer leads to a host that the request names.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { followChanges } from '../../src/api/changes.ts'
import { listFiles } from '../../src/api/files.ts'
import { sendCall } from '../matrix/send.ts'
import { openClient } from '../support/client.ts'
import { type BuiltUser, buildKey, buildUser } from '../support/factories.ts'
import { multipartBody, multipartType } from '../support/multipart.ts'
import { startServer } from '../support/server.ts'
import { passingTables, readTables } from '../support/table-rows.ts'
import type { TestServer } from '../support/test-server.ts'
import { sendWire } from '../support/wire.ts'
import { buildEveryCall, type EveryCall } from './every-call.ts'

type Headers = Record<string, string>

let server: TestServer
let user: BuiltUser
let every: EveryCall
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
  every = await buildEveryCall(server)
})
afterAll(() => server.close())

const cookieOf = ({ headers: { cookie = '' } }: BuiltUser): string => cookie

/** Creates a folder with these headers; returns `made` or the error code. */
async function makeFolder(headers: Headers, to = server): Promise<string> {
  const answer = await sendWire(to.url, {
    method: 'POST',
    path: '/api/files/folders',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ name: `folder ${Math.random()}` }),
  })
  return answer.status === 201 ? 'made' : String(JSON.parse(answer.text).error)
}

describe('a change with a session cookie', () => {
  test.each<[Headers, string]>([
    [{}, 'bad_origin'],
    [{ origin: 'null' }, 'bad_origin'],
    [{ origin: 'https://evil.example' }, 'bad_origin'],
    [{ origin: 'SERVER.evil.example' }, 'bad_origin'],
    [{ origin: 'SERVER/' }, 'bad_origin'],
    [{ origin: 'SERVER0' }, 'bad_origin'],
    [{ origin: 'HTTPS' }, 'bad_origin'],
    [{ 'sec-fetch-site': 'same-site' }, 'bad_origin'],
    [{ 'sec-fetch-site': 'cross-site' }, 'bad_origin'],
    [{ 'sec-fetch-site': 'none' }, 'bad_origin'],
    [{ origin: 'SERVER', 'sec-fetch-site': 'cross-site' }, 'bad_origin'],
    [{ origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }, 'bad_origin'],
    [{ referer: 'SERVER/' }, 'bad_origin'],
    [{ origin: 'SERVER' }, 'made'],
    [{ 'sec-fetch-site': 'same-origin' }, 'made'],
    [{ origin: 'SERVER', 'sec-fetch-site': 'same-origin' }, 'made'],
  ])('with %j is %s', async (headers, outcome) => {
    const real = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        value.replace('SERVER', server.url).replace('HTTPS', server.url.replace('http:', 'https:')),
      ]),
    )
    expect(await makeFolder({ cookie: cookieOf(user), ...real })).toBe(outcome)
  })

  test('is refused for an upload before anything is stored', async () => {
    const before = (await user.call(listFiles, {})).total
    const answer = await sendWire(server.url, {
      method: 'POST',
      path: '/api/files/upload',
      headers: { cookie: cookieOf(user), 'content-type': multipartType, origin: 'https://evil.example' },
      body: multipartBody([{ name: 'file', fileName: 'forged.txt', value: 'x' }]),
    })
    expect(answer.status).toBe(403)
    expect(JSON.parse(answer.text)).toMatchObject({ error: 'bad_origin' })
    expect((await user.call(listFiles, {})).total).toBe(before)
  })

  test('is refused from another origin even when an API key is sent, too', async () => {
    const key = await buildKey(server, user, ['files:write'])
    expect(await makeFolder({ ...key.headers, origin: 'https://evil.example' })).toBe('made')
    expect(await makeFolder({ ...key.headers, cookie: cookieOf(user), origin: 'https://evil.example' })).toBe(
      'bad_origin',
    )
    expect(await makeFolder({ ...key.headers, cookie: cookieOf(user) })).toBe('bad_origin')
  })

  test('is accepted from the Host of the request when no public URL is set', async () => {
    const headers = { cookie: cookieOf(user), host: '192.168.1.20:8080' }
    expect(await makeFolder({ ...headers, origin: 'http://192.168.1.20:8080' })).toBe('made')
    expect(await makeFolder({ ...headers, origin: server.url })).toBe('bad_origin')
    expect(await makeFolder({ ...headers, 'x-forwarded-host': 'evil.example', origin: 'http://evil.example' })).toBe(
      'bad_origin',
    )
  })

  test('is accepted only from the public URL’s origin when one is set, whatever the Host', async () => {
    const behind = await startServer({ publicUrl: 'https://files.example.org/store/' })
    try {
      const { headers } = await buildUserBehind(behind)
      const cookie = headers.cookie ?? ''
      expect(await makeFolder({ cookie, origin: 'https://files.example.org' }, behind)).toBe('made')
      expect(await makeFolder({ cookie, origin: behind.url }, behind)).toBe('bad_origin')
      const poisoned = { cookie, host: 'evil.example', origin: 'https://evil.example' }
      expect(await makeFolder(poisoned, behind)).toBe('bad_origin')
    } finally {
      await behind.close()
    }
  })
})

/** A session on a server with a public URL, where the test client's own origin is another one. */
async function buildUserBehind(to: TestServer): Promise<{ headers: Headers }> {
  const answer = await sendWire(to.url, {
    method: 'POST',
    path: '/api/auth/login',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: to.adminName, password: to.adminPassword }),
  })
  return { headers: { cookie: answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '' } }
}

describe('a reading call', () => {
  test('needs no origin and changes nothing', async () => {
    const headers = { cookie: cookieOf(user), origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    for (const method of ['GET', 'HEAD']) {
      expect((await sendWire(server.url, { method, path: '/api/files', headers })).status).toBe(200)
    }
    expect((await sendWire(server.url, { path: '/api/auth/logout', headers })).status).toBe(405)
    expect((await user.raw('/api/auth/profile')).status).toBe(200)
  })

  test('allows no other origin to read its answer', async () => {
    const answer = await sendWire(server.url, {
      path: '/api/files',
      headers: { cookie: cookieOf(user), origin: 'https://evil.example' },
    })
    expect(Object.keys(answer.headers).filter(name => name.startsWith('access-control'))).toEqual([])
  })
})

describe('signing in', () => {
  const signIn = async (headers: Headers): Promise<string> => {
    const answer = await sendWire(server.url, {
      method: 'POST',
      path: '/api/auth/login',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ username: user.username, password: user.password }),
    })
    return answer.status === 200 ? 'in' : String(JSON.parse(answer.text).error)
  }

  test('without a cookie needs no Origin header, but refuses a foreign origin', async () => {
    expect(await signIn({})).toBe('in')
    expect(await signIn({ origin: server.url })).toBe('in')
    expect(await signIn({ origin: 'https://evil.example' })).toBe('bad_origin')
    expect(await signIn({ origin: 'null' })).toBe('bad_origin')
    expect(await signIn({ 'sec-fetch-site': 'cross-site' })).toBe('bad_origin')
  })

  test('is refused from a foreign origin with any API key, and everywhere with a wrong key', async () => {
    const { keyId, secret } = await buildKey(server, user, ['files:read'])
    const claims: Headers[] = [
      { 'x-api-key-id': 'bogus' },
      { authorization: 'Bearer a:b' },
      { authorization: 'Basic x' },
    ]
    for (const key of claims) {
      expect(await signIn({ origin: 'https://evil.example', ...key })).toBe('unauthenticated')
      expect(await signIn(key)).toBe('unauthenticated')
    }
    const right = { 'x-api-key-id': keyId, 'x-api-secret': secret }
    expect(await signIn({ 'sec-fetch-site': 'cross-site', ...right })).toBe('bad_origin')
  })

  test('with a cookie needs an Origin header', async () => {
    expect(await signIn({ cookie: cookieOf(user) })).toBe('bad_origin')
    expect(await signIn({ cookie: 'filestore_session=old', origin: server.url })).toBe('in')
  })
})

describe('every changing call', () => {
  const reading = ['GET', 'HEAD', 'OPTIONS']
  const forgeries: Headers[] = [
    {},
    { origin: 'null' },
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
  ]

  test('is refused from another site, whatever the form of its body, and changes nothing', async () => {
    const before = await readTables(server, passingTables)
    const done: object[] = []
    const unsafe = every.calls.filter(({ endpoint }) => !reading.includes(endpoint.method))
    for (const { row, endpoint, input } of unsafe) {
      for (const headers of forgeries) {
        const client = openClient(server.url, { cookie: cookieOf(every.caller.user), ...headers })
        const response = await sendCall(client, endpoint, input, { asForm: row.endsWith(': form') })
        const { error } = (await response.json()) as { error?: string }
        if (response.status !== 403 || error !== 'bad_origin') done.push({ row, headers, status: response.status })
      }
    }
    expect(done).toEqual([])
    expect(new Set(unsafe.map(({ endpoint }) => endpoint.path)).size).toBeGreaterThan(25)
    expect(await readTables(server, passingTables)).toEqual(before)
  })

  test('cannot be made by a method override header', async () => {
    const before = await readTables(server, passingTables)
    const names = ['x-http-method-override', 'x-http-method', 'x-method-override']
    for (const { endpoint, input } of every.calls.filter(call => call.endpoint.method === 'DELETE')) {
      for (const method of ['GET', 'POST']) {
        const headers = Object.fromEntries(names.map(name => [name, 'DELETE']))
        const client = openClient(server.url, { ...every.caller.user.headers, ...headers })
        const response = await sendCall(client, endpoint, input, { method })
        await response.body?.cancel()
        // Where another call has this method and path, it answers as ever.
        const isCall = every.calls.some(call => call.endpoint.method === method && call.endpoint.path === endpoint.path)
        if (!isCall) expect([404, 405]).toContain(response.status)
      }
    }
    expect(await readTables(server, passingTables)).toEqual(before)
  })
})

describe('every reading call', () => {
  const reading = () => every.calls.filter(({ endpoint }) => endpoint.method === 'GET')

  test('changes no rows, except for a thumbnail that it draws', async () => {
    const but = [...passingTables, 'file_thumbnails']
    const before = await readTables(server, but)
    for (const { endpoint, input } of reading()) {
      for (const method of ['GET', 'HEAD']) {
        const response = await sendCall(every.caller.client, endpoint, input, { method })
        expect({ path: endpoint.path, status: response.status }).toEqual({ path: endpoint.path, status: 200 })
        await response.arrayBuffer()
      }
    }
    expect(reading().length).toBeGreaterThan(25)
    expect(await readTables(server, but)).toEqual(before)
  })

  test('never repeats a host that the request names, nor redirects', async () => {
    const named = { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
    const headers = { cookie: cookieOf(user), 'x-forwarded-proto': 'https', 'x-original-url': '/evil', ...named }
    const pages = [
      '/',
      '/login',
      '/login?next=https://evil.example',
      '//evil.example/',
      '/%2f%2fevil.example',
      '/\\evil.example',
    ]
    const paths = reading().map(({ endpoint }) => `/api${endpoint.path.replace(/:\w+/g, '1')}`)
    const odd = ['/api//evil.example', '/api/', '/api', '/assets//evil.example', 'http://evil.example/api/files']
    for (const path of [...pages, ...paths, ...odd, '/healthz', '/readyz', '/metrics']) {
      // The stream of changes has no end; its head says as much.
      const method = path === `/api${followChanges.path}` ? 'HEAD' : 'GET'
      const answer = await sendWire(server.url, { method, path, headers })
      expect({ path, to: answer.headers.location }).toEqual({ path, to: undefined })
      expect(answer.status < 300 || answer.status >= 400).toBe(true)
      expect(`${path}: ${JSON.stringify(answer.headers)}${answer.text}`).not.toMatch(/: .*evil/s)
    }
  })
})
