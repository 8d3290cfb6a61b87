/** A process that migrates a MariaDB, and loses its lease to another one. */
import { QueryTypes } from 'sequelize'
import { afterEach, expect, test, vi } from 'vitest'
import { migrations } from '../../migrations/index.ts'
import { type Migration, rowsStay } from '../../migrations/migration.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { migrateUp } from '../../src/db/migrate.ts'
import { withRunner } from '../../src/db/run-migrations.ts'
import { onlyOn } from '../support/only-on.ts'
import { createConfig } from '../support/test-server.ts'

const known = migrations.length
afterEach(() => {
  ;(migrations as Migration[]).length = known
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Adds a migration that waits until nobody else has the lock, and is slow then. */
function addSlow(): void {
  const up = ["DO GET_LOCK('hold', 60)", 'DO SLEEP(1)', 'CREATE TABLE after_loss (id INTEGER)']
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

test.for([
  { title: 'another process has it', lose: takeLease },
  { title: 'it could not be renewed for 20 seconds', lose: passTime },
])('a migration runs no further statement once its lease is lost: $title', async ({ lose }, context) => {
  onlyOn('mariadb', context)
  const { config, database } = await createConfig()
  context.onTestFinished(database.drop)
  await migrateUp(config.database)
  const db = await openDatabase(config.database)
  context.onTestFinished(db.close)
  addSlow()
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const migrating = await withRunner(config.database, async (_runner, sequelize) => {
    await sequelize.query("DO GET_LOCK('hold', 0)")
    const result = migrateUp(config.database).catch((error: unknown) => error)
    const waiting = "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE 'DO GET_LOCK%'"
    await expect.poll(() => sequelize.query(waiting, { type: QueryTypes.SELECT })).toHaveLength(1)
    await lose(db)
    return { result }
  })
  expect(await migrating.result).toMatchObject({ code: 'unavailable' })
  expect(await db.rows("SHOW TABLES LIKE 'after_loss'")).toEqual([])
  expect(await db.rows("SELECT name FROM migrations WHERE name = '9000-slow'")).toEqual([])
})
