/**
 * API keys: their secret is shown once, a request can present them in three ways, and they may do only what they were
 * given.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getProfile } from '../../src/api/auth.ts'
import { listFiles } from '../../src/api/files.ts'
import { createApiKey, deleteApiKey, listApiKeys, listKeyPermissions } from '../../src/api/keys.ts'
import { failure, openClient, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildKey, buildUser, userRolePermissions } from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

const create = (client: TestClient, body: object) =>
  client.raw('/api/auth/api-keys', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const invalid = (field: string) => ({ status: 400, error: 'invalid_input', fields: { [field]: expect.any(String) } })

describe('creating an API key', () => {
  test('shows its secret once, and the database keeps only a hash', async () => {
    const key = await user.call(createApiKey, { name: '  backup script ', permissions: ['files:read', 'files:read'] })
    expect(key).toEqual({
      id: expect.any(Number),
      name: 'backup script',
      key_id: expect.stringMatching(/^gk_[0-9a-f]{24}$/),
      secret: expect.stringMatching(/^gs_[\w-]{43}$/),
      kind: 'script',
      permissions: ['files:read'],
      is_active: true,
      created_at: expect.stringMatching(/Z$/),
      last_used_at: null,
      expires_at: null,
      rate_limit_per_minute: null,
      rate_limit_per_hour: null,
      rate_limit_per_day: null,
      made_by: null,
      scope_id: null,
    })
    const { secret, ...listed } = key
    const { api_keys } = await user.call(listApiKeys, {})
    expect(api_keys.find(({ id }) => id === key.id)).toEqual(listed)
    const rows = await server.deps.db.rows('SELECT * FROM api_keys')
    expect(JSON.stringify(rows)).not.toContain(secret)
    const events = await server.deps.db.rows('SELECT * FROM events')
    expect(JSON.stringify(events)).not.toContain(secret)
  })

  test.each([
    [{ permissions: ['files:read'] }, 'name'],
    [{ name: '   ', permissions: ['files:read'] }, 'name'],
    [{ name: 'x'.repeat(101), permissions: ['files:read'] }, 'name'],
    [{ name: 'a' }, 'permissions'],
    [{ name: 'a', permissions: [] }, 'permissions'],
    [{ name: 'a', permissions: ['files:everything'] }, 'permissions.0'],
    [{ name: 'a', permissions: ['FILES:READ'] }, 'permissions.0'],
    [{ name: 'a', permissions: ['files:read'], kind: 'master' }, 'kind'],
    [{ name: 'a', permissions: ['files:read'], is_active: true }, 'is_active'],
    [{ name: 'a', permissions: ['files:read'], key_id: 'gk_mine' }, 'key_id'],
  ])('refuses %j', async (body, field) => {
    expect(await failure(await create(user, body))).toEqual(invalid(field))
  })

  test('explains missing fields in the words of the product', async () => {
    const unnamed = await (await create(user, { name: ' ', permissions: ['files:read'] })).json()
    expect(unnamed.message).toBe('Please enter a name for the API key')
    const powerless = await (await create(user, { name: 'a', permissions: [] })).json()
    expect(powerless.message).toBe('Please select at least one permission')
  })

  test('cannot give it permissions that its creator lacks', async () => {
    const before = (await user.call(listApiKeys, {})).api_keys.length
    const answer = await failure(await create(user, { name: 'a', permissions: ['files:read', 'users:manage'] }))
    expect(answer).toEqual({ status: 403, error: 'forbidden' })
    const key = await buildKey(server, user, ['api-keys:manage', 'tags:read'])
    expect(await failure(await create(key, { name: 'a', permissions: ['files:read'] }))).toMatchObject({ status: 403 })
    expect((await create(key, { name: 'a', permissions: ['tags:read'] })).status).toBe(201)
    expect((await user.call(listApiKeys, {})).api_keys.length).toBe(before + 2)
  })

  test('offers the permissions that the caller has', async () => {
    const offered = await user.call(listKeyPermissions, {})
    expect(offered.map(({ key }) => key)).toEqual(userRolePermissions)
    expect(Object.keys(offered[0] ?? {}).sort()).toEqual(['description', 'key', 'name'])
    const key = await buildKey(server, user, ['api-keys:manage', 'tags:read'])
    expect((await key.call(listKeyPermissions, {})).map(option => option.key)).toEqual(['tags:read', 'api-keys:manage'])
  })

  test('of the kind device needs a session; another key cannot do it', async () => {
    const device = { name: 'laptop', permissions: ['files:read'], kind: 'device' }
    expect((await create(user, { ...device, current_password: user.password })).status).toBe(201)
    for (const kind of ['script', 'device'] as const) {
      const key = await buildKey(server, user, ['api-keys:manage', 'files:read'], kind)
      const answer = await failure(await create(key, { name: 'a', permissions: ['files:read'], kind: 'device' }))
      expect(answer).toEqual({ status: 403, error: 'forbidden' })
    }
  })
})

describe('an API key', () => {
  test('can be presented in three ways', async () => {
    const { keyId, secret } = await buildKey(server, user, ['files:read'])
    const basic = Buffer.from(`${keyId}:${secret}`).toString('base64')
    const ways: Record<string, string>[] = [
      { 'x-api-key-id': keyId, 'x-api-secret': secret },
      { authorization: `Basic ${basic}` },
      { authorization: `basic ${basic}` },
      { authorization: `Bearer ${keyId}:${secret}` },
    ]
    for (const headers of ways) {
      expect((await openClient(server.url, headers).call(getProfile, {})).username).toBe(user.username)
    }
  })

  test('is 401 when any part of it is wrong, and when it is in the URL', async () => {
    const { keyId, secret } = await buildKey(server, user, ['files:read'])
    const other = await buildKey(server, user, ['files:read'])
    const wrong: Record<string, string>[] = [
      { 'x-api-key-id': keyId },
      { 'x-api-secret': secret },
      { 'x-api-key-id': keyId, 'x-api-secret': '' },
      { 'x-api-key-id': keyId, 'x-api-secret': other.secret },
      { 'x-api-key-id': keyId, 'x-api-secret': `${secret}x` },
      { 'x-api-key-id': keyId.toUpperCase(), 'x-api-secret': secret },
      { 'x-api-key-id': `${keyId} `, 'x-api-secret': secret.slice(0, -1) },
      { authorization: `Bearer ${keyId}` },
      { authorization: 'Bearer' },
      { authorization: `Digest ${keyId}:${secret}` },
      { authorization: 'Basic %%%' },
    ]
    for (const headers of wrong) {
      const response = await openClient(server.url, headers).raw('/api/auth/profile')
      expect({ headers, ...(await failure(response)) }).toEqual({ headers, status: 401, error: 'unauthenticated' })
    }
    const query = `?api_key=${keyId}&key_id=${keyId}&secret=${secret}`
    expect((await openClient(server.url).raw(`/api/auth/profile${query}`)).status).toBe(401)
  })

  test('may use only its own permissions', async () => {
    const key = await buildKey(server, user, ['files:search'])
    expect((await key.call(getProfile, {})).permissions).toEqual(['files:search'])
    await expect(key.call(listFiles, {})).rejects.toMatchObject({ status: 403, code: 'forbidden' })
    expect(await failure(await key.raw('/api/auth/logout', { method: 'POST' }))).toMatchObject({ status: 403 })
  })

  test('needs no Origin header of the same site, and gets no cookie', async () => {
    const key = await buildKey(server, user, ['files:write'])
    const response = await key.raw('/api/files/folders', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: 'https://elsewhere.example',
        'sec-fetch-site': 'cross-site',
      },
      body: '{"name":"by key"}',
    })
    expect(response.status).toBe(201)
    expect(response.headers.getSetCookie()).toEqual([])
  })

  test('without the permission is refused before its body is read', async () => {
    const key = await buildKey(server, user, ['files:read'])
    const response = await key.raw('/api/files/folders', { method: 'POST', body: 'not json at all' })
    expect(await failure(response)).toEqual({ status: 403, error: 'forbidden' })
  })

  test('records its first use at once, and later uses once a minute', async () => {
    const { db } = server.deps
    const key = await buildKey(server, user, ['files:read'])
    const lastUse = async () =>
      (await user.call(listApiKeys, {})).api_keys.find(({ id }) => id === key.id)?.last_used_at ?? null
    expect(await lastUse()).toBeNull()
    await key.call(listFiles, {})
    const first = await lastUse()
    expect(first).not.toBeNull()
    await key.call(listFiles, {})
    expect(await lastUse()).toBe(first)
    await db.touch(() => db.change('UPDATE api_keys SET last_used_at = last_used_at - 61000 WHERE id = $1', [key.id]))
    await key.call(listFiles, {})
    expect(Date.parse((await lastUse()) ?? '')).toBeGreaterThanOrEqual(Date.parse(first ?? ''))
  })

  test('works even when its use cannot be recorded', async context => {
    onlyOn('sqlite', context)
    const { db } = server.deps
    const key = await buildKey(server, user, ['files:read'])
    const full = `BEFORE UPDATE OF last_used_at ON api_keys WHEN NEW.id = ${key.id} BEGIN SELECT RAISE(ABORT, 'full'); END`
    await db.touch(() => db.change(`CREATE TRIGGER full_disk ${full}`))
    expect((await key.raw('/api/files')).status).toBe(200)
    expect((await user.call(listApiKeys, {})).api_keys.find(({ id }) => id === key.id)?.last_used_at).toBeNull()
  })

  test('gives no access after it was deleted or disabled', async () => {
    const { db } = server.deps
    const [deleted, disabled] = [
      await buildKey(server, user, ['files:read']),
      await buildKey(server, user, ['files:read']),
    ]
    expect(await user.call(deleteApiKey, { id: deleted.id })).toBeNull()
    await db.touch(() => db.change('UPDATE api_keys SET is_active = 0 WHERE id = $1', [disabled.id]))
    for (const key of [deleted, disabled]) {
      expect(await failure(await key.raw('/api/files'))).toEqual({ status: 401, error: 'unauthenticated' })
    }
    await expect(user.call(deleteApiKey, { id: deleted.id })).rejects.toMatchObject({ status: 404, code: 'not_found' })
  })

  test('is deleted once by concurrent requests; the others get 404', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await user.call(createApiKey, { name: 'gone', permissions: ['files:read'] })
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => user.raw(`/api/auth/api-keys/${id}`, { method: 'DELETE' })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404])
    }
  })

  test('can be seen and deleted only by its owner', async () => {
    const stranger = await buildUser(server, { role: 'admin' })
    const key = await buildKey(server, user, ['files:read'])
    expect((await stranger.call(listApiKeys, {})).api_keys).toEqual([])
    await expect(stranger.call(deleteApiKey, { id: key.id })).rejects.toMatchObject({ status: 404 })
    expect((await key.raw('/api/files')).status).toBe(200)
  })
})

describe('wrong API keys', () => {
  test('are limited: the 101st within a minute from one address is 429', async () => {
    const other = await startServer()
    try {
      const guess = (round: number) =>
        openClient(other.url, { 'x-api-key-id': `gk_${round}`, 'x-api-secret': 'gs_x' }).raw('/api/files')
      for (let round = 0; round < 100; round++) expect((await guess(round)).status).toBe(401)
      const next = await guess(100)
      expect(Number(next.headers.get('retry-after'))).toBeLessThanOrEqual(60)
      expect(await failure(next)).toEqual({ status: 429, error: 'rate_limited' })
    } finally {
      await other.close()
    }
  })
})
