/** The most streams of changes that a process tells. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxFollowers, maxFollowersOfSession, maxFollowersOfUser } from '../../src/api/limits.ts'
import type { TestClient } from '../support/client.ts'
import { buildKey, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  // Without the limit of connections of one network.
  server = await startServer({ trustProxy: '127.0.0.1' })
})
afterAll(() => server.close())

/** Opens a stream, and reads it to its end. */
async function follow(client: TestClient) {
  const closing = new AbortController()
  const answer = await client.raw('/api/events/stream', { signal: closing.signal })
  let isEnded = false
  void answer
    .text()
    .catch(() => undefined)
    .finally(() => {
      isEnded = true
    })
  return { status: answer.status, isEnded: () => isEnded, close: () => closing.abort() }
}

test('a process that tells as many streams as it can ends the oldest of the user with the most', async () => {
  const [most, ...others] = await Promise.all(Array.from({ length: 21 }, () => buildUser(server)))
  if (most === undefined) throw new Error('no user')
  const openOf = async (user: TestClient, count: number) => {
    const keys: TestClient[] = []
    while (keys.length < count / maxFollowersOfSession) keys.push(await buildKey(server, user, ['files:read']))
    const clients = keys.flatMap(key => Array.from({ length: maxFollowersOfSession }, () => key))
    return Promise.all(clients.slice(0, count).map(follow))
  }
  const streams = await openOf(most, maxFollowersOfUser)
  for (const [index, user] of others.entries()) {
    // Each of the others has fewer than the one with the most.
    streams.push(...(await openOf(user, Math.ceil((maxFollowers - streams.length) / (others.length - index)))))
  }
  expect(streams.length).toBe(maxFollowers)
  expect(streams.filter(({ isEnded }) => isEnded())).toEqual([])

  const one = await follow(await buildUser(server))
  await expect.poll(() => streams.filter(({ isEnded }) => isEnded()).length).toBe(1)
  expect([one.status, one.isEnded(), streams.slice(maxFollowersOfUser).some(({ isEnded }) => isEnded())]).toEqual([
    200,
    false,
    false,
  ])
  for (const { close } of streams) close()
})
