/** Sessions: how long they live, what ends them, and that nothing revives them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashSecret } from '../../src/access/secrets.ts'
import { changePassword, getProfile, listSessions, logout } from '../../src/api/auth.ts'
import { listFiles } from '../../src/api/files.ts'
import { updateUser } from '../../src/api/users.ts'
import { failure, openClient, signIn, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildKey, buildUser, disableUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

const day = 24 * 60 * 60 * 1000

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

const secretOf = (client: TestClient): string => client.headers.cookie?.split('=')[1] ?? ''
const isIn = async (client: TestClient): Promise<boolean> => (await client.raw('/api/auth/profile')).status === 200

/** Moves a session's times into the past (ms). */
const age = (client: TestClient, ms: number) =>
  server.deps.db.touch(() =>
    server.deps.db.change(
      'UPDATE sessions SET last_seen_at = last_seen_at - $1, expires_at = expires_at - $1 WHERE hash = $2',
      [ms, hashSecret(secretOf(client))],
    ),
  )

describe('a session over HTTPS', () => {
  let secure: TestServer
  beforeAll(async () => {
    secure = await startServer({ publicUrl: 'https://files.example.org' })
  })
  afterAll(() => secure.close())

  /** Signs in and returns the cookie that the server sets. */
  const setCookie = async (to: TestServer): Promise<string> => {
    const response = await openClient(to.url).raw('/api/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: to.adminName, password: to.adminPassword }),
    })
    expect(response.status).toBe(200)
    const [cookie = '', ...others] = response.headers.getSetCookie()
    expect(others).toEqual([])
    return cookie
  }
  const sessionForm = /^__Host-filestore_session=[\w-]{43}; path=\/; expires=[^;]+; samesite=lax; secure; httponly$/

  test('has a cookie with the prefix __Host-, so browsers let no other host set it', async () => {
    expect(await setCookie(secure)).toMatch(sessionForm)
    const below = await startServer({ publicUrl: 'https://example.org/files' })
    try {
      expect(await setCookie(below)).toMatch(sessionForm)
    } finally {
      await below.close()
    }
  })

  test('is neither replaced nor opened by a cookie that a sibling host can set', async () => {
    const [own = ''] = (await setCookie(secure)).split(';')
    const [other = ''] = (await setCookie(secure)).split(';')
    const planted = other.replace('__Host-', '')
    expect(await isIn(openClient(secure.url, { cookie: planted }))).toBe(false)
    const { db } = secure.deps
    const lastUsed = () => db.rows<{ id: number }>('SELECT id FROM sessions ORDER BY id')
    const before = await lastUsed()
    for (const cookie of [`${planted}; ${own}`, `${own}; ${planted}`]) {
      const client = openClient(secure.url, { cookie, origin: 'https://files.example.org' })
      expect(await isIn(client)).toBe(true)
      const { sessions } = await client.call(listSessions, {})
      expect(sessions.find(({ current }) => current)?.id).toBe(before.at(-2)?.id)
    }
    const signedOut = await openClient(secure.url, {
      cookie: `${planted}; ${own}`,
      origin: 'https://files.example.org',
    }).raw('/api/auth/logout', { method: 'POST' })
    expect(signedOut.status).toBe(200)
    expect(await isIn(openClient(secure.url, { cookie: own }))).toBe(false)
    expect(await isIn(openClient(secure.url, { cookie: other }))).toBe(true)
  })

  test('has the same cookie name in the OpenAPI document', async () => {
    const { components } = (await (await openClient(secure.url).raw('/api/openapi.json')).json()) as {
      components: { securitySchemes: { session: { name: string } } }
    }
    expect(components.securitySchemes.session.name).toBe('__Host-filestore_session')
  })
})

