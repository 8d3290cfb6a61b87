/**
 * A server of this release beside migrations of the next one. The built binary is the older release; the next one is this
 * process, with one more migration.
 */
import { afterEach, expect, test } from 'vitest'
import { migrations } from '../../migrations/index.ts'
import { dropTable, type Migration } from '../../migrations/migration.ts'
import { migrateUp } from '../../src/db/migrate.ts'
import { findNodes } from '../../src/db/nodes.ts'
import { withRunner } from '../../src/db/run-migrations.ts'
import { readState, saveState } from '../../src/db/server-state.ts'
import { runBinary, serveBinary } from '../support/binary.ts'
import { signIn } from '../support/client.ts'
import { type Cluster, openCluster } from '../support/nodes.ts'
import { onlyOn } from '../support/only-on.ts'
import { adminPassword, createConfig } from '../support/test-server.ts'
import { dataFlags, spawnOn } from './administration.ts'

const known = migrations.length
afterEach(() => {
  ;(migrations as Migration[]).length = known
})

/** Adds a migration to this process. */
function release(name: string, rolling?: true): void {
  const up = [`CREATE TABLE IF NOT EXISTS \`${name}\` (id INTEGER)`]
  const migration = { name, ...(rolling && { rolling }), up: { sqlite: up, mariadb: up }, down: dropTable(name) }
  ;(migrations as Migration[]).push(migration)
}

test('a rolling migration runs beside older servers, and another one only when they have stopped', async context => {
  onlyOn('mariadb', context)
  const cluster = await openCluster()
  context.onTestFinished(cluster.close)
  const { database } = cluster.deps.config
  const older = await cluster.start()
  const isSeen = async () => (await findNodes(cluster.deps.db)).some(({ address }) => address === older.url)
  await expect.poll(isSeen).toBe(true)

  release('9000-adds', true)
  expect(await migrateUp(database)).toEqual(['9000-adds'])
  const restarted = await cluster.start()
  for (const { url } of [older, restarted]) {
    const admin = await signIn(url, cluster.adminName, adminPassword)
    const { id } = await admin.upload('kept', { name: `${new URL(url).port}.txt` })
    expect(await (await admin.raw(`/api/files/${id}/download`)).text()).toBe('kept')
  }
  expect((await spawnOn(cluster, ['admin', 'user', 'list'])).code).toBe(0)
  // These would take the newer tables for a mistake.
  for (const command of [['fsck'], ['migrate', 'status']]) {
    const { code, stderr } = await spawnOn(cluster, command)
    expect({ command, code, stderr }).toMatchObject({ code: 7, stderr: expect.stringContaining('a newer filestore') })
  }
  expect(await restarted.stop()).toBe(0)

  release('9001-changes')
  await expect(migrateUp(database)).rejects.toMatchObject({
    code: 'in_use',
    message: expect.stringContaining(`(${older.url}) uses the database: stop it first`),
  })
  expect(await older.stop()).toBe(0)
  await expectLateServer(cluster)
  expect(await migrateUp(database)).toEqual(['9001-changes'])
  const { code, stderr } = await spawnOn(cluster, ['serve', '--port', '0'])
  expect({ code, stderr }).toMatchObject({ code: 7, stderr: expect.stringContaining('a newer filestore (9000-adds') })
})

/** A server that is starting gives its first sign of life when the number is saved; it is one that does not end by it. */
async function expectLateServer({ deps: { db, config } }: Cluster): Promise<void> {
  const leastSchema = () => readState(db, 'least_schema')
  const before = await leastSchema()
  const time = 'CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)'
  const row = `'late', 'late', '1', '0001', 'http://late', 0, ${time}, ${time}`
  const columns = 'node_id, name, version, `schema`, address, clock_skew, started_at, seen_at'
  await withRunner(config.database, (_runner, sequelize) =>
    sequelize.query(`CREATE TRIGGER late AFTER INSERT ON server_state FOR EACH ROW
      INSERT IGNORE INTO nodes (${columns}) VALUES (${row})`),
  )
  const migrating = migrateUp(config.database)
  migrating.catch(() => undefined)
  await expect.poll(leastSchema).toBe(9001)
  await expect
    .poll(() => db.touch(() => db.change("UPDATE nodes SET seen_at = seen_at + 1 WHERE node_id = 'late'")))
    .toBe(1)
  await expect(migrating).rejects.toMatchObject({ code: 'in_use', message: expect.stringContaining('http://late') })
  expect(await leastSchema()).toBe(before)
  await withRunner(config.database, (_runner, sequelize) => sequelize.query('DROP TRIGGER late'))
  await db.touch(() => db.change("DELETE FROM nodes WHERE node_id = 'late'"))
}

test('an older server that runs, or is starting, ends when a newer release begins to change the tables', async context => {
  onlyOn('mariadb', context)
  const cluster = await openCluster()
  context.onTestFinished(cluster.close)
  const { db } = cluster.deps
  const older = await cluster.start()
  await db.touch(() => saveState(db, 'least_schema', 9001))
  // At its next sign of life.
  await expect.poll(() => older.child.exitCode, { timeout: 30_000 }).toBe(7)
  expect(older.log()).toContainEqual(
    expect.objectContaining({ least_schema: 9001, msg: expect.stringContaining('this server ends') }),
  )
  expect(await findNodes(db)).toEqual([])
})

test('an older release starts after a rolling migration, and not after another one', async context => {
  const { config, database } = await createConfig()
  const place = { dataDir: config.dataDir, databaseFlag: database.flag }
  context.onTestFinished(database.drop)
  release('9000-adds', true)
  await migrateUp(config.database)
  const server = await serveBinary(dataFlags(place), { FILESTORE_ADMIN_PASSWORD: adminPassword })
  await signIn(server.url, 'admin', adminPassword)
  expect(await server.stop()).toBe(0)
  release('9001-changes')
  release('9002-adds', true)
  await migrateUp(config.database)
  const { exitCode, stderr } = await runBinary(['serve', '--port', '0', ...dataFlags(place)])
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 7, stderr: expect.stringContaining('a newer filestore') })
})

test('a migration is rolling only if it makes tables, indexes or columns that may be empty', () => {
  const makes =
    /^(CREATE TABLE|CREATE INDEX|ALTER TABLE \w+ ADD (COLUMN|INDEX)(?!.* NOT NULL(?!.* DEFAULT))(?!.*\b(DROP|MODIFY|CHANGE|RENAME|UNIQUE)\b))/s
  const wrong = migrations
    .filter(({ rolling }) => rolling)
    .flatMap(({ up }) => [...up.sqlite, ...up.mariadb])
    .filter(statement => !makes.test(statement))
  expect(wrong).toEqual([])
  expect(migrations.some(({ rolling }) => rolling)).toBe(true)
})
