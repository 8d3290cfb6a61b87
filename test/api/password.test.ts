/** Changing the own password, by choice and when the server requires it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changePassword, getProfile } from '../../src/api/auth.ts'
import { listFiles } from '../../src/api/files.ts'
import { failure, signIn, type TestClient } from '../support/client.ts'
import { buildKey, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const change = (client: TestClient, body: object) =>
  client.raw('/api/auth/password', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const refused = (field: string) => ({
  status: 400,
  error: 'invalid_input',
  fields: { [field]: expect.any(String) },
})

describe('changing the password', () => {
  test('makes the new password valid and the old one invalid', async () => {
    const { username, password, call } = await buildUser(server)
    await call(changePassword, { current_password: password, new_password: 'a better one' })
    await expect(signIn(server.url, username, password)).rejects.toMatchObject({ status: 401 })
    await expect(signIn(server.url, username, 'a better one')).resolves.toBeDefined()
  })

  test('ends every other session of the user, and no session of other users', async () => {
    const user = await buildUser(server)
    const bystander = await buildUser(server)
    const others = [
      await signIn(server.url, user.username, user.password),
      await signIn(server.url, user.username, user.password),
    ]
    await user.call(changePassword, { current_password: user.password, new_password: 'a better one' })
    for (const other of others) expect((await other.raw('/api/auth/profile')).status).toBe(401)
    for (const still of [user, bystander]) expect((await still.raw('/api/auth/profile')).status).toBe(200)
  })

  test('is 400 with a wrong current password, and changes nothing', async () => {
    const user = await buildUser(server)
    const other = await signIn(server.url, user.username, user.password)
    const response = await change(user, { current_password: 'not this one', new_password: 'a better one' })
    expect(await failure(response)).toEqual(refused('current_password'))
    expect((await other.raw('/api/auth/profile')).status).toBe(200)
    await expect(signIn(server.url, user.username, user.password)).resolves.toBeDefined()
  })

  test('needs both passwords, with exactly these field names', async () => {
    const user = await buildUser(server)
    const good = { current_password: user.password, new_password: 'a better one' }
    expect(await failure(await change(user, { new_password: good.new_password }))).toEqual(refused('current_password'))
    expect(await failure(await change(user, { current_password: user.password }))).toEqual(refused('new_password'))
    const renamed = { ...good, current_password: undefined, Current_password: user.password }
    expect((await change(user, renamed)).status).toBe(400)
  })

  test.each([
    ['1234567', 400],
    ['12345678', 200],
    ['éééé', 200],
    ['        ', 200],
    ['x'.repeat(1024), 200],
    ['x'.repeat(1025), 400],
    ['é'.repeat(513), 400],
  ])('accepts 8 to 1,024 bytes of UTF-8: %s', async (password, status) => {
    const user = await buildUser(server)
    const response = await change(user, { current_password: user.password, new_password: password })
    expect(response.status).toBe(status)
    if (status === 400) expect(await failure(response)).toEqual(refused('new_password'))
    else await expect(signIn(server.url, user.username, password)).resolves.toBeDefined()
  })

  test('is forbidden to every API key', async () => {
    const admin = await signIn(server.url, 'admin', server.adminPassword)
    const { permissions } = await admin.call(getProfile, {})
    const key = await buildKey(server, admin, permissions, 'device')
    const response = await change(key, { current_password: server.adminPassword, new_password: 'a better one' })
    expect(await failure(response)).toEqual({ status: 403, error: 'forbidden' })
  })

  test('is limited in failed attempts, so a stolen session cannot guess the password', async () => {
    const user = await buildUser(server)
    for (let round = 0; round < 10; round++) {
      expect((await change(user, { current_password: `guess ${round}`, new_password: 'a better one' })).status).toBe(
        400,
      )
    }
    const response = await change(user, { current_password: user.password, new_password: 'a better one' })
    expect(response.headers.get('retry-after')).not.toBeNull()
    expect(await failure(response)).toEqual({ status: 429, error: 'rate_limited' })
  })

  test('from two sessions at the same time sets one password and leaves one session', async () => {
    const first = await buildUser(server)
    const second = await signIn(server.url, first.username, first.password)
    const answers = await Promise.all(
      [first, second].map((client, index) =>
        change(client, { current_password: first.password, new_password: `password of ${index}` }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).not.toEqual([200, 200])
    const winner = answers.findIndex(({ status }) => status === 200)
    await expect(signIn(server.url, first.username, `password of ${winner}`)).resolves.toBeDefined()
    await expect(signIn(server.url, first.username, `password of ${1 - winner}`)).rejects.toMatchObject({ status: 401 })
  })
})

describe('a user who must change the password', () => {
  test('sees it in the profile, and may do nothing else before', async () => {
    const user = await buildUser(server, { mustChangePassword: true })
    expect((await user.call(getProfile, {})).must_change_password).toBe(true)
    await expect(user.call(listFiles, {})).rejects.toMatchObject({ status: 403, code: 'password_change_required' })
    const profile = await user.call(changePassword, { current_password: user.password, new_password: 'my own choice' })
    expect(profile.must_change_password).toBe(false)
    await expect(user.call(listFiles, {})).resolves.toMatchObject({ total: 0 })
  })

  test('may not choose the same password again', async () => {
    const user = await buildUser(server, { mustChangePassword: true })
    const response = await change(user, { current_password: user.password, new_password: user.password })
    expect(await failure(response)).toEqual(refused('new_password'))
    expect((await user.call(getProfile, {})).must_change_password).toBe(true)
    const wrong = await change(user, { current_password: 'not this one', new_password: 'not this one' })
    expect(await failure(wrong)).toEqual(refused('current_password'))
  })

  test('may sign out', async () => {
    const user = await buildUser(server, { mustChangePassword: true })
    expect((await user.raw('/api/auth/logout', { method: 'POST' })).status).toBe(200)
  })

  test('may not use an older API key either', async () => {
    const { db } = server.deps
    const user = await buildUser(server)
    const key = await buildKey(server, user, ['files:read'])
    await db.touch(() => db.change('UPDATE users SET must_change_password = 1 WHERE id = $1', [user.id]))
    await expect(key.call(listFiles, {})).rejects.toMatchObject({ status: 403, code: 'password_change_required' })
    expect((await key.call(getProfile, {})).must_change_password).toBe(true)
  })
})
