/** Roles: named sets of permissions that every call checks, and that give nobody more than their creator has. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getProfile } from '../../src/api/auth.ts'
import { listFiles } from '../../src/api/files.ts'
import { type Permission, permissionCatalogue, permissionKeys } from '../../src/api/permissions.ts'
import { createRole, deleteRole, listPermissions, listRoles, type Role, updateRole } from '../../src/api/roles.ts'
import { createUser, listUsers, updateUser } from '../../src/api/users.ts'
import { type BuiltUser, buildKey, buildRole, buildUser, userRolePermissions } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: BuiltUser
let ids: Map<Permission, number>

beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
  const { permissions } = await admin.call(listPermissions, {})
  ids = new Map(permissions.map(({ id, key }) => [key, id]))
})
afterAll(() => server.close())

const idsOf = (...keys: Permission[]): number[] => keys.map(key => ids.get(key) ?? 0)

async function findRole(name: string): Promise<Role> {
  const role = (await admin.call(listRoles, {})).roles.find(candidate => candidate.name === name)
  if (role === undefined) throw new Error(`no role ${name}`)
  return role
}

/** A user whose role has exactly these permissions. */
const buildHolder = async (...permissions: Permission[]): Promise<BuiltUser> =>
  buildUser(server, { role: await buildRole(server, permissions) })

const forbidden = { status: 403, code: 'forbidden' }
const isProtected = { status: 409, code: 'protected' }

describe('the list of roles', () => {
  test('begins with the system roles and their permissions, in the order of the catalogue', async () => {
    const { roles } = await admin.call(listRoles, {})
    expect(roles.slice(0, 2)).toMatchObject([
      { name: 'admin', is_system: true, permissions: permissionKeys },
      { name: 'user', is_system: true, permissions: userRolePermissions },
    ])
  })

  test('is open to users who assign roles, and the list of permissions only to users who manage roles', async () => {
    const manager = await buildHolder('users:manage')
    expect((await manager.call(listRoles, {})).roles.length).toBeGreaterThan(1)
    await expect(manager.call(listPermissions, {})).rejects.toMatchObject(forbidden)
    await expect((await buildUser(server)).call(listRoles, {})).rejects.toMatchObject(forbidden)
  })

  test('of permissions has each one with its category', async () => {
    const { permissions } = await admin.call(listPermissions, {})
    expect(permissions.map(({ id, ...rest }) => rest)).toEqual(permissionCatalogue)
    expect(new Set(permissions.map(({ id }) => id)).size).toBe(permissionCatalogue.length)
  })
})

describe('creating a role', () => {
  test('trims the name and stores each permission once', async () => {
    const chosen = [...idsOf('tags:read', 'files:read'), ...idsOf('files:read')]
    const { role } = await admin.call(createRole, {
      name: '  Archivists ',
      description: ' Read ',
      permission_ids: chosen,
    })
    expect(role).toEqual({
      id: expect.any(Number),
      name: 'Archivists',
      description: 'Read',
      permissions: ['files:read', 'tags:read'],
      is_system: false,
      created_at: role.updated_at,
      updated_at: expect.any(String),
    })
    expect(await findRole('Archivists')).toEqual(role)
  })

  test.each([
    ['name', { name: ' ', permission_ids: [1] }],
    ['name', { name: 'x'.repeat(51), permission_ids: [1] }],
    ['permission_ids', { name: 'none', permission_ids: [] }],
    ['permission_ids', { name: 'unknown', permission_ids: [1, 999_999] }],
  ])('is refused with an invalid %s', async (field, input) => {
    const refused = admin.call(createRole, input)
    await expect(refused).rejects.toMatchObject({ status: 400, fields: { [field]: expect.any(String) } })
  })

  test('is refused when the name is taken or looks like a taken one', async () => {
    await buildNamed('Taken')
    for (const name of ['Taken', 'taken', 'Ｔａｋｅｎ', 'Ta\u200bken', 'ADMIN', ' user ']) {
      await expect(buildNamed(name)).rejects.toMatchObject({
        status: 409,
        code: 'name_taken',
        fields: { name: /taken/ },
      })
    }
  })

  test('of one name by 20 concurrent requests succeeds once', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => buildNamed('Raced')))
    expect(outcomes.filter(outcome => outcome.status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 409, code: 'name_taken' })
    }
  })

  test('cannot give it permissions that its creator lacks', async () => {
    const maker = await buildHolder('roles:manage', 'files:read')
    const made = maker.call(createRole, { name: 'Readers', permission_ids: idsOf('files:read') })
    expect((await made).role.permissions).toEqual(['files:read'])
    const climbing = maker.call(createRole, { name: 'Climbers', permission_ids: idsOf('files:read', 'users:manage') })
    await expect(climbing).rejects.toMatchObject(forbidden)
    const key = await buildKey(server, admin, ['roles:manage', 'files:read'])
    const byKey = key.call(createRole, { name: 'Climbers', permission_ids: idsOf('users:manage') })
    await expect(byKey).rejects.toMatchObject(forbidden)
  })

  const buildNamed = (name: string) => admin.call(createRole, { name, permission_ids: idsOf('files:read') })
})

