/** A busy server: many sign-ins at once do not block other requests. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callerOf } from '../../src/access/network.ts'
import { openClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { findLongestPause, shortPause } from '../support/longest-pause.ts'
import { onlyOneServer } from '../support/only-on.ts'
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
  test('all succeed, and other requests are answered meanwhile', async context => {
    onlyOneServer('process', context)
    const file = await buildFile(user)
    /**
     * Signs in 32 times at once and returns how many other requests were answered while sign-ins waited in the queue.
     */
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
    // If all passwords were hashed at once, no sign-in would wait, and no other request would find a thread that reads
    // the database. On a machine with other work, one round may show little, so the test allows ten.
    let answered = await countAnswered()
    for (let tries = 1; answered < 5 && tries < 10; tries++) answered = await countAnswered()
    expect(answered).toBeGreaterThanOrEqual(5)
  })
})

describe('more sign-ins than the queue holds', () => {
  test('are refused with 429 and Retry-After: 1, and do not lock the account', async () => {
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

describe('a new user while an administrator’s password queue is full', () => {
  test('is refused with 429 and a message that the server is busy', async context => {
    onlyOneServer('process', context)
    const admin = await buildUser(server, { role: 'admin' })
    const add = (username: string) =>
      admin.raw('/api/users', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username, email: `${username}@example.org` }),
      })
    const { passwords } = server.deps
    const caller = callerOf(admin.username, '127.0.0.1')
    /** Asks while the hashing queue is full, so that the request is one too many. */
    const addWhileBusy = async (username: string) => {
      const hashes = Promise.all(Array.from({ length: 34 }, () => passwords.hash('a password', caller)))
      const answer = await add(username)
      await hashes
      return answer
    }
    let answer = await addWhileBusy('busy0')
    // On a machine with other work, some passwords are hashed before the request arrives, so the test allows ten tries.
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
      JSON.stringify({ path: 'a', permissions: Array.from({ length: 250_000 }, () => 'x') }),
    ],
  ])('of %s does not block other requests', async (_what, body) => {
    const pause = await findLongestPause(async () => {
      const large = user.raw('/api/files/by-path', {
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
