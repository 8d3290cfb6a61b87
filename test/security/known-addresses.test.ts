/** A rate limit keeps users from finding out many email addresses of other users. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateProfile } from '../../src/api/auth.ts'
import { failure } from '../support/client.ts'
import { buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

test('a user may try five email addresses an hour, whether or not they are taken', async () => {
  const [user, other] = [await buildUser(server), await buildUser(server)]
  const known = (await other.call(updateProfile, {})).email
  const change = (email: string) =>
    user.raw('/api/auth/profile', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    })
  const statuses: number[] = []
  for (const email of ['a@example.org', known, 'b@example.org', known, 'c@example.org']) {
    statuses.push((await change(email)).status)
  }
  expect(statuses).toEqual([200, 409, 200, 409, 200])
  for (const email of ['d@example.org', known]) {
    const answer = await change(email)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3000)
    expect(await failure(answer)).toEqual({ status: 429, error: 'rate_limited' })
  }
  // An unchanged address is no attempt, and other users have a limit of their own.
  expect((await user.call(updateProfile, { email: 'c@example.org', full_name: 'Carla' })).full_name).toBe('Carla')
  expect((await other.call(updateProfile, { email: 'e@example.org' })).email).toBe('e@example.org')
})
