/** Two servers on one MariaDB count failed sign-ins and the requests of keys as one. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openClient } from '../support/client.ts'
import { buildKey, buildUser } from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let servers: TestServer[] = []
beforeAll(async () => {
  const first = await startServer()
  servers = [first]
  if (first.databaseFlag !== undefined) servers.push(await startServer({ database: first.databaseFlag }))
})
afterAll(async () => {
  // The first one drops the database.
  for (const server of servers.reverse()) await server.close()
})

const [here, there] = [() => servers[0] as TestServer, () => servers[1] as TestServer]

const attempt = (server: TestServer, username: string, password: string) =>
  openClient(server.url).raw('/api/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })

test('ten failed sign-ins at either refuse the eleventh at both, of a name that nobody has too', async context => {
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

test('a success at one takes back what failed at the other', async context => {
  onlyOn('mariadb', context)
  const ann = await buildUser(here())
  for (const server of [here(), there(), here()]) {
    for (let round = 0; round < 9; round++) {
      expect((await attempt(server, ann.username, 'wrong password')).status).toBe(401)
    }
    expect((await attempt(there(), ann.username, ann.password)).status).toBe(200)
  }
})

test('what they count names neither users nor addresses', async context => {
  onlyOn('mariadb', context)
  await attempt(here(), 'somebody', 'wrong password')
  const rows = await here().deps.db.rows<{ name: string }>('SELECT name FROM shared_counts')
  expect(rows.length).toBeGreaterThan(1)
  for (const { name } of rows) expect(name).toMatch(/^(pair|address|changes):[\w-]{43}$/)
})

test('whoever goes on beyond the limit is refused without the database', async context => {
  onlyOn('mariadb', context)
  const failures = () => here().deps.db.rows('SELECT name, points FROM shared_counts ORDER BY name')
  for (let round = 0; round < 11; round++) await attempt(here(), 'insistent', 'wrong password')
  const counted = await failures()
  for (let round = 0; round < 5; round++) {
    expect((await attempt(here(), 'insistent', 'wrong password')).status).toBe(429)
  }
  expect(await failures()).toEqual(counted)
})

test('a window that a wrong clock has opened far ahead holds nobody up', async context => {
  onlyOn('mariadb', context)
  const ann = await buildUser(here())
  expect((await attempt(there(), ann.username, 'wrong password')).status).toBe(401)
  const { db } = here().deps
  await db.touch(() => db.change('UPDATE shared_counts SET points = 500, ends_at = ends_at + 86400000 * 365'))
  expect((await attempt(there(), ann.username, ann.password)).status).toBe(200)
})

test('a key learns at one what it spent at the other, and both together end at its limit', async context => {
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
