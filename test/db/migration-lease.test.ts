/** The lease of a process that migrates a MariaDB: lost to another one, or with the table that it is in. */
import { QueryTypes } from 'sequelize'
import { afterEach, expect, type TestContext, test, vi } from 'vitest'
import { migrations } from '../../migrations/index.ts'
import { type Migration, rowsStay } from '../../migrations/migration.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { migrateUp } from '../../src/db/migrate.ts'
import { makeTables } from '../../src/db/restore-tables.ts'
import { withRunner } from '../../src/db/run-migrations.ts'
import { onlyOn } from '../support/only-on.ts'
import { onlyNightly } from '../support/rounds.ts'
import { createConfig } from '../support/test-server.ts'

const known = migrations.length
afterEach(() => {
  ;(migrations as Migration[]).length = known
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Adds a migration that waits until nobody else has the lock, and is slow then. */
function addSlow(before: readonly string[] = []): void {
  const up = [...before, "DO GET_LOCK('hold', 60)", 'DO SLEEP(1)', 'CREATE TABLE after_loss (id INTEGER)']
  ;(migrations as Migration[]).push({
    name: '9000-slow',
    rolling: true,
    up: { sqlite: [], mariadb: up },
    down: rowsStay,
  })
}

async function takeLease(db: Database): Promise<void> {
  await db.touch(() => db.change("UPDATE leases SET holder = 'other' WHERE name = 'migrate'"))
  vi.advanceTimersByTime(5000)
}

async function passTime(): Promise<void> {
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 20_000)
}

/** Migrates a database with `addSlow`'s migration; `meanwhile` happens while that one waits. Returns an error, if any. */
async function migrateSlowly(
  context: TestContext,
  before: readonly string[],
  meanwhile: (db: Database) => Promise<void>,
) {
  const { config, database } = await createConfig()
  context.onTestFinished(database.drop)
  await migrateUp(config.database)
  const db = await openDatabase(config.database)
  context.onTestFinished(db.close)
  addSlow(before)
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const migrating = await withRunner(config.database, async (_runner, sequelize) => {
    await sequelize.query("DO GET_LOCK('hold', 0)")
    const result = migrateUp(config.database).catch((error: unknown) => error)
    const waiting = "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE 'DO GET_LOCK%'"
    await expect.poll(() => sequelize.query(waiting, { type: QueryTypes.SELECT })).toHaveLength(1)
    await meanwhile(db)
    return { result }
  })
  return { db, result: await migrating.result }
}

test.for([
  { title: 'another process has it', lose: takeLease },
  { title: 'it could not be renewed for 20 seconds', lose: passTime },
])('a migration runs no further statement once its lease is lost: $title', async ({ lose }, context) => {
  onlyOn('mariadb', context)
  const { db, result } = await migrateSlowly(context, [], lose)
  expect(result).toMatchObject({ code: 'unavailable' })
  expect(await db.rows("SHOW TABLES LIKE 'after_loss'")).toEqual([])
  expect(await db.rows("SELECT name FROM migrations WHERE name = '9000-slow'")).toEqual([])
})

test('a migration that makes the table of leases anew goes on, and holds its lease there', async context => {
  onlyOn('mariadb', context)
  const anew = ['CREATE TABLE leases_anew LIKE leases', 'DROP TABLE leases', 'RENAME TABLE leases_anew TO leases']
  const { db, result } = await migrateSlowly(context, anew, async db => {
    vi.advanceTimersByTime(5000)
    const lease = "SELECT name FROM leases WHERE name = 'migrate' AND holder <> '' AND expires_at > 0"
    await expect.poll(() => db.rows(lease)).toHaveLength(1)
  })
  expect(result).toContain('9000-slow')
  expect(await db.rows("SHOW TABLES LIKE 'after_loss'")).toHaveLength(1)
})

test('a restore goes on where one was killed while it made tables, also after a wait for its lease', async context => {
  onlyOn('mariadb', context)
  onlyNightly(context)
  const { config, database } = await createConfig()
  context.onTestFinished(database.drop)
  const names = migrations.map(({ name }) => name)
  await makeTables(config.database, names.slice(0, 9))
  await withRunner(config.database, async ({ storage }, sequelize) => {
    // The tables of the last one were made, and refer to the others; then it was killed.
    await storage.unlogMigration({ name: names[8] ?? '' })
    const lease = "'migrate', 'killed', (UNIX_TIMESTAMP() + 15) * 1000"
    await sequelize.query(`REPLACE INTO leases (name, holder, expires_at) VALUES (${lease})`)
  })
  await makeTables(config.database, names)
  const executed = await withRunner(config.database, runner => runner.executed())
  expect(executed).toEqual(expect.arrayContaining(names))
})
