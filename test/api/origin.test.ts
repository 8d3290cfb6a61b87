/** Forged requests: what changes state with a cookie must say that it comes from our own pages. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { type BuiltUser, buildKey, buildUser } from '../support/factories.ts'
import { multipartBody, multipartType } from '../support/multipart.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { sendWire } from '../support/wire.ts'

type Headers = Record<string, string>

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

const cookieOf = ({ headers: { cookie = '' } }: BuiltUser): string => cookie

/** What came of making a folder with these headers. */
async function makeFolder(headers: Headers, to = server): Promise<string> {
  const answer = await sendWire(to.url, {
    method: 'POST',
    path: '/api/files/folders',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ name: `folder ${Math.random()}` }),
  })
  return answer.status === 201 ? 'made' : String(JSON.parse(answer.text).error)
}

describe('a request with a cookie that changes state', () => {
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

  test('is held to that for uploads too, before anything is stored', async () => {
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

  test('is held to that even where a key signs it as well', async () => {
    const key = await buildKey(server, user, ['files:write'])
    expect(await makeFolder({ ...key.headers, origin: 'https://evil.example' })).toBe('made')
    expect(await makeFolder({ ...key.headers, cookie: cookieOf(user), origin: 'https://evil.example' })).toBe(
      'bad_origin',
    )
    expect(await makeFolder({ ...key.headers, cookie: cookieOf(user) })).toBe('bad_origin')
  })

  test('takes the host of the request for its own where no public URL is set', async () => {
    const headers = { cookie: cookieOf(user), host: 'files.example:8080' }
    expect(await makeFolder({ ...headers, origin: 'http://files.example:8080' })).toBe('made')
    expect(await makeFolder({ ...headers, origin: server.url })).toBe('bad_origin')
    expect(await makeFolder({ ...headers, 'x-forwarded-host': 'evil.example', origin: 'http://evil.example' })).toBe(
      'bad_origin',
    )
  })

  test('takes only the public URL’s origin where one is set, whatever the host', async () => {
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

/** A session on a server with a public URL, where the test client's own origin is foreign. */
async function buildUserBehind(to: TestServer): Promise<{ headers: Headers }> {
  const answer = await sendWire(to.url, {
    method: 'POST',
    path: '/api/auth/login',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: to.adminName, password: to.adminPassword }),
  })
  return { headers: { cookie: answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '' } }
}

describe('reading', () => {
  test('asks nobody where the request comes from, and changes nothing', async () => {
    const headers = { cookie: cookieOf(user), origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    for (const method of ['GET', 'HEAD']) {
      expect((await sendWire(server.url, { method, path: '/api/files', headers })).status).toBe(200)
    }
    expect((await sendWire(server.url, { path: '/api/auth/logout', headers })).status).toBe(405)
    expect((await user.raw('/api/auth/profile')).status).toBe(200)
  })

  test('is offered to no other origin', async () => {
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

  test('without a cookie needs no origin, but refuses a foreign one', async () => {
    expect(await signIn({})).toBe('in')
    expect(await signIn({ origin: server.url })).toBe('in')
    expect(await signIn({ origin: 'https://evil.example' })).toBe('bad_origin')
    expect(await signIn({ origin: 'null' })).toBe('bad_origin')
    expect(await signIn({ 'sec-fetch-site': 'cross-site' })).toBe('bad_origin')
  })

  test('is refused from a foreign page whatever key it has, and from anywhere with a key that is none', async () => {
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

  test('with a cookie needs one', async () => {
    expect(await signIn({ cookie: cookieOf(user) })).toBe('bad_origin')
    expect(await signIn({ cookie: 'filestore_session=old', origin: server.url })).toBe('in')
  })
})
