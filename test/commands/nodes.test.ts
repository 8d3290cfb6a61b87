/** Several servers on one MariaDB and one store: they know of each other, and one takes over from another. */
import { rm } from 'node:fs/promises'
import mysql from 'mysql2/promise'
import { afterAll, beforeEach, expect, type TestContext, test } from 'vitest'
import { deleteFile, trashFile } from '../../src/api/trash.ts'
import { backupPrefix } from '../../src/db/leases.ts'
import { findNodes, type SeenNode } from '../../src/db/nodes.ts'
import { readState } from '../../src/db/server-state.ts'
import { signIn } from '../support/client.ts'
import { readHoldings } from '../support/holdings.ts'
import { migrateTest } from '../support/migrated.ts'
import { type Cluster, type Node, openCluster, wrongClock } from '../support/nodes.ts'
import { onlyOn } from '../support/only-on.ts'
import { createConfig } from '../support/test-server.ts'
import { sendWire } from '../support/wire.ts'
import { expectRefusal, readJson, runOn, spawnOn } from './administration.ts'

// Some tests wait for the sign of life that a server gives every ten seconds.
const patience = { timeout: 30_000 }

let cluster: Cluster
let first: Node
beforeEach(async context => {
  onlyOn('mariadb', context)
  cluster ??= await openCluster()
  first ??= await cluster.start()
})
afterAll(() => cluster?.close())

const rowOf = async ({ url }: Pick<Node, 'url'>): Promise<SeenNode | undefined> =>
  (await findNodes(cluster.deps.db)).find(({ address }) => address === url)

/** Waits for a node's first sign of life. */
async function untilSeen(node: Pick<Node, 'url'>): Promise<SeenNode> {
  await expect.poll(() => rowOf(node), patience).toBeDefined()
  return (await rowOf(node)) as SeenNode
}

const change = (sql: string, bind: (string | number)[] = []) =>
  cluster.deps.db.touch(() => cluster.deps.db.change(sql, bind))

async function metricOf(node: Node, sample: string): Promise<number> {
  const { text } = await sendWire(node.url, { path: '/metrics' })
  const line = text.split('\n').find(candidate => candidate.startsWith(`${sample} `))
  return Number(line?.slice(sample.length))
}

const untilJobRan = (node: Node, job: string) =>
  expect
    .poll(() => metricOf(node, `filestore_job_last_run_timestamp_seconds{job="${job}"}`), patience)
    .toBeGreaterThan(0)

test('servers list each other with version, sign of life and clock, and one that stops is no longer listed', async () => {
  const second = await cluster.start()
  const { name, version } = await untilSeen(second)
  await untilSeen(first)
  const listed = (await readJson(cluster, ['nodes'])) as Record<string, unknown>[]
  expect(listed).toEqual(
    [first, second]
      .map(({ url }) => ({
        ...{ name, version, address: url, is_alive: true },
        ...{ started_at: expect.any(String), seen_at: expect.any(String), clock_skew_ms: expect.any(Number) },
      }))
      .sort((one, other) => (one.address < other.address ? -1 : 1)),
  )
  expect((await runOn(cluster, ['admin', 'nodes'])).stdout).toContain(second.url)
  const admin = await signIn(second.url, cluster.adminName, cluster.adminPassword)
  const answer = await sendWire(second.url, { path: '/api/system', headers: admin.headers })
  expect(JSON.parse(answer.text).data.nodes).toMatchObject(listed.map(({ address }) => ({ address, is_alive: true })))
  expect(await second.stop()).toBe(0)
  expect(await rowOf(second)).toBeUndefined()
})

test('the leases of a killed server are free once it has been silent for 30 seconds, and those of others stay', async () => {
  const { db, leases } = cluster.deps
  const second = await cluster.start()
  const { node_id } = await untilSeen(second)
  await second.stop('SIGKILL')
  await db.touch(() => leases.begin('test:own'))
  await db.touch(() => leases.begin('test:gone'))
  await change("UPDATE leases SET node_id = $1 WHERE name = 'test:gone'", [node_id])
  expect(await leases.isHeld('test:gone')).toBe(true)
  await change('UPDATE nodes SET seen_at = seen_at - 30000 WHERE node_id = $1', [node_id])
  await expect.poll(() => leases.isHeld('test:gone'), patience).toBe(false)
  expect(await leases.isHeld('test:own')).toBe(true)
  expect(await rowOf(second)).toMatchObject({ isAlive: false })
  const silent = () => first.log().filter(({ msg }) => String(msg).startsWith('nodes are silent'))
  // It is told after the leases are free.
  await expect.poll(silent).toHaveLength(1)
  // An hour later it is forgotten.
  await change('UPDATE nodes SET seen_at = seen_at - 3600000 WHERE node_id = $1', [node_id])
  await expect.poll(() => rowOf(second), patience).toBeUndefined()
})

