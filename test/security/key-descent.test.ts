/**
 * API keys that API keys created: they share the rate limit of their creator, end with it, and give nobody more rights.
 */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { InputOf } from '../../src/api/endpoint.ts'
import { createApiKey, deleteApiKey, listApiKeys, updateApiKey } from '../../src/api/keys.ts'
import { maxKeyGenerations } from '../../src/api/limits.ts'
import { createRole, listPermissions, updateRole } from '../../src/api/roles.ts'
import { createUser, updateUser } from '../../src/api/users.ts'
import { openClient, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildKey, buildRole, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

type NewKey = InputOf<typeof createApiKey>

let server: TestServer
let user: BuiltUser
let admin: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
})
afterAll(() => server.close())
beforeEach(async () => {
  user = await buildUser(server)
})

const few = { rate_limit_per_minute: 20, rate_limit_per_hour: 100, rate_limit_per_day: 1000 }
const permissions: NewKey['permissions'] = ['api-keys:manage', 'files:read']

async function makeKey(maker: TestClient, options: Partial<NewKey> = few) {
  const key = await maker.call(createApiKey, { name: 'made', permissions, ...options })
  return { ...openClient(server.url, { 'x-api-key-id': key.key_id, 'x-api-secret': key.secret }), ...key }
}

const ask = async (key: TestClient): Promise<number> => (await key.raw('/api/files?limit=1')).status

describe('a key with a rate limit of 20 requests a minute', () => {
  test('gets no more requests by creating keys that create keys', async () => {
    const keys: TestClient[] = [await buildKey(server, user, permissions, 'script', few)]
    let passed = 0
    for (let made = 0; made < 30; made++) {
      for (const key of [...keys]) {
        if ((await ask(key)) === 200) passed += 1
        await makeKey(key).then(
          child => {
            passed += 1
            keys.push(child)
          },
          error => expect([403, 429]).toContain(error.status),
        )
        if (keys.length > 8) break
      }
    }
    expect(passed).toBe(20)
    expect(await ask(keys.at(-1) as TestClient)).toBe(429)
  })

  test('counts the requests of a key that it created, which has a lower limit of its own', async () => {
    const maker = await buildKey(server, user, permissions, 'script', few)
    const child = await makeKey(maker, { ...few, rate_limit_per_minute: 5 })
    for (let n = 0; n < 5; n++) expect(await ask(child)).toBe(200)
    expect(await ask(child)).toBe(429)
    const { headers } = await maker.raw('/api/files?limit=1')
    // One request created the child, five were the child's, and one asks for the remaining number.
    expect(headers.get('ratelimit-remaining')).toBe('13')
  })

  test('does not count the requests of keys that its user created', async () => {
    const maker = await buildKey(server, user, permissions, 'script', few)
    const sibling = await makeKey(user)
    for (let n = 0; n < 20; n++) expect(await ask(maker)).toBe(200)
    expect(await ask(maker)).toBe(429)
    expect(await ask(sibling)).toBe(200)
    expect(sibling.made_by).toBeNull()
  })
})

