/** The most streams of changes that a process tells. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxFollowers, maxFollowersOfSession, maxFollowersOfUser } from '../../src/api/limits.ts'
import type { TestClient } from '../support/client.ts'
import { buildKey, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
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
    return Promise.all(keys.flatMap(key => Array.from({ length: maxFollowersOfSession }, () => follow(key))))
  }
  const streams = await openOf(most, maxFollowersOfUser)
  const each = (maxFollowers - maxFollowersOfUser) / others.length
  for (const user of others) streams.push(...(await openOf(user, Math.floor(each / 5) * 5)))
  const [last] = others
  if (last !== undefined) streams.push(...(await openOf(last, maxFollowers - streams.length)))
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