describe('changing a role', () => {
  test('changes the given fields and no others', async () => {
    const { id, name } = await findRole(await buildRole(server, ['files:read', 'tags:read']))
    const described = await admin.call(updateRole, { id, description: 'What it is for' })
    expect(described.role).toMatchObject({
      name,
      description: 'What it is for',
      permissions: ['files:read', 'tags:read'],
    })
    const renamed = await admin.call(updateRole, { id, name: `${name}-new`, permission_ids: idsOf('tags:read') })
    expect(renamed.role).toMatchObject({
      name: `${name}-new`,
      description: 'What it is for',
      permissions: ['tags:read'],
    })
    expect((await admin.call(updateRole, { id, description: '' })).role.description).toBeNull()
  })

  test('applies to sessions and keys from the next request on', async () => {
    const name = await buildRole(server, ['files:read', 'tags:read', 'api-keys:manage'])
    const { id } = await findRole(name)
    const user = await buildUser(server, { role: name })
    const key = await buildKey(server, user, ['files:read', 'tags:read'])
    await admin.call(updateRole, { id, permission_ids: idsOf('tags:read', 'files:search') })
    expect((await user.call(getProfile, {})).permissions).toEqual(['files:search', 'tags:read'])
    expect((await key.call(getProfile, {})).permissions).toEqual(['tags:read'])
    for (const client of [user, key]) await expect(client.call(listFiles, {})).rejects.toMatchObject(forbidden)
  })

  test('cannot rename or delete a system role, nor take permissions from admin', async () => {
    const [adminRole, userRole] = [await findRole('admin'), await findRole('user')]
    for (const role of [adminRole, userRole]) {
      await expect(admin.call(updateRole, { id: role.id, name: 'other' })).rejects.toMatchObject(isProtected)
      await expect(admin.call(deleteRole, { id: role.id })).rejects.toMatchObject(isProtected)
    }
    const fewer = admin.call(updateRole, { id: adminRole.id, permission_ids: idsOf('files:read') })
    await expect(fewer).rejects.toMatchObject(isProtected)
    expect((await findRole('admin')).permissions).toEqual(permissionKeys)
  })

  test('accepts a full form for a system role when only the description differs', async () => {
    const { id } = await findRole('admin')
    const form = { id, name: 'admin', description: 'Runs the server', permission_ids: idsOf(...permissionKeys) }
    expect((await admin.call(updateRole, form)).role).toMatchObject({ description: 'Runs the server', is_system: true })
  })

  test("may change the permissions of the role 'user'", async () => {
    const { id } = await findRole('user')
    const fewer = userRolePermissions.filter(key => key !== 'files:delete')
    expect((await admin.call(updateRole, { id, permission_ids: idsOf(...fewer) })).role.permissions).toEqual(fewer)
    await admin.call(updateRole, { id, permission_ids: idsOf(...userRolePermissions) })
  })

  test('cannot add permissions that the user lacks', async () => {
    const { id } = await findRole(await buildRole(server, ['files:read']))
    const maker = await buildHolder('roles:manage', 'files:read', 'tags:read')
    const climbing = maker.call(updateRole, { id, permission_ids: idsOf('files:read', 'validation:review') })
    await expect(climbing).rejects.toMatchObject(forbidden)
    const within = maker.call(updateRole, { id, permission_ids: idsOf('files:read', 'tags:read') })
    expect((await within).role.permissions).toEqual(['files:read', 'tags:read'])
  })

  test('is refused, like deleting, when the role has permissions that the user lacks', async () => {
    const role = await findRole(await buildRole(server, ['files:read', 'settings:manage']))
    const holder = await buildUser(server, { role: role.name })
    const maker = await buildHolder('roles:manage', 'users:manage', 'files:read', 'tags:read')
    const { id } = role
    const changes = [
      { permission_ids: idsOf('files:read') },
      { permission_ids: idsOf('files:read', 'settings:manage', 'tags:read') },
      { name: `${role.name}-renamed` },
      { description: 'Described by another' },
    ]
    for (const change of changes) {
      await expect(maker.call(updateRole, { id, ...change })).rejects.toMatchObject(forbidden)
    }
    await expect(maker.call(deleteRole, { id })).rejects.toMatchObject(forbidden)
    expect(await findRole(role.name)).toEqual(role)
    await expect(maker.call(updateUser, { id: holder.id, password: 'taken over' })).rejects.toMatchObject(forbidden)
    const unused = await findRole(await buildRole(server, ['settings:manage']))
    await expect(maker.call(deleteRole, { id: unused.id })).rejects.toMatchObject(forbidden)
  })

  test('is 404 for an unknown role, and 409 for a taken name', async () => {
    await expect(admin.call(updateRole, { id: 999_999, name: 'x' })).rejects.toMatchObject({ status: 404 })
    const [one, other] = [
      await buildRole(server, ['files:read']),
      await findRole(await buildRole(server, ['files:read'])),
    ]
    const refused = admin.call(updateRole, { id: other.id, name: one.toUpperCase() })
    await expect(refused).rejects.toMatchObject({ status: 409, code: 'name_taken' })
  })
})