describe('a key that another key created', () => {
  test.each<[string, (id: number) => Promise<unknown>]>([
    ['is deleted', id => user.call(deleteApiKey, { id })],
    ['is disabled', id => user.call(updateApiKey, { id, is_active: false })],
    [
      'has expired',
      id => server.deps.db.touch(() => server.deps.db.change('UPDATE api_keys SET expires_at = 1 WHERE id = $1', [id])),
    ],
  ])('ends, together with the keys that it created, when its creator %s', async (_what, end) => {
    const first = await buildKey(server, user, permissions)
    const second = await makeKey(first, {})
    const third = await makeKey(second, {})
    expect([second.made_by, third.made_by]).toEqual([first.id, second.id])
    expect([await ask(second), await ask(third)]).toEqual([200, 200])
    await end(first.id)
    expect([await ask(second), await ask(third)]).toEqual([401, 401])
  })

  test('works again when its creator is enabled, and cannot enable its creator', async () => {
    const first = await buildKey(server, user, permissions)
    const second = await makeKey(first, {})
    await user.call(updateApiKey, { id: first.id, is_active: false })
    await expect(second.call(updateApiKey, { id: first.id, is_active: true })).rejects.toMatchObject({ status: 401 })
    await user.call(updateApiKey, { id: first.id, is_active: true })
    expect(await ask(second)).toBe(200)
  })

  test('is deleted together with its creator, and other keys stay', async () => {
    const first = await buildKey(server, user, permissions)
    const other = await buildKey(server, user, permissions)
    const third = await makeKey(await makeKey(first, {}), {})
    await user.call(deleteApiKey, { id: first.id })
    const left = (await user.call(listApiKeys, {})).api_keys.map(({ id }) => id)
    expect(left).toEqual([other.id])
    expect(await ask(third)).toBe(401)
  })

  // Only a damaged database can contain such a cycle; no call can create one.
  test('can be deleted when it is among its own creators', async () => {
    const first = await buildKey(server, user, permissions)
    const second = await makeKey(first, {})
    await server.deps.db.touch(() => server.deps.db.update(server.deps.db.apiKeys, { made_by: second.id }, first.id))
    await user.call(deleteApiKey, { id: first.id })
    expect((await user.call(listApiKeys, {})).api_keys).toEqual([])
  })

  test('can create further keys, up to a limit of generations', async () => {
    let key: TestClient = await buildKey(server, user, permissions)
    for (let generation = 0; generation < maxKeyGenerations; generation++) key = await makeKey(key, {})
    await expect(makeKey(key, {})).rejects.toMatchObject({ status: 403 })
    expect(await ask(key)).toBe(200)
  })

  test('stays when the device key that created it is deleted', async () => {
    const device = await buildKey(server, user, permissions, 'device')
    const made = await makeKey(device, {})
    await user.call(deleteApiKey, { id: device.id })
    expect(await ask(made)).toBe(200)
  })
})

test('a key cannot enable a key of its user that it did not create', async () => {
  const key = await buildKey(server, user, permissions, 'script', few)
  const other = await makeKey(user)
  await user.call(updateApiKey, { id: other.id, is_active: false })
  await expect(key.call(updateApiKey, { id: other.id, is_active: true })).rejects.toMatchObject({ status: 403 })
})

describe.each<[string, Partial<NewKey>]>([
  ['that expires', { expires_in: 1 }],
  ['of fewer requests than keys have by default', { rate_limit_per_minute: 59 }],
])('a key %s', (_what, options) => {
  const managing: NewKey['permissions'] = ['users:manage', 'roles:manage', 'files:read']
  const account = () => {
    const username = `by-key-${randomBytes(4).toString('hex')}`
    return { username, email: `${username}@example.org`, password: 'a known password' }
  }
  const refused = { status: 403, code: 'forbidden' }

  test('creates no user or role, sets no password, assigns no role or permission, and enables no user', async () => {
    const key = await makeKey(admin, { permissions: managing, ...options })
    const weak = await buildRole(server, ['files:read'])
    const target = await buildUser(server, { role: weak })
    const disabled = await buildUser(server, { role: weak })
    await admin.call(updateUser, { id: disabled.id, is_active: false })
    const all = (await admin.call(listPermissions, {})).permissions
    const idsOf = (key: string) => all.filter(entry => entry.key === key).map(({ id }) => id)
    const role = (
      await admin.call(createRole, { name: `for ${options.expires_in}`, permission_ids: idsOf('files:read') })
    ).role
    const calls = [
      () => key.call(createUser, { ...account(), role: weak }),
      () => key.call(updateUser, { id: target.id, password: 'a known password' }),
      () => key.call(updateUser, { id: target.id, role: role.name }),
      () => key.call(updateUser, { id: disabled.id, is_active: true }),
      () => key.call(createRole, { name: 'by key', permission_ids: idsOf('files:read') }),
      () => key.call(updateRole, { id: role.id, permission_ids: [...idsOf('files:read'), ...idsOf('users:manage')] }),
    ]
    for (const call of calls) await expect(call()).rejects.toMatchObject(refused)
    await key.call(updateUser, { id: target.id, full_name: 'Anna', is_active: false })
    await key.call(updateRole, { id: role.id, description: 'described' })
  })
})

test('a key without an expiry and with at least the default rate limit can create users and roles', async () => {
  const weak = await buildRole(server, ['files:read'])
  const key = await makeKey(admin, { permissions: ['users:manage', 'roles:manage', 'files:read'] })
  const made = await key.call(createUser, { username: 'onboarded', email: 'onboarded@example.org', role: weak })
  await key.call(updateUser, { id: made.user.id, password: 'a known password' })
  const [permission] = (await admin.call(listPermissions, {})).permissions.filter(entry => entry.key === 'files:read')
  await key.call(createRole, { name: 'onboarding', permission_ids: [permission?.id ?? 0] })
})
