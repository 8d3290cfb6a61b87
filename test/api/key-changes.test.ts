/**
 * What happens to an API key after its creation: it is renamed, disabled or expires, and never exceeds its owner's
 * role.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { getProfile } from '../../src/api/auth.ts'
import { type ApiKey, createApiKey, listApiKeys, updateApiKey } from '../../src/api/keys.ts'
import { keyExpiryDays } from '../../src/api/limits.ts'
import { createRole, listPermissions, updateRole } from '../../src/api/roles.ts'
import { updateUser } from '../../src/api/users.ts'
import { failure, signIn, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildKey, buildUser, userRolePermissions } from '../support/factories.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
  admin = await signIn(server.url, server.adminName, server.adminPassword)
})
afterAll(() => server.close())
afterEach(() => {
  vi.useRealTimers()
})

const day = 24 * 60 * 60 * 1000

const send = (client: TestClient, method: string, path: string, body: object) =>
  client.raw(`/api/auth/api-keys${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function listed(client: TestClient, id: number): Promise<ApiKey | undefined> {
  return (await client.call(listApiKeys, {})).api_keys.find(key => key.id === id)
}

const statusOf = async (client: TestClient, path = '/api/files') => (await client.raw(path)).status

describe('changing an API key', () => {
  test('renames it and changes no other field', async () => {
    const key = await buildKey(server, user, ['files:read'], 'script', { expires_in: 7, rate_limit_per_hour: 5 })
    const before = await listed(user, key.id)
    const { api_key } = await user.call(updateApiKey, { id: key.id, name: '  nightly  ' })
    expect(api_key).toEqual({ ...before, name: 'nightly' })
    expect(await listed(user, key.id)).toEqual(api_key)
  })

  test('disables or enables it from the next request on', async () => {
    const key = await buildKey(server, user, ['files:read'])
    expect(await statusOf(key)).toBe(200)
    expect((await user.call(updateApiKey, { id: key.id, is_active: false })).api_key.is_active).toBe(false)
    expect(await failure(await key.raw('/api/files'))).toEqual({ status: 401, error: 'unauthenticated' })
    await user.call(updateApiKey, { id: key.id, is_active: true })
    expect(await statusOf(key)).toBe(200)
  })

  test('records one event for each change, and none when nothing changed', async () => {
    const key = await buildKey(server, user, ['files:read'])
    const { name } = (await listed(user, key.id)) ?? { name: '' }
    await user.call(updateApiKey, { id: key.id })
    await user.call(updateApiKey, { id: key.id, name, is_active: true })
    await user.call(updateApiKey, { id: key.id, name: 'other' })
    const events = await server.deps.db.rows<{ detail: string }>(
      "SELECT detail FROM events WHERE action = 'api-key.update' AND item_id = $1",
      [key.id],
    )
    expect(events.map(({ detail }) => JSON.parse(detail))).toEqual([{ name: 'other' }])
  })

  test('keeps both of two concurrent changes', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await buildKey(server, user, ['files:read'])
      await Promise.all([
        user.call(updateApiKey, { id, name: `renamed ${round}` }),
        user.call(updateApiKey, { id, is_active: false }),
      ])
      expect(await listed(user, id)).toMatchObject({ name: `renamed ${round}`, is_active: false })
    }
  })

  test.each([
    [{ permissions: ['files:write'] }, 'permissions'],
    [{ expires_in: 30 }, 'expires_in'],
    [{ expires_at: null }, 'expires_at'],
    [{ rate_limit_per_minute: 1000 }, 'rate_limit_per_minute'],
    [{ kind: 'device' }, 'kind'],
    [{ secret: 'gs_mine' }, 'secret'],
    [{ name: '  ' }, 'name'],
    [{ name: null }, 'name'],
    [{ is_active: 'false' }, 'is_active'],
    [{ is_active: 0 }, 'is_active'],
  ])('refuses %j', async (body, field) => {
    const { id } = await buildKey(server, user, ['files:read'])
    const before = await listed(user, id)
    expect(await failure(await send(user, 'PUT', `/${id}`, body))).toEqual({
      status: 400,
      error: 'invalid_input',
      fields: { [field]: expect.any(String) },
    })
    expect(await listed(user, id)).toEqual(before)
  })

  test('is 404 for another user’s key, and for an unknown key', async () => {
    const { id } = await buildKey(server, user, ['files:read'])
    for (const [client, target] of [
      [admin, id],
      [user, 999_999],
    ] as const) {
      const answer = await failure(await send(client, 'PUT', `/${target}`, { is_active: false }))
      expect(answer).toEqual({ status: 404, error: 'not_found' })
    }
    expect(await listed(user, id)).toMatchObject({ is_active: true })
  })
})

describe('the expiry of an API key', () => {
  test('ends the key to the millisecond; it stays in the list, and enabling it does not revive it', async context => {
    onlyOneServer('clock', context)
    const key = await buildKey(server, user, ['files:read'], 'script', { expires_in: 7 })
    const { created_at, expires_at } = (await listed(user, key.id)) ?? { created_at: '', expires_at: null }
    expect(Date.parse(expires_at ?? '') - Date.parse(created_at)).toBe(7 * day)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(expires_at ?? '') - 1 })
    expect(await statusOf(key)).toBe(200)
    vi.setSystemTime(Date.parse(expires_at ?? ''))
    expect(await failure(await key.raw('/api/files'))).toEqual({ status: 401, error: 'unauthenticated' })
    expect(await listed(user, key.id)).toMatchObject({ expires_at, is_active: true })
    await user.call(updateApiKey, { id: key.id, is_active: true })
    expect(await statusOf(key)).toBe(401)
  })

  test('applies to a device key, too', async context => {
    onlyOneServer('clock', context)
    const key = await buildKey(server, user, ['files:read'], 'device', { expires_in: 1 })
    expect(await statusOf(key)).toBe(200)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + day + 1000 })
    expect(await statusOf(key)).toBe(401)
  })
})

describe('creating an API key', () => {
  test.each(keyExpiryDays)('lets it live for %i days, an option of the form', async days => {
    const key = await user.call(createApiKey, { name: 'dated', permissions: ['files:read'], expires_in: days })
    expect(Date.parse(key.expires_at ?? '') - Date.parse(key.created_at)).toBe(days * day)
  })

  test('keeps the chosen limits and shows them in the list', async () => {
    const limits = { rate_limit_per_minute: 1, rate_limit_per_hour: 100_000, rate_limit_per_day: 1_000_000 }
    const { secret, ...made } = await user.call(createApiKey, {
      name: 'limited',
      permissions: ['files:read'],
      expires_in: 36_500,
      ...limits,
    })
    expect(made).toMatchObject({ ...limits, kind: 'script' })
    expect(await listed(user, made.id)).toEqual(made)
    expect(JSON.stringify(await user.call(listApiKeys, {}))).not.toContain(secret)
  })

  test.each([
    [{ expires_in: 0 }, 'expires_in'],
    [{ expires_in: -1 }, 'expires_in'],
    [{ expires_in: 1.5 }, 'expires_in'],
    [{ expires_in: '7' }, 'expires_in'],
    [{ expires_in: null }, 'expires_in'],
    [{ expires_in: 36_501 }, 'expires_in'],
    [{ rate_limit_per_minute: 0 }, 'rate_limit_per_minute'],
    [{ rate_limit_per_minute: 1001 }, 'rate_limit_per_minute'],
    [{ rate_limit_per_minute: 0.5 }, 'rate_limit_per_minute'],
    [{ rate_limit_per_hour: 100_001 }, 'rate_limit_per_hour'],
    [{ rate_limit_per_hour: -1 }, 'rate_limit_per_hour'],
    [{ rate_limit_per_day: 1_000_001 }, 'rate_limit_per_day'],
    [{ rate_limit_per_day: '100' }, 'rate_limit_per_day'],
    [{ kind: 'device', rate_limit_per_minute: 10 }, 'rate_limit_per_minute'],
    [{ kind: 'device', rate_limit_per_hour: 10 }, 'rate_limit_per_hour'],
    [{ kind: 'device', rate_limit_per_day: 10 }, 'rate_limit_per_day'],
  ])('refuses %j', async (body, field) => {
    const answer = await failure(await send(user, 'POST', '', { name: 'a', permissions: ['files:read'], ...body }))
    expect(answer).toEqual({ status: 400, error: 'invalid_input', fields: { [field]: expect.any(String) } })
  })
})

describe('an API key may do what its owner may', () => {
  const idsOf = async (keys: readonly string[]): Promise<number[]> =>
    (await admin.call(listPermissions, {})).permissions.filter(({ key }) => keys.includes(key)).map(({ id }) => id)

  test('as soon as the permissions of the role change', async () => {
    const all = await idsOf(userRolePermissions)
    const { role } = await admin.call(createRole, { name: 'reader', permission_ids: all })
    const owner = await buildUser(server, { role: 'reader' })
    const key = await buildKey(server, owner, ['files:read', 'tags:read'])
    expect(await statusOf(key)).toBe(200)
    await admin.call(updateRole, { id: role.id, permission_ids: await idsOf(['tags:read']) })
    expect(await failure(await key.raw('/api/files'))).toEqual({ status: 403, error: 'forbidden' })
    expect((await key.call(getProfile, {})).permissions).toEqual(['tags:read'])
    await admin.call(updateRole, { id: role.id, permission_ids: all })
    expect((await key.call(getProfile, {})).permissions).toEqual(['files:read', 'tags:read'])
  })

  test('as soon as the owner gets another role', async () => {
    const owner = await buildUser(server, { role: 'admin' })
    const key = await buildKey(server, owner, ['users:manage', 'files:read'])
    expect(await statusOf(key, '/api/users')).toBe(200)
    await admin.call(updateUser, { id: owner.id, role: 'user' })
    expect(await statusOf(key, '/api/users')).toBe(403)
    expect(await statusOf(key)).toBe(200)
  })

  test('as soon as the owner is disabled or enabled', async () => {
    const owner = await buildUser(server)
    const key = await buildKey(server, owner, ['files:read'])
    await admin.call(updateUser, { id: owner.id, is_active: false })
    expect(await failure(await key.raw('/api/files'))).toEqual({ status: 401, error: 'unauthenticated' })
    await admin.call(updateUser, { id: owner.id, is_active: true })
    expect(await statusOf(key)).toBe(200)
  })
})
