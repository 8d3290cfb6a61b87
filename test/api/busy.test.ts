/** A busy server: many sign-ins at once leave the others their turn. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callerOf } from '../../src/access/network.ts'
import { openClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { findLongestPause, shortPause } from '../support/longest-pause.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server, { isCostly: true })
})
afterAll(() => server.close())

const signIn = (username: string, password: string) =>
  openClient(server.url).raw('/api/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })

describe('32 sign-ins at once', () => {
  test('all get in, and other requests are answered meanwhile', async () => {
    const file = await buildFile(user)
    /** Signs in 32 times at once: how many other requests were answered while sign-ins waited for their turn. */
    const countAnswered = async () => {
      let running = true
      const attempts = Promise.all(Array.from({ length: 32 }, () => signIn('admin', server.adminPassword))).finally(
        () => {
          running = false
        },
      )
      let answered = 0
      while (running) {
        expect((await user.raw(`/api/files/${file.id}`)).status).toBe(200)
        if (server.deps.passwords.waiting() > 0) answered++
      }
      expect((await attempts).map(({ status }) => status)).toEqual(Array.from({ length: 32 }, () => 200))
      return answered
    }
    // Were all hashed at once, none would wait, and no other request would find a thread that reads the database. On a
    // machine that does other things, too, one round may show little.
    let answered = await countAnswered()
    for (let tries = 1; answered < 5 && tries < 10; tries++) answered = await countAnswered()
    expect(answered).toBeGreaterThanOrEqual(5)
  })
})

describe('more sign-ins than may wait', () => {
  test('are 429 with a second to wait, and the account is not locked by them', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => signIn(user.username, user.password)))
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(34)
    expect(refused.length + answers.filter(({ status }) => status === 200).length).toBe(60)
    for (const answer of refused) {
      expect(answer.headers.get('retry-after')).toBe('1')
      expect((await answer.json()).error).toBe('rate_limited')
    }
    expect((await signIn(user.username, user.password)).status).toBe(200)
  })
})

describe('a new user while more passwords of one administrator wait than may', () => {
  test('is 429 in words that fit', async () => {
    const admin = await buildUser(server, { role: 'admin' })
    const add = (username: string) =>
      admin.raw('/api/users', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username, email: `${username}@example.org` }),
      })
    const { passwords } = server.deps
    const caller = callerOf(admin.username, '127.0.0.1')
    /** Asks while as many passwords are hashed and wait as may, so that the next is one too many. */
    const addWhileBusy = async (username: string) => {
      const hashes = Promise.all(Array.from({ length: 34 }, () => passwords.hash('a password', caller)))
      const answer = await add(username)
      await hashes
      return answer
    }
    let answer = await addWhileBusy('busy0')
    // On a machine that does other things, too, some are hashed before the request is there.
    for (let tries = 1; answer.status !== 429 && tries < 10; tries++) answer = await addWhileBusy(`busy${tries}`)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '1'])
    const { error, message } = await answer.json()
    expect([error, message]).toEqual(['rate_limited', 'The server is busy, try again in a second'])
  })
})

describe('a large input', () => {
  test.each([
    ['fields that nobody knows', `{${Array.from({ length: 90_000 }, (_, index) => `"f${index}":1`).join(',')}}`],
    [
      'permissions that nobody has',
      JSON.stringify({ name: 'a', permissions: Array.from({ length: 250_000 }, () => 'x') }),
    ],
  ])('of %s does not hold others up', async (_what, body) => {
    const pause = await findLongestPause(async () => {
      const large = user.raw('/api/auth/api-keys', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      expect((await user.raw('/api/auth/profile')).status).toBe(200)
      expect((await large).status).toBe(400)
    })
    expect(pause).toBeLessThan(shortPause)
  })
})
