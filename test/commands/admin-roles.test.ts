/** `filestore admin role …` and `filestore admin key …` beside a server that uses the same data. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getProfile } from '../../src/api/auth.ts'
import { listApiKeys } from '../../src/api/keys.ts'
import { permissionKeys } from '../../src/api/permissions.ts'
import { listRoles, type Role } from '../../src/api/roles.ts'
import { openClient, signIn, type TestClient } from '../support/client.ts'
import { buildKey, buildUser, userRolePermissions } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { expectRefusal, readJson, runOn } from './administration.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
})
afterAll(() => server.close())

const findRole = async (name: string): Promise<Role | undefined> =>
  (await admin.call(listRoles, {})).roles.find(role => role.name === name)

describe('role', () => {
  const role = (args: string[]) => runOn(server, ['admin', 'role', ...args])

  test('create makes a role, and list and show print it as the API does', async () => {
    const more = ['--permission', 'files:read', '--permission', 'files:search', '--description', 'Reads alone']
    expect(await role(['create', 'reader', ...more])).toEqual({
      code: 0,
      stdout: 'Role reader was created',
      stderr: '',
    })
    const reader = await findRole('reader')
    expect(reader).toMatchObject({ description: 'Reads alone', permissions: ['files:read', 'files:search'] })
    expect(await readJson(server, ['role', 'show', 'reader'])).toEqual(reader)
    expect(await readJson(server, ['role', 'list'])).toEqual((await admin.call(listRoles, {})).roles)
    expect((await role(['list'])).stdout).toMatch(/^ *\d+ +custom +2 permissions +reader$/m)
    expect((await role(['show', 'reader'])).stdout).toMatch(/^May +files:read, files:search$/m)
  })

  test('set changes the permissions of every user of the role from the next request', async () => {
    await role(['create', 'lookers', '--permission', 'files:read'])
    const user = await buildUser(server, { role: 'lookers' })
    const set = ['set', 'lookers', '--name', 'watchers', '--permission', 'files:read', '--permission', 'users:manage']
    expect((await role(set)).stdout).toBe('Role watchers was changed')
    expect((await user.raw('/api/users')).status).toBe(200)
    expect((await user.call(getProfile, {})).role).toBe('watchers')
    expect(await role(['set', 'watchers'])).toMatchObject({ code: 2, stdout: '' })
  })

  test('delete asks first, and refuses a role that has users', async () => {
    const made = await readJson(server, ['role', 'create', 'short lived', '--permission', 'files:read'])
    expect(await role(['delete', 'short lived'])).toMatchObject({ code: 2, stdout: '' })
    const user = await buildUser(server, { role: 'short lived' })
    expect(await role(['delete', 'short lived', '--yes'])).toMatchObject({ code: 5, stdout: '' })
    await runOn(server, ['admin', 'user', 'set-role', user.username, 'user'])
    expect(await readJson(server, ['role', 'delete', 'short lived', '--yes'])).toEqual(made)
    expect(await findRole('short lived')).toBeUndefined()
  })

  test.each([
    [
      'a name that differs only in case from another',
      ['create', 'Admin', '--permission', 'files:read'],
      5,
      "name: 'Admin' is already taken",
    ],
    ['a blank name', ['create', ' ', '--permission', 'files:read'], 2, 'name: Role name is required'],
    ['an unknown permission', ['create', 'x', '--permission', 'files:reed'], 2, 'files:reed'],
    ['no permissions', ['create', 'x'], 2, '--permission'],
    ['a new name for a system role', ['set', 'user', '--name', 'people'], 5, 'cannot be renamed'],
    ['fewer permissions for admin', ['set', 'admin', '--permission', 'files:read'], 5, 'keeps every permission'],
    ['the deletion of a system role', ['delete', 'user', '--yes'], 5, 'cannot be deleted'],
    ['an unknown role', ['show', 'nothing'], 4, "There is no role 'nothing'"],
  ])('refuses %s', async (_what, args, code, words) => {
    expectRefusal(await role(args), code, words)
  })

  test('--help of roles and keys names every permission', async () => {
    for (const command of [
      ['role', 'create'],
      ['role', 'set'],
      ['key', 'create'],
    ]) {
      const { stdout } = await runOn(server, ['admin', ...command, '--help'])
      for (const key of permissionKeys) expect(stdout).toContain(key)
    }
  })
})

describe('key', () => {
  const key = (args: string[]) => runOn(server, ['admin', 'key', ...args])

  test('create prints the secret of a working key once, and no other command prints it', async () => {
    const ann = await buildUser(server, { username: 'ann' })
    const { code, stdout } = await key([
      'create',
      'backup',
      '--user',
      'ann',
      '--permission',
      'files:read',
      '--permission',
      'tags:read',
    ])
    expect(code).toBe(0)
    const [, keyId = ''] = /^Key ID +(gk_\w+)$/m.exec(stdout) ?? []
    const [, secret = ''] = /^Secret +(gs_[\w-]{43})$/m.exec(stdout) ?? []
    const client = openClient(server.url, { 'x-api-key-id': keyId, 'x-api-secret': secret })
    expect([(await client.raw('/api/files')).status, (await client.raw('/api/auth/api-keys')).status]).toEqual([
      200, 403,
    ])
    const [listed] = (await ann.call(listApiKeys, {})).api_keys
    expect(listed).toMatchObject({ name: 'backup', key_id: keyId, kind: 'script', expires_at: null })
    expect(await readJson(server, ['key', 'list', '--user', 'ann'])).toEqual([
      { ...listed, owner: 'ann', folder: null },
    ])
    expect((await key(['list'])).stdout).toMatch(new RegExp(`^${keyId} +active +never +ann +backup$`, 'm'))
  })

  test('create accepts a kind, an expiry and rate limits', async () => {
    await buildUser(server, { username: 'bob' })
    const limits = ['--per-minute', '5', '--per-hour', '50', '--per-day', '500']
    const permissions = userRolePermissions.flatMap(key => ['--permission', key])
    const args = ['key', 'create', 'all', '--user', 'bob', ...permissions, '--expires-in', '30', ...limits]
    const made = (await readJson(server, args)) as { secret: string; created_at: string; expires_at: string }
    expect(made).toMatchObject({
      owner: 'bob',
      permissions: userRolePermissions,
      rate_limit_per_minute: 5,
      rate_limit_per_hour: 50,
      rate_limit_per_day: 500,
    })
    expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).toBe(30 * 24 * 60 * 60 * 1000)
    const device = ['key', 'create', 'laptop', '--user', 'bob', '--permission', 'files:read', '--kind', 'device']
    expect(await readJson(server, device)).toMatchObject({ kind: 'device' })
  })

  test('revoke deletes a key by its key ID or its id, and its next request fails', async () => {
    const eve = await buildUser(server, { username: 'eve' })
    const [one, two] = [await buildKey(server, eve, ['files:read']), await buildKey(server, eve, ['files:read'])]
    expectRefusal(await key(['revoke', one.keyId]), 2, 'use --yes')
    const { stdout } = await key(['revoke', one.keyId, '--yes'])
    expect(stdout).toMatch(/^API key key-\w+ of eve was revoked$/)
    expect([(await one.raw('/api/files')).status, (await two.raw('/api/files')).status]).toEqual([401, 200])
    expect(await readJson(server, ['key', 'revoke', `id:${two.id}`, '--yes'])).toMatchObject({
      key_id: two.keyId,
      owner: 'eve',
    })
    expect((await two.raw('/api/files')).status).toBe(401)
    expect(await readJson(server, ['key', 'list', '--user', 'eve'])).toEqual([])
    expect(await key(['list', '--user', 'eve'])).toMatchObject({ code: 0, stdout: '', stderr: 'There are no API keys' })
  })

  test.each([
    [
      'permissions that the owner lacks',
      ['create', 'k', '--user', 'zed', '--permission', 'users:manage'],
      3,
      'users:manage',
    ],
    ['an unknown permission', ['create', 'k', '--user', 'zed', '--permission', 'fly'], 2, 'fly'],
    ['a key without permissions', ['create', 'k', '--user', 'zed'], 2, '--permission'],
    ['a key without a user', ['create', 'k', '--permission', 'files:read'], 2, '--user'],
    ['an unknown user', ['create', 'k', '--user', 'nobody', '--permission', 'files:read'], 4, "no user 'nobody'"],
    ['a blank name', ['create', ' ', '--user', 'zed', '--permission', 'files:read'], 2, 'name: '],
    [
      'an invalid expiry',
      ['create', 'k', '--user', 'zed', '--permission', 'files:read', '--expires-in', 'x'],
      2,
      '--expires-in',
    ],
    ['an unknown key', ['revoke', 'gk_nothing'], 4, "There is no API key 'gk_nothing'"],
  ])('refuses %s', async (_what, args, code, words) => {
    if (!(await runOn(server, ['admin', 'user', 'show', 'zed'])).stdout) await buildUser(server, { username: 'zed' })
    expectRefusal(await key(args), code, words)
  })
})
