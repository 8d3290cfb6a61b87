/** Rights over users: managing users never gives more rights, and one active administrator always remains. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { permissionKeys } from '../../src/api/permissions.ts'
import { createUser, deleteUser, listUsers, updateUser } from '../../src/api/users.ts'
import type { TestClient } from '../support/client.ts'
import { type BuiltUser, buildKey, buildRole, buildUser, userRolePermissions } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: BuiltUser

beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
})
afterAll(() => server.close())

const forbidden = { status: 403, code: 'forbidden' }
const isProtected = { status: 409, code: 'protected' }
const isIn = async (client: TestClient): Promise<boolean> => (await client.raw('/api/auth/profile')).status === 200

const findListed = async (id: number) => (await admin.call(listUsers, {})).users.find(user => user.id === id)

/** A user of a role with the permissions of a plain user and the permission to manage users. */
const buildManager = async (): Promise<BuiltUser> =>
  buildUser(server, { role: await buildRole(server, [...userRolePermissions, 'users:manage']) })

describe('rights over users', () => {
  test('do not include users with more permissions', async () => {
    const [manager, other] = [await buildManager(), await buildUser(server, { role: 'admin' })]
    const before = await findListed(other.id)
    const changes = [
      { password: 'taken over' },
      { is_active: false },
      { role: 'user' },
      { storage_quota: 0 },
      { email: 'manager@example.org' },
      { full_name: 'Somebody Else' },
    ]
    for (const change of changes) {
      await expect(manager.call(updateUser, { id: other.id, ...change })).rejects.toMatchObject(forbidden)
    }
    await expect(manager.call(deleteUser, { id: other.id })).rejects.toMatchObject(forbidden)
    expect(await isIn(other)).toBe(true)
    expect(await findListed(other.id)).toEqual(before)
    // Sending the current values is no change.
    await manager.call(updateUser, { id: other.id, storage_quota: before?.storage_quota, is_active: true })
  })

  test('include the quota, email address and name of users with no more permissions, and one’s own', async () => {
    const manager = await buildManager()
    for (const { id } of [await buildUser(server), await buildManager(), manager]) {
      const change = { full_name: 'A Name', storage_quota: 7, email: `changed-${id}@example.org` }
      expect((await manager.call(updateUser, { id, ...change })).user).toMatchObject(change)
    }
  })

  test('of an API key do not include its owner when the owner has more permissions', async () => {
    const key = await buildKey(server, admin, ['users:manage'])
    await expect(key.call(updateUser, { id: admin.id, storage_quota: 0 })).rejects.toMatchObject(forbidden)
    const all = await buildKey(server, admin, [...permissionKeys])
    expect((await all.call(updateUser, { id: admin.id, storage_quota: 2 ** 40 })).user.storage_quota).toBe(2 ** 40)
  })

  test('do not allow assigning a role with more permissions, with a session or a key', async () => {
    const [manager, user] = [await buildManager(), await buildUser(server)]
    const key = await buildKey(server, admin, ['users:manage'])
    for (const client of [manager, key]) {
      await expect(
        client.call(createUser, { username: 'climber', email: 'climber@example.org', role: 'admin' }),
      ).rejects.toMatchObject(forbidden)
      await expect(client.call(updateUser, { id: user.id, role: 'admin' })).rejects.toMatchObject(forbidden)
    }
    expect((await manager.call(createUser, { username: 'plain', email: 'plain@example.org' })).user.role).toBe('user')
    await expect(key.call(createUser, { username: 'by-key', email: 'by-key@example.org' })).rejects.toMatchObject(
      forbidden,
    )
    await expect(key.call(updateUser, { id: user.id, password: 'taken over' })).rejects.toMatchObject(forbidden)
    await expect(key.call(updateUser, { id: admin.id, password: 'taken over' })).rejects.toMatchObject({ status: 409 })
  })

  test('do not include one’s own role, activity and deletion, nor one’s password without the current one', async () => {
    for (const change of [{ is_active: false }, { role: 'user' }, { password: 'without the old one' }]) {
      await expect(admin.call(updateUser, { id: admin.id, ...change })).rejects.toMatchObject(isProtected)
    }
    await expect(admin.call(deleteUser, { id: admin.id })).rejects.toMatchObject(isProtected)
    const same = { id: admin.id, role: 'admin', is_active: true, full_name: 'Myself' }
    expect((await admin.call(updateUser, same)).user.full_name).toBe('Myself')
    expect(await isIn(admin)).toBe(true)
  })
})

describe('the last active administrator', () => {
  const removals: [string, (by: TestClient, id: number) => Promise<unknown>][] = [
    ['deleting', (by, id) => by.call(deleteUser, { id })],
    ['demoting', (by, id) => by.call(updateUser, { id, role: 'user' })],
    ['disabling', (by, id) => by.call(updateUser, { id, is_active: false })],
  ]

  test.each(removals)('remains when administrators are %s each other at the same time', async (_how, remove) => {
    const alone = await startServer()
    try {
      for (let round = 0; round < 5; round++) {
        const { db } = alone.deps
        await db.touch(() =>
          db.change("UPDATE users SET is_active = 0 WHERE role_id = (SELECT id FROM roles WHERE name = 'admin')"),
        )
        const admins = await Promise.all([1, 2, 3].map(() => buildUser(alone, { role: 'admin' })))
        await Promise.allSettled(
          admins.flatMap(by => admins.filter(one => one !== by).map(other => remove(by, other.id))),
        )
        const left = await db.rows(
          "SELECT u.id FROM users u JOIN roles r ON r.id = u.role_id WHERE r.name = 'admin' AND u.is_active = 1",
        )
        expect(left).toHaveLength(1)
      }
    } finally {
      await alone.close()
    }
  })
})
