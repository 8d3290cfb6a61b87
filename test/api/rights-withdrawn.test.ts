/** Administrative requests whose user, key or session loses its rights before they complete change nothing. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { endSession, listSessions } from '../../src/api/auth.ts'
import { createApiKey, updateApiKey } from '../../src/api/keys.ts'
import { permissionKeys } from '../../src/api/permissions.ts'
import { listPermissions, listRoles, updateRole } from '../../src/api/roles.ts'
import { updateUser } from '../../src/api/users.ts'
import { failure, type TestClient } from '../support/client.ts'
import {
  type BuiltUser,
  buildField,
  buildFile,
  buildKey,
  buildRole,
  buildUser,
  turnSettings,
} from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { sendWire } from '../support/wire.ts'

let server: TestServer
let admin: BuiltUser
let role: string
let victim: BuiltUser
let key: Awaited<ReturnType<typeof buildKey>>

beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
  await turnSettings(admin, { validation_enabled: true })
})
afterAll(() => server.close())
beforeEach(async () => {
  role = await buildRole(server, permissionKeys)
  victim = await buildUser(server, { role })
  key = await buildKey(server, victim, [...permissionKeys])
})

const idOfRole = async (): Promise<number> =>
  (await admin.call(listRoles, {})).roles.find(({ name }) => name === role)?.id ?? 0

/** Every administrative change that has a body. */
async function buildChanges(): Promise<[method: string, path: string, body: object][]> {
  const [other, field] = [await buildUser(server), await buildField(admin)]
  const pending = await buildFile(other)
  const { id: disabledKey } = await victim.call(createApiKey, { name: 'spare', permissions: ['files:read'] })
  await victim.call(updateApiKey, { id: disabledKey, is_active: false })
  const [permission] = (await admin.call(listPermissions, {})).permissions
  const made = `made-by-${victim.username}`
  return [
    ['POST', '/users', { username: made, email: `${made}@example.org`, role }],
    ['PUT', `/users/${other.id}`, { role }],
    ['POST', '/roles', { name: made, permission_ids: [permission?.id] }],
    ['PUT', `/roles/${await idOfRole()}`, { description: 'changed' }],
    ['POST', '/auth/api-keys', { name: made, permissions: ['files:read'] }],
    ['PUT', `/auth/api-keys/${disabledKey}`, { is_active: true }],
    ['PUT', '/settings/allow_self_validation', { value: 'true' }],
    ['POST', '/metadata/fields', { name: `by_${role.replace(/[^a-z]/g, '')}`, label: 'A', field_type: 'text' }],
    ['PUT', `/metadata/fields/${field.id}`, { label: 'changed' }],
    ['POST', '/validation', { file_id: pending.id, status: 'approved' }],
  ]
}

/** Sends all changes without their last byte; the returned function sends the rest and returns the status codes. */
async function beginChanges(client: TestClient) {
  let finish = () => {}
  const rest = new Promise<void>(resolve => {
    finish = resolve
  })
  const answers = (await buildChanges()).map(([method, path, body]) => {
    const text = JSON.stringify(body)
    async function* pieces(): AsyncGenerator<Buffer> {
      yield Buffer.from(text.slice(0, -1))
      await rest
      yield Buffer.from(text.slice(-1))
    }
    const headers = { ...client.headers, 'content-type': 'application/json' }
    return sendWire(server.url, { method, path: `/api${path}`, headers, body: pieces() })
  })
  return async (): Promise<number[]> => {
    finish()
    return (await Promise.all(answers)).map(({ status }) => status)
  }
}

const lastEvent = async (): Promise<number> =>
  (await server.deps.db.row<{ id: number }>('SELECT MAX(id) AS id FROM events'))?.id ?? 0
const eventsAfter = (id: number): Promise<object[]> =>
  server.deps.db.rows("SELECT action FROM events WHERE actor_id = $1 AND id > $2 AND action <> 'api-key.use'", [
    victim.id,
    id,
  ])

/** Waits until the server has authenticated the key's requests. */
const untilAdmitted = () =>
  expect
    .poll(() => server.deps.db.row('SELECT id FROM api_keys WHERE id = $1 AND last_used_at IS NOT NULL', [key.id]))
    .toBeDefined()

const weaken = async () => {
  const { permissions } = await admin.call(listPermissions, {})
  const left = permissions.filter(permission => permission.key.startsWith('files:')).map(({ id }) => id)
  await admin.call(updateRole, { id: await idOfRole(), permission_ids: left })
}

const demote = async () => admin.call(updateUser, { id: victim.id, role: await buildRole(server, ['files:read']) })

describe('a change that an API key began has no effect once', () => {
  test.each<[string, number, () => Promise<unknown>]>([
    ['its user is disabled', 401, () => admin.call(updateUser, { id: victim.id, is_active: false })],
    ['its user is demoted', 403, demote],
    ['the role of its user is weakened', 403, weaken],
    ['the key is disabled', 401, () => victim.call(updateApiKey, { id: key.id, is_active: false })],
  ])('%s: %i', async (_what, status, withdraw) => {
    const finish = await beginChanges(key)
    await untilAdmitted()
    await withdraw()
    const last = await lastEvent()
    expect(new Set(await finish())).toEqual(new Set([status]))
    expect(await eventsAfter(last)).toEqual([])
  })
})

describe('a change that a session began has no effect once', () => {
  test.each<[string, number, () => Promise<unknown>]>([
    ['its user is disabled', 401, () => admin.call(updateUser, { id: victim.id, is_active: false })],
    ['its user is demoted', 401, () => admin.call(updateUser, { id: victim.id, role: 'user' })],
    ['the role of its user is weakened', 403, weaken],
    ['the password of its user is reset', 401, () => admin.call(updateUser, { id: victim.id, password: 'a new one' })],
    [
      'it is ended',
      401,
      async () => {
        const [{ id } = { id: 0 }] = (await victim.call(listSessions, {})).sessions
        await victim.call(endSession, { id })
      },
    ],
  ])('%s: %i', async (_what, status, withdraw) => {
    const finish = await beginChanges(victim)
    await withdraw()
    const last = await lastEvent()
    expect(new Set(await finish())).toEqual(new Set([status]))
    expect(await eventsAfter(last)).toEqual([])
  })

  test('its user is disabled while new passwords wait to be hashed', async () => {
    const add = (n: number) => {
      const username = `${victim.username}-${n}`
      return victim.raw('/api/users', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username, email: `${username}@example.org`, role }),
      })
    }
    const additions = Array.from({ length: 20 }, (_, n) => add(n))
    await Promise.any(additions)
    await admin.call(updateUser, { id: victim.id, is_active: false })
    const answers = await Promise.all(additions)
    const refused = answers.filter(({ status }) => status !== 201)
    for (const answer of refused) expect(await failure(answer)).toEqual({ status: 401, error: 'unauthenticated' })
    expect(refused.length).toBeGreaterThan(0)
    const order = await server.deps.db.rows<{ action: string }>(
      "SELECT action FROM events WHERE actor_id = $1 AND action = 'user.create' OR item_id = $1 AND action = 'user.update' ORDER BY id",
      [victim.id],
    )
    expect(order.findIndex(({ action }) => action === 'user.update')).toBe(order.length - 1)
  })
})
