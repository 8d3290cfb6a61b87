/**
 * A MariaDB that stops and starts again: the server answers 503 meanwhile, and then works again without an
 * administrator.
 */
import mysql from 'mysql2/promise'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { trashFile } from '../../src/api/trash.ts'
import { readState } from '../../src/db/server-state.ts'
import { startJobs } from '../../src/server/jobs.ts'
import { failure, openClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { createMariadb, type MariadbProcess } from '../support/mariadb-process.ts'
import { withOwnFigures } from '../support/own-figures.ts'
import { countItems, expectTrueCounters, largeContent } from '../support/planting.ts'
import { onlyNightly } from '../support/rounds.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

const hour = 60 * 60_000

// MariaDB takes long to stop and to start on a busy machine.
let mariadb: MariadbProcess
let server: TestServer
let user: BuiltUser

beforeEach(async context => {
  mariadb ??= await createMariadb(context)
  await mariadb.run('DROP DATABASE filestore', 'CREATE DATABASE filestore')
  server = await startServer({ database: mariadb.url })
  user = await buildUser(server)
})
afterEach(() => server?.close())
afterAll(async () => {
  vi.resetConfig()
  await mariadb?.remove()
})

const away = { status: 503, error: 'unavailable' }
const statusOf = async (path: string) => (await openClient(server.url).raw(path)).status

/** The status of an upload, which must be answered in any case. */
const uploadStatus = (bytes: Buffer | string = largeContent()): Promise<number> =>
  buildFile(user, {}, bytes).then(
    () => 201,
    error => Number(error.status),
  )

/** Sends this many requests of all kinds at a time until it is stopped, and returns all statuses. */
async function sendLoad(atOnce: number, isOver: () => boolean): Promise<number[]> {
  const statuses: number[] = []
  const kinds = [
    async () => (await user.raw('/api/files')).status,
    () => uploadStatus(),
    () => uploadStatus(largeContent().subarray(0, 1000)),
  ]
  const one = async (lane: number) => {
    for (let turn = lane; !isOver(); turn++) statuses.push((await kinds[turn % kinds.length]?.()) ?? 0)
  }
  await Promise.all(Array.from({ length: atOnce }, (_, lane) => one(lane)))
  return statuses
}

const connectionsOf = async () => {
  const [row] = await mariadb.run("SELECT COUNT(*) AS count FROM information_schema.processlist WHERE db = 'filestore'")
  return Number(row?.count)
}

const ready = () => expect.poll(() => statusOf('/readyz'), { timeout: 30_000 }).toBe(200)

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'requests are answered with 503 after a %s of MariaDB, and work again once it is back',
  async signal => {
    const { id } = await buildFile(user)
    const before = await readHoldings(server)
    await mariadb.stop(signal)
    const answer = await user.raw('/api/files')
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(await failure(answer)).toEqual(away)
    expect([await statusOf('/healthz'), await statusOf('/readyz')]).toEqual([200, 503])
    expect(await Promise.all(Array.from({ length: 20 }, () => uploadStatus()))).toEqual(
      Array.from({ length: 20 }, () => 503),
    )
    await mariadb.start()
    await ready()
    expect((await user.call(listFiles, {})).files.map(file => file.id)).toEqual([id])
    expect({ ...(await readHoldings(server)), keys: [] }).toEqual({ ...before, keys: [] })
    await buildFile(user, {}, largeContent())
    await expectTrueCounters(server, user)
  },
)

test('a restart of MariaDB between requests fails no request', async () => {
  const askAll = () => Promise.all(Array.from({ length: 20 }, async () => (await user.raw('/api/files')).status))
  expect(new Set(await askAll())).toEqual(new Set([200]))
  expect(await connectionsOf()).toBeGreaterThan(1)
  await mariadb.stop()
  await mariadb.start()
  expect(new Set(await askAll())).toEqual(new Set([200]))
})

