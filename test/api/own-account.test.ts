/** A user's own account: the profile and the open sessions. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashSecret } from '../../src/access/secrets.ts'
import { endSession, getProfile, listSessions, updateProfile } from '../../src/api/auth.ts'
import { failure, signIn, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildKey, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const isIn = async (client: TestClient): Promise<boolean> => (await client.raw('/api/auth/profile')).status === 200
const again = (user: BuiltUser): Promise<TestClient> => signIn(server.url, user.username, user.password)
const sessionsOf = async (client: TestClient) => (await client.call(listSessions, {})).sessions
const ownId = async (client: TestClient): Promise<number> =>
  (await sessionsOf(client)).find(session => session.current)?.id ?? 0

/** Moves back the time at which a session was last used (ms). */
const age = (client: TestClient, ms: number) =>
  server.deps.db.touch(() =>
    server.deps.db.change('UPDATE sessions SET last_seen_at = last_seen_at - $1 WHERE hash = $2', [
      ms,
      hashSecret(client.headers.cookie?.split('=')[1] ?? ''),
    ]),
  )

describe('the user’s own profile', () => {
  test('takes a new email address and name, each alone, and can clear the name', async () => {
    const user = await buildUser(server)
    const before = await user.call(getProfile, {})
    const named = await user.call(updateProfile, { full_name: '  Ada Lovelace ' })
    expect(named).toEqual({ ...before, full_name: 'Ada Lovelace' })
    const moved = await user.call(updateProfile, { email: ' ada@example.org ' })
    expect(moved).toEqual({ ...named, email: 'ada@example.org' })
    expect((await user.call(updateProfile, { full_name: '' })).full_name).toBeNull()
    expect(await user.call(updateProfile, {})).toEqual({ ...moved, full_name: null })
    expect((await user.call(updateProfile, { email: 'ADA@example.org' })).email).toBe('ADA@example.org')
  })

  test('cannot take another user’s email address, nor change any other field', async () => {
    const [user, other] = [await buildUser(server), await buildUser(server)]
    const { email } = await other.call(getProfile, {})
    const taken = user.call(updateProfile, { email: email.toUpperCase() })
    await expect(taken).rejects.toMatchObject({ status: 409, code: 'name_taken', fields: { email: /taken/ } })
    const before = await user.call(getProfile, {})
    for (const field of ['role', 'storage_quota', 'is_active', 'username', 'id', 'Email', 'password']) {
      const response = await user.raw('/api/auth/profile', {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ [field]: 'admin' }),
      })
      expect(await failure(response)).toMatchObject({ status: 400, fields: { [field]: 'Unknown field' } })
    }
    expect(await user.call(getProfile, {})).toEqual(before)
  })

  test('gets an email address once when ten users request it at the same time', async () => {
    const users = await Promise.all(Array.from({ length: 10 }, () => buildUser(server)))
    const outcomes = await Promise.allSettled(users.map(user => user.call(updateProfile, { email: 'one@example.org' })))
    expect(outcomes.filter(outcome => outcome.status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 409, code: 'name_taken' })
    }
  })

  test('and the sessions can be changed with a session only, not with an API key', async () => {
    const admin = await buildUser(server, { role: 'admin' })
    const key = await buildKey(server, admin, ['users:manage'])
    const forbidden = { status: 403, code: 'forbidden' }
    await expect(key.call(updateProfile, { full_name: 'x' })).rejects.toMatchObject(forbidden)
    await expect(key.call(listSessions, {})).rejects.toMatchObject(forbidden)
    await expect(key.call(endSession, { id: await ownId(admin) })).rejects.toMatchObject(forbidden)
    expect(await isIn(admin)).toBe(true)
  })
})

describe('the user’s own sessions', () => {
  test('are listed with the last used first, and mark the current one', async () => {
    const user = await buildUser(server)
    const [second, third] = [await again(user), await again(user)]
    await age(second, 30_000)
    await age(user, 20_000)
    const sessions = await sessionsOf(third)
    const ids = [await ownId(third), await ownId(user), await ownId(second)]
    expect(sessions.map(({ id }) => id)).toEqual(ids)
    expect(sessions.map(({ current }) => current)).toEqual([true, false, false])
    expect(sessions[0]).toEqual({
      id: expect.any(Number),
      created_at: expect.stringMatching(/Z$/),
      last_seen_at: expect.stringMatching(/Z$/),
      address: '127.0.0.1',
      user_agent: expect.any(String),
      current: true,
    })
  })

  test('leave out expired sessions', async () => {
    const user = await buildUser(server)
    const old = await again(user)
    await server.deps.db.touch(() =>
      server.deps.db.change('UPDATE sessions SET expires_at = $1 WHERE hash = $2', [
        Date.now() - 1,
        hashSecret(old.headers.cookie?.split('=')[1] ?? ''),
      ]),
    )
    expect(await sessionsOf(user)).toHaveLength(1)
  })

  test('can be ended one by one', async () => {
    const user = await buildUser(server)
    const [lost, kept] = [await again(user), await again(user)]
    expect(await user.call(endSession, { id: await ownId(lost) })).toBeNull()
    expect([await isIn(lost), await isIn(kept), await isIn(user)]).toEqual([false, true, true])
    expect(await sessionsOf(user)).toHaveLength(2)
  })

  test('include the current one, whose end clears the cookie like signing out', async () => {
    const user = await buildUser(server)
    const response = await user.raw(`/api/auth/sessions/${await ownId(user)}`, { method: 'DELETE' })
    expect(response.status).toBe(200)
    expect(response.headers.getSetCookie()[0]).toMatch(/^filestore_session=; .*expires=Thu, 01 Jan 1970/)
    expect(await isIn(user)).toBe(false)
  })

  test('do not include another user’s: ending it is 404 like an unknown one', async () => {
    const [user, other] = [await buildUser(server), await buildUser(server, { role: 'admin' })]
    for (const id of [await ownId(user), 999_999]) {
      await expect(other.call(endSession, { id })).rejects.toMatchObject({ status: 404, code: 'not_found' })
    }
    expect(await isIn(user)).toBe(true)
  })
})