describe('a session', () => {
  test('is needed to make calls', async () => {
    expect((await user.call(getProfile, {})).username).toBe(user.username)
    const cookies = ['', 'filestore_session=', 'filestore_session=x', `filestore_session=${'A'.repeat(43)}`, 'other=1']
    for (const cookie of cookies) {
      const stranger = openClient(server.url, { cookie })
      expect(await failure(await stranger.raw('/api/auth/profile'))).toEqual({ status: 401, error: 'unauthenticated' })
    }
  })

  test('is not opened by its hash or by another spelling of its id', async () => {
    const secret = secretOf(user)
    for (const id of [hashSecret(secret), secret.toLowerCase(), `${secret}=`, secret.slice(0, -1)]) {
      expect(await isIn(openClient(server.url, { cookie: `filestore_session=${id}` }))).toBe(false)
    }
  })

  test('ends 14 days after its last use', async () => {
    const client = await signIn(server.url, user.username, user.password)
    await age(client, 13.9 * day)
    expect(await isIn(client)).toBe(true)
    await age(client, 13.9 * day)
    expect(await isIn(client)).toBe(true)
    await age(client, 14.1 * day)
    expect(await failure(await client.raw('/api/auth/profile'))).toEqual({ status: 401, error: 'unauthenticated' })
  })

  test('renews its cookie, so that both expire together', async () => {
    const response = await user.raw('/api/auth/profile')
    const [cookie] = response.headers.getSetCookie()
    const until = Date.parse(/expires=([^;]+)/.exec(cookie ?? '')?.[1] ?? '')
    expect(until - Date.now()).toBeGreaterThan(13.9 * day)
  })

  test('gets a new id with each sign-in, and the old cookie becomes invalid', async () => {
    const first = await signIn(server.url, user.username, user.password)
    const again = await first.raw('/api/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: user.username, password: user.password }),
    })
    expect(again.status).toBe(200)
    const cookie = again.headers.getSetCookie().at(-1)?.split(';')[0] ?? ''
    expect(cookie).not.toBe(first.headers.cookie)
    expect(await isIn(openClient(server.url, { cookie }))).toBe(true)
    expect(await isIn(first)).toBe(false)
  })

  test('never uses an id that the client sends', async () => {
    const planted = `filestore_session=${'p'.repeat(43)}`
    const response = await openClient(server.url, { cookie: planted, origin: server.url }).raw('/api/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: user.username, password: user.password }),
    })
    expect(response.status).toBe(200)
    expect(await isIn(openClient(server.url, { cookie: planted }))).toBe(false)
  })

  test('ends at sign-out and clears its cookie, and other sessions stay', async () => {
    const client = await signIn(server.url, user.username, user.password)
    const response = await client.raw('/api/auth/logout', { method: 'POST' })
    expect(await response.json()).toMatchObject({ success: true, data: null })
    expect(response.headers.getSetCookie()[0]).toMatch(/^filestore_session=; .*expires=Thu, 01 Jan 1970/)
    expect(await isIn(client)).toBe(false)
    expect(await isIn(user)).toBe(true)
    expect(await failure(await client.raw('/api/auth/logout', { method: 'POST' }))).toMatchObject({ status: 401 })
  })

  test('is not revived by requests that run during the sign-out', async () => {
    for (let round = 0; round < 5; round++) {
      const client = await signIn(server.url, user.username, user.password)
      await age(client, 2 * 60_000)
      await Promise.all([
        ...Array.from({ length: 5 }, () => client.raw('/api/files')),
        client.call(logout, {}),
        ...Array.from({ length: 5 }, () => client.raw('/api/files')),
      ])
      expect(await isIn(client)).toBe(false)
    }
  })

  test('ends at once when its user is disabled, and so do the API keys', async () => {
    const victim = await buildUser(server)
    const key = await buildKey(server, victim, ['files:read'])
    await disableUser(server, victim.id)
    expect(await isIn(victim)).toBe(false)
    expect(await isIn(key)).toBe(false)
  })

  test('has the current permissions of its role', async () => {
    const { db } = server.deps
    const admin = await buildUser(server, { role: 'admin' })
    const key = await buildKey(server, admin, ['users:manage', 'files:read'])
    await db.touch(() =>
      db.change("UPDATE users SET role_id = (SELECT id FROM roles WHERE name = 'user') WHERE id = $1", [admin.id]),
    )
    expect((await admin.call(getProfile, {})).permissions).not.toContain('users:manage')
    expect((await key.call(getProfile, {})).permissions).toEqual(['files:read'])
  })
})

describe('a sign-in with the old password', () => {
  const attempt = ({ username, password }: BuiltUser) =>
    openClient(server.url).raw('/api/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password }),
    })

  test.each<[string, (victim: BuiltUser, admin: BuiltUser) => Promise<unknown>]>([
    [
      'changed',
      victim => victim.call(changePassword, { current_password: victim.password, new_password: 'a better one' }),
    ],
    ['reset', (victim, admin) => admin.call(updateUser, { id: victim.id, password: 'a better one' })],
  ])('that runs while it is %s gives no access', async (_how, change) => {
    const [victim, admin] = [await buildUser(server), await buildUser(server, { role: 'admin' })]
    let isChanged = false
    const answers: Response[] = []
    const keepTrying = async () => {
      while (!isChanged) answers.push(await attempt(victim))
    }
    const tries = Array.from({ length: 10 }, keepTrying)
    await change(victim, admin)
    isChanged = true
    await Promise.all(tries)
    for (const answer of answers) {
      const [cookie = ''] = answer.headers.getSetCookie().at(-1)?.split(';') ?? []
      expect(await isIn(openClient(server.url, { cookie }))).toBe(false)
      if (answer.status !== 200) expect([answer.status, cookie]).toEqual([401, expect.stringMatching(/^$|=$/)])
    }
    expect(answers.some(({ status }) => status === 401)).toBe(true)
  })
})

describe('a request with a session cookie and an API key', () => {
  test('acts with the rights of the key', async () => {
    const other = await buildUser(server)
    const key = await buildKey(server, other, ['tags:read'])
    const both = openClient(server.url, { ...user.headers, ...key.headers })
    expect((await both.call(getProfile, {})).username).toBe(other.username)
    await expect(both.call(listFiles, {})).rejects.toMatchObject({ status: 403, code: 'forbidden' })
  })

  test('is 401 when the key is wrong, whatever the cookie', async () => {
    const both = openClient(server.url, { ...user.headers, authorization: 'Bearer gk_x:gs_x' })
    expect(await failure(await both.raw('/api/auth/profile'))).toEqual({ status: 401, error: 'unauthenticated' })
  })
})
