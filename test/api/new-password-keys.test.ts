/** Which API keys a new password ends, and that creating a device key needs the password. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { changePassword } from '../../src/api/auth.ts'
import { createApiKey, listApiKeys } from '../../src/api/keys.ts'
import { updateUser } from '../../src/api/users.ts'
import { setPassword } from '../../src/commands/admin/users.ts'
import { failure, signIn } from '../support/client.ts'
import { type BuiltUser, buildKey, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

type Key = Awaited<ReturnType<typeof buildKey>>

let server: TestServer
let admin: BuiltUser
let user: BuiltUser
let device: Key
let script: Key
let made: Key
beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
})
afterAll(() => server.close())
beforeEach(async () => {
  user = await buildUser(server)
  device = await buildKey(server, user, ['files:read', 'api-keys:manage'], 'device')
  script = await buildKey(server, user, ['files:read', 'api-keys:manage'])
  made = await buildKey(server, script, ['files:read'])
})

const ask = async () => Promise.all([device, script, made].map(async key => (await key.raw('/api/files')).status))

const eventsOf = async (): Promise<string[]> => {
  const rows = await server.deps.db.rows<{ action: string }>(
    "SELECT action FROM events WHERE item_id IN ($1, $2, $3) AND action = 'api-key.delete' ORDER BY id",
    [device.id, script.id, made.id],
  )
  return rows.map(({ action }) => action)
}

describe('a new password', () => {
  const change = { current_password: '', new_password: 'a better one' }

  test('chosen by the user ends the device keys, and the audit log records it', async () => {
    await user.call(changePassword, { ...change, current_password: user.password })
    expect(await ask()).toEqual([401, 200, 200])
    expect(await eventsOf()).toEqual(['api-key.delete'])
    expect((await user.call(listApiKeys, {})).api_keys.map(({ kind }) => kind)).toEqual(['script', 'script'])
  })

  test('ends those, too, whose creation waited behind it with the old password', async () => {
    const { password } = user
    const input = (index: number) => ({
      name: `waiting ${index}`,
      permissions: ['files:read' as const],
      kind: 'device' as const,
      current_password: password,
    })
    // More than are compared at once, so that the last ones are compared after the new password is stored.
    const creations = Array.from({ length: 24 }, (_, index) =>
      user.raw('/api/auth/api-keys', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(input(index)),
      }),
    )
    await Promise.all([user.call(changePassword, { ...change, current_password: password }), ...creations])
    expect((await user.call(listApiKeys, {})).api_keys.filter(({ kind }) => kind === 'device')).toEqual([])
  })

  // Older versions of the server had no limit of keys, so a user may have many.
  test('ends them without a list of them, however many there are', async () => {
    const { db } = server.deps
    const shown = 10_000
    await db.touch(async () => {
      const columns = 'user_id, name, key_id, secret_hash, kind, permissions, is_active, created_at'
      for (let from = 0; from < shown; from += 1000) {
        const rows = Array.from(
          { length: 1000 },
          (_, at) => `(${user.id}, 'old', 'gk_${user.id}_${from + at}', '${'0'.repeat(64)}', 'device', '[]', 1, 1)`,
        )
        await db.change(`INSERT INTO api_keys (${columns}) VALUES ${rows.join(', ')}`)
      }
    })
    await user.call(changePassword, { ...change, current_password: user.password })
    expect(await ask()).toEqual([401, 200, 200])
    expect((await user.call(listApiKeys, {})).api_keys.map(({ kind }) => kind)).toEqual(['script', 'script'])
  })

  test('leaves the device keys when the call says so', async () => {
    await user.call(changePassword, { ...change, current_password: user.password, end_device_keys: false })
    expect(await ask()).toEqual([200, 200, 200])
  })

  test('that is refused ends no key', async () => {
    await expect(user.call(changePassword, { ...change, current_password: 'wrong' })).rejects.toMatchObject({
      status: 400,
    })
    expect(await ask()).toEqual([200, 200, 200])
  })

  test.each<[string, () => Promise<unknown>]>([
    ['an administrator', () => admin.call(updateUser, { id: user.id, password: 'typed by another' })],
    [
      'the terminal of the server',
      () => setPassword({ dataDir: server.dataDir, database: server.databaseFlag }, user.username, 'typed by another'),
    ],
  ])('from %s ends all keys and sessions of the user', async (_who, reset) => {
    await reset()
    expect(await ask()).toEqual([401, 401, 401])
    expect((await user.raw('/api/auth/profile')).status).toBe(401)
    const again = await signIn(server.url, user.username, 'typed by another')
    expect((await again.call(listApiKeys, {})).api_keys).toEqual([])
    expect(await eventsOf()).toHaveLength(3)
  })

  test('from an administrator leaves the keys of other users', async () => {
    const other = await buildUser(server)
    await admin.call(updateUser, { id: other.id, password: 'typed by another' })
    expect(await ask()).toEqual([200, 200, 200])
  })
})

describe('a device key', () => {
  const create = (password?: string) =>
    user.raw('/api/auth/api-keys', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        name: 'a device',
        permissions: ['files:read'],
        kind: 'device',
        current_password: password,
      }),
    })
  const refused = { status: 400, error: 'invalid_input', fields: { current_password: expect.any(String) } }

  test('cannot be created with a session alone, without the password', async () => {
    expect(await failure(await create())).toEqual(refused)
    expect(await failure(await create('not this one'))).toEqual(refused)
    expect((await user.call(listApiKeys, {})).api_keys).toHaveLength(3)
    expect((await create(user.password)).status).toBe(201)
  })

  test('counts each wrong password at its creation as a failed sign-in', async () => {
    for (let round = 0; round < 10; round++) expect((await create(`guess ${round}`)).status).toBe(400)
    expect(await failure(await create(user.password))).toEqual({ status: 429, error: 'rate_limited' })
    await expect(signIn(server.url, user.username, user.password)).rejects.toMatchObject({ status: 429 })
  })

  test('needs the password, unlike a script key', async () => {
    expect((await user.call(createApiKey, { name: 'a script', permissions: ['files:read'] })).kind).toBe('script')
  })
})