describe('deleting a role', () => {
  test('is 409 until no user has it', async () => {
    const name = await buildRole(server, ['files:read'])
    const { id } = await findRole(name)
    const user = await buildUser(server, { role: name })
    await expect(admin.call(deleteRole, { id })).rejects.toMatchObject({ status: 409, code: 'in_use' })
    await admin.call(updateUser, { id: user.id, role: 'user' })
    expect(await admin.call(deleteRole, { id })).toBeNull()
    await expect(admin.call(deleteRole, { id })).rejects.toMatchObject({ status: 404 })
  })

  test('while users are added to it leaves no user without a role', async () => {
    for (let round = 0; round < 5; round++) {
      const name = await buildRole(server, ['files:read'])
      const { id } = await findRole(name)
      const add = (n: number) =>
        admin.call(createUser, { username: `${name}-${n}`, email: `${name}-${n}@x.org`, role: name })
      const outcomes = await Promise.allSettled([add(1), admin.call(deleteRole, { id }), add(2)])
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect([400, 409]).toContain(outcome.reason.status)
      }
    }
    const { users, total } = await admin.call(listUsers, {})
    expect(users).toHaveLength(total)
  })
})

describe('a custom role', () => {
  test('allows exactly the calls of its permissions', async () => {
    const manager = await buildHolder('users:manage')
    expect((await manager.call(listUsers, {})).users.length).toBeGreaterThan(1)
    await expect(manager.call(listFiles, {})).rejects.toMatchObject(forbidden)
    await expect(manager.call(createRole, { name: 'x', permission_ids: [1] })).rejects.toMatchObject(forbidden)
    const maker = await buildHolder('roles:manage')
    expect((await maker.call(listPermissions, {})).permissions.length).toBeGreaterThan(1)
    await expect(maker.call(listUsers, {})).rejects.toMatchObject(forbidden)
  })
})
