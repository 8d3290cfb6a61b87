/** Migrations up, down and up again, on the database of the test run. */
import { existsSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { migrations } from '../../migrations/index.ts'
import { permissionKeys } from '../../src/api/permissions.ts'
import type { Config } from '../../src/config.ts'
import { ConnectError } from '../../src/db/connections.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { dropMigrationCopy, findMigrations, migrateUp, refuseUnmigrated } from '../../src/db/migrate.ts'
import { readLeastSchema } from '../../src/db/migrations-table.ts'
import { migrateDown, migrationStatus, planDown, withRunner } from '../../src/db/run-migrations.ts'
import { saveState } from '../../src/db/server-state.ts'
import { userRolePermissions } from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
import { createConfig, type TestDatabase } from '../support/test-server.ts'

const names = migrations.map(({ name }) => name)

let config: Config
let database: TestDatabase

beforeEach(async () => {
  ;({ config, database } = await createConfig())
})
afterEach(async () => {
  await database.drop()
  await rm(config.dataDir, { recursive: true, force: true })
})

async function withDatabase<T>(look: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(config.database)
  try {
    return await look(db)
  } finally {
    await db.close()
  }
}

const permissionsOf = async (db: Database, role: string): Promise<string[]> => {
  const rows = await db.rows<{ key: string }>(
    `SELECT p.\`key\` FROM role_permissions rp JOIN permissions p ON p.id = rp.permission_id
     JOIN roles r ON r.id = rp.role_id WHERE r.name = $1 ORDER BY p.id`,
    [role],
  )
  return rows.map(({ key }) => key)
}

describe('migrations', () => {
  test('run once and in order, and then have nothing to do', async () => {
    expect(await migrateUp(config.database)).toEqual(names)
    expect(await migrateUp(config.database)).toEqual([])
    expect(await migrationStatus(config.database)).toEqual(names.map(name => ({ name, done: true })))
  })

  test('give the system roles the permissions of the catalogue', async () => {
    await migrateUp(config.database)
    await withDatabase(async db => {
      expect((await permissionsOf(db, 'admin')).sort()).toEqual([...permissionKeys].sort())
      expect((await permissionsOf(db, 'user')).sort()).toEqual([...userRolePermissions].sort())
    })
  })

  test('go all the way down and up again', async () => {
    await migrateUp(config.database)
    expect((await migrateDown(config.database, names.length)).names).toEqual([...names].reverse())
    expect(await migrationStatus(config.database)).toEqual(names.map(name => ({ name, done: false })))
    expect(await migrateUp(config.database)).toEqual(names)
  })

  test('may be started by several processes at once', async () => {
    const runs = await Promise.allSettled([1, 2, 3].map(() => migrateUp(config.database)))
    // On a slow machine one waits for longer than its patience.
    const refused = runs.filter(run => run.status === 'rejected').map(({ reason }) => reason.code)
    expect(new Set(refused)).toEqual(new Set(refused.length === 0 ? [] : ['in_use']))
    expect(runs.flatMap(run => (run.status === 'fulfilled' ? run.value : [])).sort()).toEqual([...names].sort())
  })

  test('wait for a process that was killed while it migrated', async context => {
    onlyOn('mariadb', context)
    await migrateUp(config.database)
    await migrateDown(config.database, 1)
    const end = 'CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED) + 1500'
    await withDatabase(db =>
      db.touch(() => db.change(`INSERT INTO leases (name, holder, expires_at) VALUES ('migrate', 'gone', ${end})`)),
    )
    const started = performance.now()
    expect(await migrateUp(config.database)).toEqual(names.slice(-1))
    expect(performance.now() - started).toBeGreaterThan(1000)
    expect(await withDatabase(db => db.rows("SELECT name FROM leases WHERE name = 'migrate'"))).toEqual([])
  })

  test('refuse a database that a newer filestore has migrated', async () => {
    await migrateUp(config.database)
    await withDatabase(db =>
      db.touch(async () => {
        await db.change("INSERT INTO migrations (name) VALUES ('9999-from-the-future')")
        await saveState(db, 'least_schema', 9999)
      }),
    )
    await expect(migrateUp(config.database)).rejects.toThrow('9999-from-the-future')
  })

  test('refuse a database that a newer filestore has begun to migrate, before it has recorded a name', async () => {
    await migrateUp(config.database)
    const newer = 'migrated by a newer filestore (up to 9000)'
    await withDatabase(async db => {
      await db.touch(() => saveState(db, 'least_schema', 9000))
      await expect(findMigrations(db)).rejects.toThrow(newer)
      await expect(refuseUnmigrated(db)).rejects.toThrow(newer)
    })
    await expect(migrateUp(config.database)).rejects.toThrow(newer)
    await expect(migrationStatus(config.database)).rejects.toThrow(newer)
    await expect(planDown(config.database, 1)).rejects.toThrow(newer)
    // No migration has such a number: it is damage.
    await withDatabase(db => db.touch(() => saveState(db, 'least_schema', 123_456)))
    expect(await migrateUp(config.database)).toEqual([])
  })

  test('judge a database by its names where the number is lost, and not where it cannot be read', async () => {
    await migrateUp(config.database)
    await withDatabase(async db => {
      await withRunner(config.database, (_runner, sequelize) => sequelize.query('DROP TABLE server_state'))
      expect(await findMigrations(db)).toEqual(names)
    })
    const away = async () => {
      throw new ConnectError(new Error('gone'))
    }
    await expect(readLeastSchema(away)).rejects.toThrow('gone')
  })

  test('keep one copy of an SQLite database that they change, although several processes start', async context => {
    onlyOn('sqlite', context)
    if (config.database.dialect !== 'sqlite') return
    const copy = `${config.database.file}.before-migration`
    await migrateUp(config.database)
    expect(existsSync(copy)).toBe(false)
    await migrateDown(config.database, 1)
    await Promise.all([migrateUp(config.database), migrateUp(config.database)])
    await migrateUp(config.database)
    expect(existsSync(copy)).toBe(true)
    expect((await stat(copy)).mode & 0o777).toBe(0o600)
    expect((await readdir(config.dataDir)).filter(name => name.includes('before-migration'))).toHaveLength(1)
    await dropMigrationCopy(config.database)
    expect(existsSync(copy)).toBe(false)
  })
})
