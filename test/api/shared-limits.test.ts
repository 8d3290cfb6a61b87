/** Two servers on one MariaDB share the limits of failed sign-ins and the rate limits of API keys. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openClient } from '../support/client.ts'
import { buildKey, buildUser } from '../support/factories.ts'
import { areSeveral, onlyOn, onlyOneServer } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

beforeEach(context => onlyOneServer('several', context))

let servers: TestServer[] = []
beforeAll(async () => {
  const first = await startServer()
  servers = [first]
  if (first.databaseFlag !== undefined && !areSeveral) servers.push(await startServer({ database: first.databaseFlag }))
})
afterAll(async () => {
  // Close the first server last, because it drops the database.
  for (const server of servers.reverse()) await server.close()
})

const [here, there] = [() => servers[0] as TestServer, () => servers[1] as TestServer]

const attempt = (server: TestServer, username: string, password: string) =>
  openClient(server.url).raw('/api/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })

test('ten failed sign-ins at two servers together cause a 429 at both, for an unknown username, too', async context => {
  onlyOn('mariadb', context)
  const ann = await buildUser(here())
  for (const name of [ann.username, 'nobody-here']) {
    for (let round = 0; round < 10; round++) {
      expect((await attempt(round % 2 === 0 ? here() : there(), name, 'wrong password')).status).toBe(401)
    }
    for (const server of [there(), here()]) {
      const refused = await attempt(server, name, ann.password)
      expect(refused.status).toBe(429)
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(14 * 60)
    }
  }
})

test('a successful sign-in at one server resets the failures counted at the other', async context => {
  onlyOn('mariadb', context)
  const ann = await buildUser(here())
  for (const server of [here(), there(), here()]) {
    for (let round = 0; round < 9; round++) {
      expect((await attempt(server, ann.username, 'wrong password')).status).toBe(401)
    }
    expect((await attempt(there(), ann.username, ann.password)).status).toBe(200)
  }
})

test('the shared counters contain no usernames and no addresses', async context => {
  onlyOn('mariadb', context)
  await attempt(here(), 'somebody', 'wrong password')
  const rows = await here().deps.db.rows<{ name: string }>('SELECT name FROM shared_counts')
  expect(rows.length).toBeGreaterThan(1)
  for (const { name } of rows) expect(name).toMatch(/^(pair|address|changes):[\w-]{43}$/)
})

test('further attempts beyond the limit are refused without a write to the database', async context => {
  onlyOn('mariadb', context)
  const failures = () => here().deps.db.rows('SELECT name, points FROM shared_counts ORDER BY name')
  for (let round = 0; round < 11; round++) await attempt(here(), 'insistent', 'wrong password')
  const counted = await failures()
  for (let round = 0; round < 5; round++) {
    expect((await attempt(here(), 'insistent', 'wrong password')).status).toBe(429)
  }
  expect(await failures()).toEqual(counted)
})

test('a rate limit window from a clock far ahead refuses nobody', async context => {
  onlyOn('mariadb', context)
  const ann = await buildUser(here())
  expect((await attempt(there(), ann.username, 'wrong password')).status).toBe(401)
  const { db } = here().deps
  await db.touch(() => db.change('UPDATE shared_counts SET points = 500, ends_at = ends_at + 86400000 * 365'))
  expect((await attempt(there(), ann.username, ann.password)).status).toBe(200)
})

test('the rate limit of an API key is shared by both servers', async context => {
  onlyOn('mariadb', context)
  const ann = await buildUser(here())
  const limit = 40
  const key = await buildKey(here(), ann, ['files:read'], 'script', { rate_limit_per_minute: limit })
  const ask = (server: TestServer) => fetch(`${server.url}/api/auth/profile`, { headers: key.headers })
  let spent = 0
  const spend = async (server: TestServer): Promise<number> => {
    const response = await ask(server)
    if (response.ok) spent += 1
    return Number(response.headers.get('ratelimit-remaining'))
  }
  const untilItKnows = (server: TestServer) =>
    expect.poll(async () => (await spend(server)) + spent, { interval: 300 }).toBe(limit)
  for (let round = 0; round < 10; round++) await spend(here())
  await untilItKnows(there())
  await untilItKnows(here())
  await untilItKnows(there())
  while ((await spend(there())) > 0);
  expect(spent).toBe(limit)
  await expect.poll(async () => (await ask(here())).status, { interval: 300 }).toBe(429)
})