test.each([[-600_000], [600_000]])(
  'a server whose clock is %i ms off takes no lease and holds no purge',
  async ahead => {
    const { db, leases } = cluster.deps
    await untilJobRan(first, 'clock')
    expect(await leases.take('purge')).toBe(true)
    await db.touch(() => leases.begin(`${backupPrefix}test`))
    const second = await cluster.start([], wrongClock(ahead))
    for (const job of ['purge', 'abandoned trees', 'clock', 'node']) await untilJobRan(second, job)
    expect(await leases.renew('purge')).toBe(true)
    // A backup is running, so bytes stay that no row names any more.
    const admin = await signIn(second.url, cluster.adminName, cluster.adminPassword)
    const before = (await readHoldings(cluster)).keys.length
    const { id } = await admin.upload(Buffer.alloc(100_000, ahead), { name: 'large.bin' })
    await admin.call(trashFile, { id })
    await admin.call(deleteFile, { id })
    expect((await readHoldings(cluster)).keys.length).toBe(before + 1)
    expect(await readState(db, 'purge_hold')).toBeUndefined()
    const { clock_skew } = await untilSeen(second)
    expect(Math.abs(clock_skew - ahead)).toBeLessThan(5000)
    expect(Math.abs((await metricOf(second, 'filestore_clock_skew_seconds')) - ahead / 1000)).toBeLessThan(5)
    expect(Math.abs(await metricOf(first, 'filestore_clock_skew_seconds'))).toBeLessThan(5)
    expect(second.output + JSON.stringify(second.log())).toContain("clock differs from the database's")
    await leases.end('purge')
    await leases.end(`${backupPrefix}test`)
    await second.stop()
  },
)

test('--demo is refused beside another server', async () => {
  await untilSeen(first)
  const env = { FILESTORE_ADMIN_PASSWORD: '' }
  expectRefusal(await spawnOn(cluster, ['serve', '--port', '0', '--demo'], '', env), 5, 'needs a database of its own')
})

/** A migrated database that nobody has open, and a connection that does not count as one that has. */
async function openAlone(context: TestContext) {
  const { config, database } = await createConfig()
  await migrateTest(config.database)
  const connection = await mysql.createConnection(String(process.env.FILESTORE_TEST_DATABASE))
  context.onTestFinished(async () => {
    await connection.end()
    await database.drop()
    await rm(config.dataDir, { recursive: true, force: true })
  })
  const table = `${new URL(database.flag ?? '').pathname.slice(1)}.nodes`
  const now = 'ROUND(UNIX_TIMESTAMP(NOW(3)) * 1000)'
  /** Adds a node of another machine, last seen `ago` ms ago. */
  const plant = (ago: number) =>
    connection.query(`INSERT INTO ${table} VALUES ('1', 'far', '1', '1', 'http://far:8080', 0, 1, ${now} - ${ago})`)
  const beat = () => connection.query(`UPDATE ${table} SET seen_at = ${now}`)
  return { site: { dataDir: config.dataDir, databaseFlag: database.flag }, plant, beat }
}

test('migrate down is refused while a server gives signs of life whose sessions the database does not list', async context => {
  const { site, plant, beat } = await openAlone(context)
  await plant(0)
  const timer = setInterval(() => void beat(), 500)
  context.onTestFinished(() => clearInterval(timer))
  expectRefusal(await runOn(site, ['migrate', 'down', '--yes']), 5, 'The server on far (http://far:8080) uses the')
})

test('migrate down waits until a server that was killed is known to be silent', async context => {
  const { site, plant } = await openAlone(context)
  await plant(27_000)
  expect(await runOn(site, ['migrate', 'down', '--yes'])).toMatchObject({ code: 0 })
})
