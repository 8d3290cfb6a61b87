/** No new username may look like an existing one; users who have such a name from an older version keep it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getProfile } from '../../src/api/auth.ts'
import { createRole, listPermissions } from '../../src/api/roles.ts'
import { createUser, updateUser } from '../../src/api/users.ts'
import { signIn } from '../support/client.ts'
import { type BuiltUser, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { username: 'boss.of.all', role: 'admin' })
})
afterAll(() => server.close())

let made = 0
const add = (username: string) =>
  admin.call(createUser, { username, email: `mail${made++}@example.org`, password: 'typed by somebody' })

describe('a username that resembles admin', () => {
  test.each([
    ['a Cyrillic а', '\u0430dmin'],
    ['an ı without its dot', 'adm\u0131n'],
    ['a Turkish İ', 'ADM\u0130N'],
    ['a dot above the i that does not show', 'admi\u0307n'],
    ['rn for m', 'adrnin'],
    ['a full stop behind it', 'admin.'],
    ['a line before it', '_admin'],
    ['letters of mathematics', '\u{1d41a}\u{1d41d}\u{1d426}\u{1d422}\u{1d427}'],
  ])('is refused with %s', async (_what, username) => {
    await expect(add(username)).rejects.toMatchObject({
      status: 409,
      code: 'name_taken',
      fields: { username: expect.stringMatching(/'admin'|is already taken/) },
    })
  })

  test.each([
    ['an accent', 'admi\u0144'],
    ['another word', 'administrator'],
    ['a dot within', 'ad.min'],
    ['a digit behind it', 'admin2'],
  ])('is accepted with %s', async (_what, username) => {
    expect((await add(username)).user.username).toBe(username)
  })
})

test('of concurrent usernames that look alike only one is accepted', async () => {
  const names = ['paypal', 'p\u0430ypal', 'paypa1', 'paypal.', 'PAYPAL-', 'p\u0251yp\u0430l']
  const results = await Promise.allSettled(names.map(add))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const result of results) {
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'name_taken' })
  }
})

describe('a user from an older version', () => {
  /** Changes a user's row to one that an older version of the server wrote. */
  const rename = (id: number, username: string) => {
    const { db } = server.deps
    return db.touch(() => db.update(db.users, { username, username_key: username, username_skeleton: null }, id))
  }

  test('keeps new usernames from looking like the old name', async () => {
    const { user } = await add('to-be-renamed')
    await rename(user.id, 'oldtimer')
    await expect(add('\u043eldtimer')).rejects.toMatchObject({
      code: 'name_taken',
      message: "'\u043eldtimer' looks like 'oldtimer', which is already taken",
    })
  })

  test('is found among many users from an older version', async () => {
    const { db } = server.deps
    const many = 450
    const made = Array.from({ length: many }, (_, at) => `of-before-${at}`)
    const role = await db.row<{ id: number }>("SELECT id FROM roles WHERE name = 'user'")
    const values = made.map(
      name => `('${name}', '${name}', '${name}@e.org', '${name}@e.org', '', ${role?.id}, 1, 0, 1, 1)`,
    )
    const columns = `username, username_key, email, email_key, password_hash, role_id, is_active, must_change_password,
      created_at, updated_at`
    await db.touch(() => db.change(`INSERT INTO users (${columns}) VALUES ${values.join(', ')}`))
    await expect(add('\u043ef-bef\u043ere-449')).rejects.toMatchObject({ code: 'name_taken' })
    expect(await db.rows('SELECT id FROM users WHERE username_skeleton IS NULL')).toEqual([])
  })

  test.each([
    ['looks like another', 'b\u043ess.of.all'],
    ['has a colon and slashes in the name', '../id:1'],
  ])('whose name %s can sign in and can be changed', async (_what, username) => {
    const { user } = await add(`somebody-${made}`)
    await rename(user.id, username)
    const client = await signIn(server.url, username, 'typed by somebody')
    expect(await client.call(getProfile, {})).toMatchObject({ username })
    const change = {
      id: user.id,
      full_name: 'Somebody',
      email: `new${made++}@example.org`,
      password: 'another of theirs',
    }
    expect((await admin.call(updateUser, change)).user).toMatchObject({ username, full_name: 'Somebody' })
    await signIn(server.url, username, 'another of theirs')
  })
})

test('a role name that looks like an existing one is refused', async () => {
  const { permissions } = await admin.call(listPermissions, {})
  const permission_ids = [permissions[0]?.id ?? 0]
  const make = (name: string) => admin.call(createRole, { name, permission_ids })
  await expect(make('\u0410dmin')).rejects.toMatchObject({ status: 409, fields: { name: expect.any(String) } })
  expect((await make('Admins')).role.name).toBe('Admins')
})
