/** Signing in: which attempts succeed, and what a session gets. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashSecret } from '../../src/access/secrets.ts'
import { login } from '../../src/api/auth.ts'
import { defaultPreferences } from '../../src/api/preferences.ts'
import { failure, openClient } from '../support/client.ts'
import { buildUser, disableUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const attempt = (username: string, password: string, headers: Record<string, string> = {}) =>
  openClient(server.url).raw('/api/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ username, password }),
  })

describe('signing in', () => {
  test('answers with the user and all permissions of the role', async () => {
    const { user } = await openClient(server.url).call(login, { username: 'admin', password: server.adminPassword })
    expect(user).toEqual({
      id: expect.any(Number),
      username: 'admin',
      email: 'admin@localhost',
      full_name: null,
      role: 'admin',
      storage_reserved: 0,
      storage_used: 0,
      storage_quota: 5_368_709_120,
      is_active: true,
      created_at: expect.any(String),
      permissions: expect.arrayContaining(['files:read', 'users:manage']),
      must_change_password: false,
      preferences: defaultPreferences,
      sharing: {
        people: true,
        everyone: true,
        find_people: 'names',
        links: true,
        link_uploads: true,
        link_password_required: false,
        link_max_days: 0,
      },
    })
    expect(user.permissions).toHaveLength(16)
  })

  test('gives a plain user every permission except administration', async () => {
    const { username, password } = await buildUser(server)
    const { user } = await openClient(server.url).call(login, { username, password })
    expect(user.permissions).toHaveLength(10)
    expect(
      user.permissions.filter(permission => /^(users|roles|metadata|settings|spaces|validation)/.test(permission)),
    ).toEqual([])
  })

  test('trims the username and ignores its case, but takes the password literally', async () => {
    const { username, password } = await buildUser(server, { username: 'Søren', password: ' eight chars ' })
    expect((await attempt(`  ${username.toUpperCase()} `, password)).status).toBe(200)
    expect((await attempt(username, password.trim())).status).toBe(401)
    expect((await attempt(username, password.toUpperCase())).status).toBe(401)
  })

  test('needs both fields', async () => {
    expect(await failure(await attempt('  ', ''))).toEqual({
      status: 400,
      error: 'invalid_input',
      fields: { username: expect.any(String), password: expect.any(String) },
    })
  })

  test('sets a cookie that scripts cannot read and other sites do not send', async () => {
    const response = await attempt('admin', server.adminPassword)
    const [cookie, ...others] = response.headers.getSetCookie()
    expect(others).toEqual([])
    expect(cookie).toMatch(/^filestore_session=[\w-]{43}; path=\/; expires=[^;]+; samesite=lax; httponly$/)
    const until = Date.parse(/expires=([^;]+)/.exec(cookie ?? '')?.[1] ?? '')
    expect(Math.abs(until - Date.now() - 14 * 24 * 60 * 60 * 1000)).toBeLessThan(60_000)
  })

  test('stores only a hash of the cookie in the database', async () => {
    const response = await attempt('admin', server.adminPassword, { 'user-agent': 'a test' })
    const secret = /=([\w-]{43});/.exec(response.headers.getSetCookie()[0] ?? '')?.[1] ?? ''
    const row = await server.deps.db.row('SELECT user_agent, address FROM sessions WHERE hash = $1', [
      hashSecret(secret),
    ])
    expect(row).toEqual({ user_agent: 'a test', address: '127.0.0.1' })
    const rows = await server.deps.db.rows('SELECT * FROM sessions')
    expect(JSON.stringify(rows)).not.toContain(secret)
  })

  test('records the time of the last sign-in', async () => {
    const { id } = await buildUser(server)
    const row = await server.deps.db.row<{ last_login_at: number }>('SELECT last_login_at FROM users WHERE id = $1', [
      id,
    ])
    expect(Math.abs((row?.last_login_at ?? 0) - Date.now())).toBeLessThan(60_000)
  })
})

describe('a failed sign-in', () => {
  test('of a disabled account is 401 with the wrong password and 403 with the right one', async () => {
    const { id, username, password } = await buildUser(server)
    await disableUser(server, id)
    expect(await failure(await attempt(username, 'wrong password'))).toMatchObject({
      status: 401,
      error: 'unauthenticated',
    })
    const right = await attempt(username, password)
    expect(right.headers.getSetCookie()).toEqual([])
    expect(await failure(right)).toMatchObject({ status: 403, error: 'forbidden' })
  })

  test('does not succeed with special characters in the username', async () => {
    for (const name of ["' OR 1=1 --", 'admin\u0000', '%', '_dmin', '$1', '\\', '\ud800', 'admin\u00a0x']) {
      expect((await attempt(name, server.adminPassword)).status).toBe(401)
    }
  })
})
