/**
 * Authentication fails closed: after any error nobody is signed in, and each credential works only in its own place.
 * There is no second factor here; a call that accepted the bare password elsewhere would bypass one.
 */

import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { login } from '../../src/api/auth.ts'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { ConnectError } from '../../src/db/connections.ts'
import { openClient, type TestClient } from '../support/client.ts'
import { callOf } from '../support/contract.ts'
import { type BuiltUser, buildFile, buildKey, buildUser, userRolePermissions } from '../support/factories.ts'
import { routesOf } from '../support/routes-of.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
let key: TestClient & { keyId: string; secret: string }
let guarded: Endpoint[]
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
  key = await buildKey(server, user, [...userRolePermissions])
  await buildFile(user)
  guarded = routesOf(server).flatMap(route => ('access' in route ? [route.endpoint] : []))
})
afterAll(() => server.close())

const basic = (name: string, secret: string) => `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`

/** The answer to a call with these headers; only the authentication of the request matters. */
async function ask(endpoint: Endpoint, headers: Record<string, string>): Promise<{ status: number; cookies: number }> {
  const hasBody = endpoint.method === 'POST' || endpoint.method === 'PUT'
  const response = await openClient(server.url, { origin: server.url, ...headers }).raw(
    `/api${endpoint.path.replace(/:\w+/g, '1')}`,
    {
      method: endpoint.method,
      ...(hasBody ? { headers: { 'content-type': 'application/json' }, body: '{}' } : {}),
    },
  )
  const body = await response.text()
  // The answer to HEAD has no body.
  if (endpoint.method !== 'HEAD') expect(body).toContain('"success":false')
  return { status: response.status, cookies: response.headers.getSetCookie().filter(one => !/=;/.test(one)).length }
}

/** Makes every call that needs authentication; returns the statuses. */
async function statusesOf(headers: Record<string, string>): Promise<number[]> {
  const statuses = new Set<number>()
  for (const endpoint of guarded) {
    const { status, cookies } = await ask(endpoint, headers)
    expect({ call: callOf(endpoint), cookies }).toEqual({ call: callOf(endpoint), cookies: 0 })
    statuses.add(status)
  }
  return [...statuses]
}

/** A sign-in with the correct password. */
const signInRightly = ({ username, password }: Pick<BuiltUser, 'username' | 'password'> = user) =>
  openClient(server.url).raw(`/api${login.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })

const doors = (): [string, Record<string, string>][] => [
  ['session', { cookie: user.headers.cookie ?? '' }],
  ['key', key.headers],
  ['key as Basic', { authorization: basic(key.keyId, key.secret) }],
  ['key as Bearer', { authorization: `Bearer ${key.keyId}:${key.secret}` }],
]

describe('a damaged password hash', () => {
  const rest = '$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
  test.each([
    ['is cut off', '$argon2id$v=19$m=65536'],
    ['has lost its end', `$argon2id$v=19$m=19456,t=2,p=1${rest.slice(0, -1)}`],
    ['asks for terabytes', `$argon2id$v=19$m=4294967295,t=2,p=1${rest}`],
    ['is empty', ''],
  ])('counts as a wrong password when it %s, and is logged', async (_, hash) => {
    const told = vi.spyOn(server.deps.log, 'error')
    onTestFinished(() => told.mockRestore())
    const { id, username, password } = await buildUser(server)
    await spoilRows(server, `UPDATE users SET password_hash = '${hash}' WHERE id = ${id}`)
    const response = await signInRightly({ username, password })
    expect(response.status).toBe(401)
    expect(await response.text()).toContain('Invalid username or password')
    expect(told.mock.calls).toEqual([[expect.stringContaining('the hash of a password is damaged')]])
  })
})

describe('an error during authentication', () => {
  const failures: [string, Error, number][] = [
    ['a database that is gone', new ConnectError(new Error('gone')), 503],
    ['an error that nobody foresaw', new Error('unforeseen'), 500],
    ['a wrong type', new TypeError('not a function'), 500],
  ]

  test.each(failures)('authenticates nobody in any way: %s', async (_what, error, status) => {
    const failing = vi.spyOn(server.deps.db, 'row').mockRejectedValue(error)
    onTestFinished(() => failing.mockRestore())
    for (const [door, headers] of doors()) {
      expect({ door, statuses: await statusesOf(headers) }).toEqual({ door, statuses: [status] })
    }
    const signIn = await signInRightly()
    expect({ status: signIn.status, cookies: signIn.headers.getSetCookie() }).toEqual({ status, cookies: [] })
  })

  test('in the rate limits or the password check signs nobody in, even with the correct password', async () => {
    const { limits, passwords } = server.deps
    const broken = new Error('broken')
    const failures = [
      () => vi.spyOn(limits, 'admit').mockRejectedValue(broken),
      () => vi.spyOn(limits, 'succeed').mockRejectedValue(broken),
      () => vi.spyOn(passwords, 'verify').mockRejectedValue(broken),
    ]
    for (const fail of failures) {
      const failing = fail()
      const response = await signInRightly()
      failing.mockRestore()
      expect({ status: response.status, cookies: response.headers.getSetCookie() }).toEqual({
        status: 500,
        cookies: [],
      })
    }
  })

  test('in reading the permissions of a key gives the key none', async () => {
    const { db } = server.deps
    const broken = await buildKey(server, user, ['files:read'])
    for (const permissions of [
      '',
      'null',
      '{',
      '"files:read"',
      '{"files:read":true}',
      '["*"]',
      '["FILES:READ"]',
      '[null]',
    ]) {
      await db.touch(() =>
        db.change('UPDATE api_keys SET permissions = $1 WHERE key_id = $2', [permissions, broken.keyId]),
      )
      const { status } = await ask(guarded.find(one => one.path === '/files') as Endpoint, broken.headers)
      expect({ permissions, isRefused: status === 403 || status === 500 }).toEqual({ permissions, isRefused: true })
    }
  })
})

describe('the password of a user', () => {
  test('works for signing in only, in whatever header it is sent', async () => {
    const { username, password } = user
    for (const headers of [
      { authorization: basic(username, password) },
      { authorization: basic(key.keyId, password) },
      { authorization: `Bearer ${username}:${password}` },
      { authorization: `Bearer ${password}` },
      { 'x-api-key-id': username, 'x-api-secret': password },
      { 'x-api-key-id': key.keyId, 'x-api-secret': password },
      { cookie: `filestore_session=${encodeURIComponent(password)}` },
      {
        'x-forwarded-user': username,
        'remote-user': username,
        'x-remote-user': username,
        'x-user-id': String(user.id),
      },
    ] as Record<string, string>[]) {
      const { status } = await ask(guarded.find(one => one.path === '/files') as Endpoint, headers)
      expect({ headers, status }).toEqual({ headers, status: 401 })
    }
  })

  test.each(['PROPFIND', 'PROPPATCH', 'MKCOL', 'COPY', 'MOVE', 'LOCK', 'UNLOCK', 'SEARCH', 'REPORT'])(
    'is refused with any WebDAV method: %s',
    async method => {
      for (const path of ['/', '/dav/', '/webdav/', '/api/files', '/remote.php/webdav/']) {
        const headers = { authorization: basic(user.username, user.password) }
        const response = await openClient(server.url, headers).raw(path, { method })
        await response.body?.cancel()
        expect({ path, status: response.status }).toEqual({ path, status: path.startsWith('/api') ? 401 : 405 })
      }
    },
  )
})
