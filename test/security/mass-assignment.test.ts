/** Users cannot set fields that are not theirs to set, and no name is given twice, in any spelling. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createUser, updateUser } from '../../src/api/users.ts'
import { type Expectation, expectations } from '../matrix/expectations.ts'
import { inputs } from '../matrix/inputs.ts'
import { endpointOf } from '../matrix/send.ts'
import { buildWorld, type World } from '../matrix/world.ts'
import { type BuiltUser, buildUser, userRolePermissions } from '../support/factories.ts'
import { inputForms } from '../support/sample-input.ts'
import { type Input, readRefusal, sendInput } from '../support/send-input.ts'
import { startServer } from '../support/server.ts'
import { passingTables, readTables } from '../support/table-rows.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let world: World
let admin: BuiltUser
beforeAll(async () => {
  server = await startServer()
  world = await buildWorld(server)
  admin = world.admin.user
})
afterAll(() => server.close())

/** Columns of users, spaces, keys and files that their owners may not set. */
const notTheirs: Input = {
  id: 1,
  owner_id: 1,
  user_id: 1,
  owner: 'admin',
  username: 'admin',
  space_id: 1,
  role: 'admin',
  role_id: 1,
  is_admin: true,
  is_active: true,
  is_system: true,
  kind: 'device',
  permissions: ['users:manage'],
  permission_ids: [1],
  storage_quota: 1e15,
  storage_used: 0,
  must_change_password: false,
  password: 'something new',
  password_hash: 'x',
  key_id: 'gk_1',
  secret: 'gs_1',
  validation_status: 'approved',
  status: 'approved',
  blob_id: 1,
  sha256: '0'.repeat(64),
  size: 0,
  deleted_at: null,
  created_at: '2000-01-01T00:00:00.000Z',
}

const ofPlainUsers = ['open', 'session', 'signed-in', ...userRolePermissions]
/** The calls of plain users that have a body, in any form. */
const rows = expectations.filter(
  ({ name, asks }) =>
    !/query|bytes/.test(endpointOf(name).carrier) && asks.split(/ [+/] /).every(one => ofPlainUsers.includes(one)),
)

/** A valid input of a plain user. */
async function inputOf({ row, own }: Expectation): Promise<Input> {
  const { user } = world.owner
  const item = await world.item(user, own.length === 2 ? 'folder' : 'file', 'live')
  return (await inputs[row]?.({ world, caller: world.owner, of: user, item })) ?? {}
}

describe('a field that a plain user may not set', () => {
  test('is refused beside a valid input in every call with a body, and changes no row', async () => {
    const tried = await Promise.all(rows.map(async row => ({ ...row, input: await inputOf(row) })))
    const before = await readTables(server, passingTables)
    const taken: object[] = []
    for (const { row, name, input } of tried) {
      const endpoint = endpointOf(name)
      const known = inputForms(endpoint).flatMap(fields => Object.keys(fields))
      const foreign = Object.keys(notTheirs).filter(key => !known.includes(key))
      await Promise.all(
        foreign.map(async key => {
          const refusal = await readRefusal(
            await sendInput(world.owner.client, endpoint, { ...input, [key]: notTheirs[key] }),
          )
          if (refusal.status !== 400 || refusal.named.join() !== key) taken.push({ row, key, ...refusal })
        }),
      )
    }
    expect(taken).toEqual([])
    expect(tried.length).toBeGreaterThan(30)
    expect(await readTables(server, passingTables)).toEqual(before)
  })

  test('is refused in a change of the own profile: role, quota, name and id stay', async () => {
    const user = await buildUser(server)
    const before = await server.deps.db.row('SELECT * FROM users WHERE id = $1', [user.id])
    for (const [key, value] of Object.entries(notTheirs)) {
      const response = await user.raw('/api/auth/profile', {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ full_name: 'New Name', [key]: value }),
      })
      expect(await readRefusal(response)).toEqual({ status: 400, error: 'invalid_input', named: [key] })
    }
    expect(await server.deps.db.row('SELECT * FROM users WHERE id = $1', [user.id])).toEqual(before)
    expect((await user.raw(`/api/users/${user.id}`, { method: 'PUT', body: '{}' })).status).toBe(403)
  })
})

describe('a taken name', () => {
  let count = 0
  const add = (name: object) => {
    count += 1
    return admin.call(createUser, { username: `look-${count}`, email: `look-${count}@example.org`, ...name })
  }

  test('is taken in every spelling that looks the same', async () => {
    await add({ username: 'Jürgen\u212b1', email: 'juergen@example.org' })
    const sameName = [
      'Jürgen\u212b1',
      'jürgen\u00e51',
      'JU\u0308RGENA\u030a1',
      'Ｊürgen\u212b1',
      ' Jürgen\u212b1 ',
      'ⓙürgen\u212b1',
      'Jürgen\u212b¹',
      '𝐉ü𝐫𝐠𝐞𝐧\u212b𝟏',
    ]
    for (const username of sameName) {
      await expect(add({ username }), username).rejects.toMatchObject({
        status: 409,
        code: 'name_taken',
        fields: { username: /taken/ },
      })
    }
    for (const email of ['juergen@example.org', 'JUERGEN@Example.org', 'ｊuergen@example.org']) {
      await expect(add({ email }), email).rejects.toMatchObject({
        status: 409,
        code: 'name_taken',
        fields: { email: /taken/ },
      })
    }
  })

  test.each([
    '\u200b',
    '\u200d',
    '\u2060',
    '\ufeff',
    '\u00ad',
    '\u034f',
    '\u061c',
    '\u115f',
    '\u2800',
    '\u3164',
    '\ufe0f',
    '\u{e0041}',
    '\u202e',
    '\0',
  ])('cannot be used again with an invisible character: %j', async invisible => {
    for (const username of [`ad${invisible}min`, `${invisible}admin`, `admin${invisible}`]) {
      // The server trims white space at the end, and then the name is taken.
      const status = username.trim() === 'admin' ? 409 : 400
      await expect(add({ username })).rejects.toMatchObject({ status, fields: { username: expect.any(String) } })
    }
  })

  test('cannot be taken by renaming, because a username never changes', async () => {
    const { user } = await add({})
    const renamed = admin.call(updateUser, { id: user.id, username: 'admin' } as never)
    await expect(renamed).rejects.toMatchObject({ status: 400, fields: { username: 'Unknown field' } })
  })

  test('is given to one of 50 concurrent requests, and only one space is created', async () => {
    const names = Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? 'raced' : 'ＲACED'))
    const outcomes = await Promise.allSettled(
      names.map((username, n) => admin.call(createUser, { username, email: `raced-${n}@example.org` })),
    )
    expect(outcomes.filter(outcome => outcome.status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes) {
      // The queue for hashing is full beyond 34 concurrent requests, so some are refused.
      if (outcome.status === 'rejected') expect([409, 429]).toContain(outcome.reason.status)
    }
    const spaces = await server.deps.db.rows(
      "SELECT s.id FROM users u JOIN spaces s ON s.owner_id = u.id WHERE u.username_key = 'raced'",
    )
    expect(spaces).toHaveLength(1)
  })
})
