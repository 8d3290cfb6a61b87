/** An API key can create other keys with at most its own permissions, rate limits and lifetime. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiKey, deleteApiKey, listApiKeys, updateApiKey } from '../../src/api/keys.ts'
import type { TestClient } from '../support/client.ts'
import { type BuiltUser, buildKey, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

const limits = { rate_limit_per_minute: 50, rate_limit_per_hour: 100, rate_limit_per_day: 500 }

let server: TestServer
let user: BuiltUser
let key: TestClient
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
  key = await buildKey(server, user, ['api-keys:manage', 'files:read'], 'script', { ...limits, expires_in: 30 })
})
afterAll(() => server.close())

const child = { name: 'child', permissions: ['files:read' as const], ...limits, expires_in: 29 }
const refused = { status: 403, code: 'forbidden' }

describe('a key with limits and an expiry', () => {
  test('can create a key within them', async () => {
    expect(await key.call(createApiKey, child)).toMatchObject({ ...limits, permissions: ['files:read'] })
  })

  test.each([
    ['a permission that it lacks', { permissions: ['files:read' as const, 'files:write' as const] }],
    ['more requests a minute', { rate_limit_per_minute: 51 }],
    ['more requests an hour', { rate_limit_per_hour: 101 }],
    ['more requests a day', { rate_limit_per_day: 501 }],
    ['the default limits, which are higher', { rate_limit_per_minute: undefined }],
    ['a longer life', { expires_in: 31 }],
    ['a life without end', { expires_in: undefined }],
  ])('cannot create a key with %s', async (_what, change) => {
    const before = (await user.call(listApiKeys, {})).api_keys.length
    await expect(key.call(createApiKey, { ...child, ...change })).rejects.toMatchObject(refused)
    expect((await user.call(listApiKeys, {})).api_keys).toHaveLength(before)
  })

  test('can enable only keys that it could create, but can disable and delete any', async () => {
    const { id } = await user.call(createApiKey, { name: 'stronger', permissions: ['files:write'] })
    expect((await key.call(updateApiKey, { id, is_active: false })).api_key.is_active).toBe(false)
    await expect(key.call(updateApiKey, { id, is_active: true })).rejects.toMatchObject(refused)
    expect((await user.call(listApiKeys, {})).api_keys.find(entry => entry.id === id)?.is_active).toBe(false)
    expect(await key.call(deleteApiKey, { id })).toBeNull()
  })

  test('can enable a key that it could create', async () => {
    const { id } = await key.call(createApiKey, child)
    await user.call(updateApiKey, { id, is_active: false })
    expect((await key.call(updateApiKey, { id, is_active: true })).api_key.is_active).toBe(true)
  })
})

describe('a device key', () => {
  test('has no rate limit, so it can create keys with any limits, but no device key', async () => {
    const device = await buildKey(server, user, ['api-keys:manage', 'files:read'], 'device')
    const most = { rate_limit_per_minute: 1000, rate_limit_per_hour: 100_000, rate_limit_per_day: 1_000_000 }
    const made = await device.call(createApiKey, { name: 'script', permissions: ['files:read'], ...most })
    expect(made).toMatchObject({ ...most, kind: 'script', expires_at: null })
    await expect(
      device.call(createApiKey, { name: 'another', permissions: ['files:read'], kind: 'device' }),
    ).rejects.toMatchObject(refused)
  })

  test('with an expiry cannot create a key that lives longer', async () => {
    const device = await buildKey(server, user, ['api-keys:manage', 'files:read'], 'device', { expires_in: 7 })
    const input = { name: 'script', permissions: ['files:read' as const] }
    await expect(device.call(createApiKey, input)).rejects.toMatchObject(refused)
    await expect(device.call(createApiKey, { ...input, expires_in: 8 })).rejects.toMatchObject(refused)
    expect((await device.call(createApiKey, { ...input, expires_in: 6 })).expires_at).not.toBeNull()
  })
})

test('a session can enable a key that has more permissions than the user’s role has now', async () => {
  const { db } = server.deps
  const { id } = await user.call(createApiKey, { name: 'old', permissions: ['files:read'] })
  const permissions = JSON.stringify(['files:read', 'users:manage'])
  await db.touch(() =>
    db.change('UPDATE api_keys SET permissions = $1, is_active = 0 WHERE id = $2', [permissions, id]),
  )
  expect((await user.call(updateApiKey, { id, is_active: true })).api_key.is_active).toBe(true)
})
