/**
 * A fair queue for password hashing: one account's sign-ins do not push out another's. Users have a limit of sessions.
 */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callerOf } from '../../src/access/network.ts'
import { listSessions } from '../../src/api/auth.ts'
import { openClient, signIn } from '../support/client.ts'
import { type BuiltUser, buildUser } from '../support/factories.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let greedy: BuiltUser
let other: BuiltUser
beforeAll(async () => {
  server = await startServer({ trustProxy: '127.0.0.1' })
  other = await buildUser(server, { isCostly: true })
})
beforeEach(async () => {
  greedy = await buildUser(server, { isCostly: true })
})
afterAll(() => server.close())

const attempt = async (username: string, password: string, address = '192.0.2.1'): Promise<number> => {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': address }
  const request = { method: 'POST', headers, body: JSON.stringify({ username, password }) }
  return (await openClient(server.url).raw('/api/auth/login', request)).status
}

/**
 * Sends sixty requests of a kind while the queue is held. Once all of them wait or are refused, it sends a sign-in of
 * another user, lets the queue go on, and returns the status of that sign-in.
 */
async function signInAmong(send: (index: number) => Promise<number>, address?: string): Promise<number> {
  const { passwords } = server.deps
  let goOn = () => {}
  const gate = new Promise<void>(resolve => {
    goOn = resolve
  })
  const hold = () => passwords.verify(null, 'a password', callerOf('holder', null), () => gate)
  const held = [hold(), hold()]
  let refused = 0
  const sent = Array.from({ length: 60 }, async (_, index) => {
    if ((await send(index)) === 429) refused += 1
  })
  await expect.poll(() => [passwords.waiting(), refused], { interval: 10 }).toEqual([32, 28])
  const answer = attempt(other.username, other.password, address)
  await expect.poll(() => refused, { interval: 10 }).toBe(29)
  goOn()
  const status = await answer
  await Promise.all([...held, ...sent])
  return status
}

async function changePassword(user: BuiltUser): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ current_password: user.password, new_password: user.password })
  return (await user.raw('/api/auth/password', { method: 'PUT', headers, body })).status
}

describe('a sign-in gets its place in the queue while', () => {
  beforeEach(context => onlyOneServer('process', context))

  test.each<[string, (index: number) => Promise<number>]>([
    ['another account signs in sixty times at once', () => attempt(greedy.username, greedy.password)],
    ['another account changes its password sixty times at once', () => changePassword(greedy)],
    [
      'an account is guessed at from sixty addresses',
      index => attempt(greedy.username, 'guess', `198.51.100.${index}`),
    ],
    ['sixty names are tried from one network', index => attempt(`nobody-${index}`, 'guess', `2001:db8::${index}`)],
  ])('%s', async (_what, send) => {
    expect(await signInAmong(send, '2001:db8:0:1::1')).toBe(200)
  })
})

describe('a sign-in comes before others while', () => {
  beforeEach(context => onlyOneServer('process', context))

  test('forty networks go on trying wrong passwords, each for names of its own', async () => {
    const network = (index: number) => `2001:db8:1:${index % 40}::1`
    const first = Array.from({ length: 40 }, (_, index) => index)
    for (const some of [first.slice(0, 20), first.slice(20)]) {
      const statuses = await Promise.all(some.map(index => attempt(`nobody-${index}`, 'guess', network(index))))
      expect(new Set(statuses)).toEqual(new Set([401]))
    }
    const send = (index: number) => attempt(`no-other-${index}`, 'guess', network(index))
    expect(await signInAmong(send, '2001:db8:0:2::1')).toBe(200)
  })

  test('sixty new networks try a password each, if somebody signed in from its network before', async () => {
    expect(await attempt(other.username, other.password, '2001:db8:0:3::1')).toBe(200)
    const send = (index: number) => attempt(`nobody-${index}`, 'guess', `2001:db8:2:${index}::1`)
    expect(await signInAmong(send, '2001:db8:0:3::2')).toBe(200)
  })

  test('sixty new networks guess at the same name, if somebody signed in from its network before', async () => {
    expect(await attempt(other.username, other.password, '2001:db8:0:4::1')).toBe(200)
    const send = (index: number) => attempt(other.username, 'guess', `2001:db8:3:${index}::1`)
    expect(await signInAmong(send, '2001:db8:0:4::2')).toBe(200)
  })
})

test('successful sign-ins of one username from one address are limited, too', async context => {
  onlyOneServer('process', context)
  const user = await buildUser(server)
  const address = '203.0.113.7'
  const done = { usernameKey: user.username, address }
  for (let n = 0; n < 299; n++) await server.deps.limits.succeed(done)
  expect(await attempt(user.username, user.password, address)).toBe(200)
  expect(await attempt(user.username, user.password, address)).toBe(429)
  expect(await attempt(user.username, user.password, '203.0.113.8')).toBe(200)
})

describe('a user', () => {
  /** Plants sessions that were used a while ago, the first of them longest ago. */
  const plantSessions = (userId: number, count: number) => {
    const { db } = server.deps
    const seen = (index: number) => Date.now() - 1_000_000 + index
    const row = (index: number) => ({
      hash: randomBytes(32).toString('hex'),
      user_id: userId,
      data: '{}',
      address: null,
      user_agent: null,
      created_at: seen(index),
      last_seen_at: seen(index),
      expires_at: Date.now() + 1_000_000,
    })
    return db.touch(() =>
      db.insertAll(
        db.sessions,
        Array.from({ length: count }, (_, index) => row(index)),
      ),
    )
  }

  test('has at most 100 sessions, and a new one ends the least recently used', async () => {
    const user = await buildUser(server)
    await plantSessions(user.id, 99)
    const oldest = async () => Math.min(...(await user.call(listSessions, {})).sessions.map(({ id }) => id))
    const own = (await user.call(listSessions, {})).sessions.find(({ current }) => current)?.id
    const before = (await user.call(listSessions, {})).sessions.map(({ id }) => id)
    expect(before).toHaveLength(100)
    await signIn(server.url, user.username, user.password)
    const after = (await user.call(listSessions, {})).sessions.map(({ id }) => id)
    expect(after).toHaveLength(100)
    // The user's own session is the oldest, but it is in use.
    expect(await oldest()).toBe(own)
    expect(before.filter(id => !after.includes(id))).toEqual([before.at(-1)])
  })

  test('has at most 100 sessions after many concurrent sign-ins', async () => {
    const user = await buildUser(server)
    await plantSessions(user.id, 95)
    await Promise.all(Array.from({ length: 20 }, () => signIn(server.url, user.username, user.password)))
    expect((await user.call(listSessions, {})).sessions).toHaveLength(100)
  })
})
