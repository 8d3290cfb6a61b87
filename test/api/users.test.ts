/** Creating, listing and changing users as an administrator. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changePassword, getProfile, login } from '../../src/api/auth.ts'
import { listFiles } from '../../src/api/files.ts'
import { defaultStorageQuota } from '../../src/api/limits.ts'
import { createUser, deleteUser, listUsers, type User, updateUser } from '../../src/api/users.ts'
import { openClient, signIn, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildKey, buildRole, buildUser } from '../support/factories.ts'
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
const isIn = async (client: TestClient): Promise<boolean> => (await client.raw('/api/auth/profile')).status === 200
const findUser = async (id: number): Promise<User | undefined> =>
  (await admin.call(listUsers, {})).users.find(user => user.id === id)

let count = 0
const newUser = (input: object = {}) => {
  count += 1
  return { username: `new-${count}`, email: `new-${count}@example.org`, ...input }
}

describe('adding a user', () => {
  test('without a password generates one, shows it once, and requires the user to change it', async () => {
    const input = newUser()
    const { user, ...once } = await admin.call(createUser, input)
    expect(user).toEqual({
      id: expect.any(Number),
      ...input,
      full_name: null,
      role: 'user',
      storage_used: 0,
      storage_quota: defaultStorageQuota,
      is_active: true,
      created_at: expect.stringMatching(/Z$/),
    })
    expect(once).toEqual({ show_temp_password: true, temp_password: expect.stringMatching(/^[\w-]{20}$/) })
    expect(await findUser(user.id)).toEqual(user)
    const blank = await admin.call(createUser, {
      username: `${input.username}-2`,
      email: `2-${input.email}`,
      password: '',
    })
    expect(blank).toMatchObject({ show_temp_password: true, temp_password: expect.any(String) })
    const password = once.temp_password ?? ''
    const client = await signIn(server.url, input.username, password)
    await expect(client.call(listFiles, {})).rejects.toMatchObject({ status: 403, code: 'password_change_required' })
    await client.call(changePassword, { current_password: password, new_password: 'chosen by myself' })
    expect((await client.call(listFiles, {})).total).toBe(0)
  })

  test('with a chosen password requires no change of it', async () => {
    const input = newUser({ password: 'typed by somebody', full_name: ' Ada  L. ', role: 'admin', storage_quota: 0 })
    const answer = await admin.call(createUser, input)
    expect(Object.keys(answer)).toEqual(['user'])
    expect(answer.user).toMatchObject({ full_name: 'Ada  L.', role: 'admin', storage_quota: 0 })
    const client = await signIn(server.url, input.username, 'typed by somebody')
    expect(await client.call(getProfile, {})).toMatchObject({ must_change_password: false, role: 'admin' })
  })

  test.each([
    ['username', { username: '  ' }],
    ['username', { username: 'two words' }],
    ['username', { username: 'in\u200bvisible' }],
    ['username', { username: 'filler\u3164' }],
    ['username', { username: 'id:1' }],
    ['username', { username: '../x' }],
    ['username', { username: 'office\\ann' }],
    ['username', { username: 'x'.repeat(65) }],
    ['username', { username: '\ufdfa'.repeat(60) }],
    ['email', { email: 'nobody' }],
    ['email', { email: '' }],
    ['email', { email: `${'\ufdfa'.repeat(60)}@x.org` }],
    ['password', { password: 'short' }],
    ['role', { role: 'emperor' }],
    ['role', { role: 'Admin' }],
    ['storage_quota', { storage_quota: -1 }],
    ['storage_quota', { storage_quota: 1.5 }],
    ['is_active', { is_active: false }],
    ['id', { id: 1 }],
    ['must_change_password', { must_change_password: false }],
  ])('is refused with an invalid %s: %j', async (field, wrong) => {
    const refused = admin.call(createUser, newUser(wrong) as never)
    await expect(refused).rejects.toMatchObject({ status: 400, fields: { [field]: expect.any(String) } })
  })
})

describe('the list of users', () => {
  test('comes in pages, sorted by name, with each user once', async () => {
    const { users, total, next_cursor } = await admin.call(listUsers, {})
    expect(users).toHaveLength(total)
    expect(next_cursor).toBeNull()
    const keys = users.map(user => user.username.toLowerCase())
    expect(keys).toEqual([...keys].sort())
    const paged: User[] = []
    let cursor: string | undefined
    do {
      const page = await admin.call(listUsers, { limit: 2, cursor })
      expect(page.total).toBe(total)
      paged.push(...page.users)
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
    expect(paged).toEqual(users)
    const foreign = admin.call(listUsers, { cursor: Buffer.from('{"list":"trash","after":[1]}').toString('base64url') })
    await expect(foreign).rejects.toMatchObject({ status: 400, fields: { cursor: 'Unknown cursor' } })
  })

  test('shows the storage used by each user, and no secrets', async () => {
    const user = await buildUser(server)
    await buildFile(user, {}, Buffer.alloc(1234))
    expect(await findUser(user.id)).toMatchObject({ storage_used: 1234 })
    const hashes = await server.deps.db.rows<{ password_hash: string }>('SELECT password_hash FROM users')
    const answers = await Promise.all(
      ['/api/users', '/api/auth/profile', '/api/auth/sessions', '/api/roles'].map(async path =>
        (await admin.raw(path)).text(),
      ),
    )
    for (const answer of answers) {
      expect(answer).not.toMatch(/argon2|password_hash|secret/)
      for (const { password_hash } of hashes) expect(answer).not.toContain(password_hash)
    }
  })

  test('is forbidden without the permission users:manage', async () => {
    const user = await buildUser(server)
    const key = await buildKey(server, admin, ['roles:manage', 'settings:manage'])
    for (const client of [user, key]) {
      await expect(client.call(listUsers, {})).rejects.toMatchObject(forbidden)
      await expect(client.call(createUser, newUser())).rejects.toMatchObject(forbidden)
      await expect(client.call(updateUser, { id: user.id, full_name: 'x' })).rejects.toMatchObject(forbidden)
      await expect(client.call(deleteUser, { id: user.id })).rejects.toMatchObject(forbidden)
    }
  })
})

describe('changing a user', () => {
  test('changes the given fields and no others', async () => {
    const { user } = await admin.call(createUser, newUser({ full_name: 'Old Name' }))
    const changed = await admin.call(updateUser, { id: user.id, email: 'other@example.org', storage_quota: 5000 })
    expect(changed.user).toEqual({ ...user, email: 'other@example.org', storage_quota: 5000 })
    for (const full_name of ['', null]) {
      await admin.call(updateUser, { id: user.id, full_name: 'Somebody' })
      expect((await admin.call(updateUser, { id: user.id, full_name })).user.full_name).toBeNull()
    }
    await expect(admin.call(updateUser, { id: 999_999, full_name: 'x' })).rejects.toMatchObject({ status: 404 })
  })

  test('is refused for a taken email address, an unknown role, and a new username', async () => {
    const user = await buildUser(server)
    const { user: other } = await admin.call(createUser, newUser())
    const taken = admin.call(updateUser, { id: user.id, email: other.email.toUpperCase() })
    await expect(taken).rejects.toMatchObject({ status: 409, code: 'name_taken', fields: { email: /taken/ } })
    const unknown = admin.call(updateUser, { id: user.id, role: 'emperor' })
    await expect(unknown).rejects.toMatchObject({ status: 400, fields: { role: /emperor/ } })
    const renamed = admin.call(updateUser, { id: user.id, username: 'other' } as never)
    await expect(renamed).rejects.toMatchObject({ status: 400, fields: { username: 'Unknown field' } })
  })

  test('to disabled ends the sessions, and API keys get 401 at once', async () => {
    const user = await buildUser(server)
    const key = await buildKey(server, user, ['files:read'])
    expect((await admin.call(updateUser, { id: user.id, is_active: false })).user.is_active).toBe(false)
    expect([await isIn(user), await isIn(key)]).toEqual([false, false])
    const refused = signIn(server.url, user.username, user.password)
    await expect(refused).rejects.toMatchObject({ status: 403 })
    await admin.call(updateUser, { id: user.id, is_active: true })
    expect([await isIn(user), await isIn(key)]).toEqual([false, true])
    expect(await isIn(await signIn(server.url, user.username, user.password))).toBe(true)
  })

  test('ends the sessions when the role or the password changes, and only then', async () => {
    const user = await buildUser(server)
    await admin.call(updateUser, { id: user.id, full_name: 'x', role: 'user', is_active: true, storage_quota: 1 })
    expect(await isIn(user)).toBe(true)
    await admin.call(updateUser, { id: user.id, role: await buildRole(server, ['files:read']) })
    expect(await isIn(user)).toBe(false)
    const again = await signIn(server.url, user.username, user.password)
    await admin.call(updateUser, { id: user.id, password: '' })
    expect(await isIn(again)).toBe(true)
    await admin.call(updateUser, { id: user.id, password: 'typed by the admin' })
    expect(await isIn(again)).toBe(false)
    await expect(signIn(server.url, user.username, user.password)).rejects.toMatchObject({ status: 401 })
    const client = await signIn(server.url, user.username, 'typed by the admin')
    expect((await client.call(getProfile, {})).must_change_password).toBe(false)
  })

  test('can lower the quota below the usage, and then refuses every upload', async () => {
    const user = await buildUser(server)
    await buildFile(user, {}, Buffer.alloc(2000))
    await admin.call(updateUser, { id: user.id, storage_quota: 1000 })
    await expect(buildFile(user, {}, 'x')).rejects.toMatchObject({ status: 413, code: 'quota_exceeded' })
  })
})

describe('the answer to a failed sign-in', () => {
  test('is the same for existing and unknown usernames', async () => {
    const ask = async (username: string) => {
      const response = await openClient(server.url).raw(`/api${login.path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username, password: 'not the password' }),
      })
      const { request_id, ...body } = (await response.json()) as { request_id: string }
      return { status: response.status, body }
    }
    expect(await ask(admin.username)).toEqual(await ask('nobody-at-all'))
  })
})