test('uploads that were acknowledged survive a kill of MariaDB under load', async context => {
  onlyNightly(context)
  let isOver = false
  const load = sendLoad(12, () => isOver)
  for (let round = 0; round < 2; round++) {
    await new Promise(resolve => setTimeout(resolve, 1000))
    await mariadb.stop('SIGKILL')
    await mariadb.start()
  }
  await ready()
  isOver = true
  const statuses = await load
  expect(new Set(statuses)).toEqual(new Set([200, 201, 503]))
  const stored = statuses.filter(status => status === 201).length
  // A request with a lost answer may have been committed.
  const lost = statuses.filter(status => status === 503).length
  const items = await countItems(server, user)
  expect(items).toBeGreaterThanOrEqual(stored)
  expect(items).toBeLessThanOrEqual(stored + lost)
  await expectTrueCounters(server, user)
  expect(await connectionsOf()).toBeLessThanOrEqual(12)
})

test('requests whose connection is killed under load are answered with 503, and no connection leaks', async context => {
  onlyNightly(context)
  let isOver = false
  const load = sendLoad(12, () => isOver)
  for (let round = 0; round < 100; round++) {
    const ids = await mariadb.run(
      "SELECT id FROM information_schema.processlist WHERE db = 'filestore' ORDER BY RAND() LIMIT 1",
    )
    for (const { id } of ids) await mariadb.run(`KILL ${Number(id)}`).catch(() => undefined)
  }
  isOver = true
  const statuses = await load
  expect([...new Set(statuses)].filter(status => ![200, 201, 503].includes(status))).toEqual([])
  expect(statuses.filter(status => status === 503).length).toBeGreaterThan(0)
  await expectTrueCounters(server, user)
  const calm = await sendLoad(
    12,
    (
      left => () =>
        left-- <= 0
    )(100),
  )
  expect(new Set(calm)).toEqual(new Set([200, 201]))
  expect(await connectionsOf()).toBeLessThanOrEqual(12)
})

test.each([
  ['whose connection is killed', (id: number) => mariadb.run(`KILL ${id}`)],
  ['whose statement is killed', (id: number) => mariadb.run(`KILL QUERY ${id}`)],
  ['whose server stops', () => mariadb.stop()],
] as const)('a write that waits for a lock, and %s, is answered with 503 and changes nothing', async (_what, end) => {
  const blocker = await mysql.createConnection(mariadb.url)
  blocker.on('error', () => undefined)
  await blocker.query('BEGIN')
  await blocker.query('SELECT * FROM spaces FOR UPDATE')
  const status = uploadStatus()
  const waiting =
    "SELECT id FROM information_schema.processlist WHERE info LIKE '%spaces%FOR UPDATE%' AND info NOT LIKE '%processlist%'"
  await expect.poll(async () => (await mariadb.run(waiting)).length).toBe(1)
  const [row] = await mariadb.run(waiting)
  await end(Number(row?.id))
  expect(await status).toBe(503)
  blocker.destroy()
  await mariadb.stop()
  await mariadb.start()
  await ready()
  expect(await countItems(server, user)).toBe(0)
  await expectTrueCounters(server, user)
})

test('jobs resume after an absence of MariaDB: the server notes that it is alive, and the missed purge runs', async () => {
  const { db } = server.deps
  const { id } = await buildFile(user)
  await user.call(trashFile, { id })
  await db.touch(() => db.change('UPDATE files SET deleted_at = 1 WHERE id = $1', [id]))
  await mariadb.stop()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const { stop } = startJobs(withOwnFigures(server.deps))
  try {
    await vi.advanceTimersByTimeAsync(hour)
    await mariadb.start()
    await ready()
    const returned = Date.now()
    await vi.advanceTimersByTimeAsync(hour)
    await expect.poll(() => countItems(server, user)).toBe(0)
    await expect.poll(async () => (await readState(db, 'alive_at')) ?? 0).toBeGreaterThanOrEqual(returned)
  } finally {
    await stop()
    vi.useRealTimers()
  }
})
