/** The most streams of changes that a process tells. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxFollowers, maxFollowersOfSession, maxKeys } from '../../src/api/limits.ts'
import type { TestClient } from '../support/client.ts'
import { buildFile, buildKey, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** Opens a stream; returns its status, the seconds after which to ask again, its first words, and how to close it. */
async function follow(client: TestClient) {
  const closing = new AbortController()
  const answer = await client.raw('/api/events/stream', { signal: closing.signal })
  const { value } = (await answer.body?.getReader().read()) ?? {}
  const text = Buffer.from(value ?? []).toString()
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text, close: () => closing.abort() }
}

test('a process that tells as many streams as it can refuses one more until another has ended', async () => {
  const users = [await buildUser(server), await buildUser(server)]
  const keys: TestClient[] = []
  for (const user of users) {
    for (let n = 0; n < maxKeys; n++) keys.push(await buildKey(server, user, ['files:read']))
  }
  const streams = await Promise.all(
    keys.flatMap(key => Array.from({ length: maxFollowersOfSession }, () => follow(key))),
  )
  expect(streams.length).toBe(maxFollowers)
  expect(new Set(streams.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(['200 : following\n\n']))

  const one = await buildUser(server)
  const refused = await follow(one)
  expect([refused.status, refused.retryAfter]).toEqual([503, '60'])
  expect(JSON.parse(refused.text)).toMatchObject({ error: 'unavailable' })
  // Other calls go on.
  await buildFile(one)

  streams[0]?.close()
  await expect
    .poll(async () => {
      const { status, close } = await follow(one)
      close()
      return status
    })
    .toBe(200)
  for (const { close } of streams) close()
})
