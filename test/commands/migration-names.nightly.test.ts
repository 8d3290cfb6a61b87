/** Damaged names of migrations: no server starts on them, and `fsck --repair` puts them right. */
import { mkdir } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { migrations } from '../../migrations/index.ts'
import { migrateUp } from '../../src/db/migrate.ts'
import { migrateDown } from '../../src/db/run-migrations.ts'
import { buildFile, buildUser } from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
import { largeContent } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import { createConfig, type TestServer } from '../support/test-server.ts'
import { runOn } from './administration.ts'

let server: TestServer
beforeEach(async () => {
  server = await startServer()
  await buildFile(await buildUser(server), { name: 'kept.bin' }, largeContent())
})
afterEach(() => server.close())

const [before = '', last = ''] = migrations.slice(-2).map(({ name }) => name)
const changedOf = (name: string) => `${name.slice(0, 7)}-changed`
interface Damage {
  what: string
  statement: string
  told: string
  isOnlyOn?: 'sqlite'
}

const damages: readonly Damage[] = [
  {
    what: 'a changed name',
    statement: "UPDATE migrations SET name = '0013-tacs' WHERE name = '0013-tags'",
    told: 'it lacks 0013-tags; no migration is called 0013-tacs',
  },
  {
    what: 'the last name changed',
    statement: `UPDATE migrations SET name = '9${last.slice(1)}' WHERE name = '${last}'`,
    told: `it lacks ${last}; no migration is called 9${last.slice(1)}`,
  },
  {
    what: 'the last name destroyed',
    statement: `UPDATE migrations SET name = '00?' WHERE name = '${last}'`,
    told: `it lacks ${last}; no migration is called 00?`,
  },
  {
    what: 'the last two names changed in several characters',
    statement: `UPDATE migrations SET name = CONCAT(SUBSTR(name, 1, 7), '-changed') WHERE name >= '${before}'`,
    told: `it lacks ${before}, ${last}; no migration is called ${changedOf(before)}, ${changedOf(last)}`,
  },
  {
    what: 'a name that is no text',
    statement: "UPDATE migrations SET name = CAST(x'303031332D74E16773' AS TEXT) WHERE name = '0013-tags'",
    told: 'it lacks 0013-tags; no migration is called 0013-t\uFFFDgs',
    isOnlyOn: 'sqlite',
  },
  {
    what: 'all names missing',
    statement: 'DELETE FROM migrations',
    told: 'it is empty',
  },
  {
    what: 'a name missing',
    statement: "DELETE FROM migrations WHERE name = '0013-tags'",
    told: 'it lacks 0013-tags',
  },
]

describe('a database with', () => {
  test.for<Damage>(damages)(
    '$what of the migrations is not migrated again, and fsck repairs it',
    async (damage, context) => {
      const { statement, told, isOnlyOn } = damage
      if (isOnlyOn !== undefined) onlyOn(isOnlyOn, context)
      await spoilRows(server, statement)
      for (const command of [
        ['migrate', 'up'],
        ['admin', 'user', 'list'],
      ]) {
        const refused = await runOn(server, command)
        expect(refused.code).not.toBe(0)
        expect(refused.stderr).toContain(`'filestore fsck --repair' puts it right (table migrations: ${told})`)
      }
      const found = await runOn(server, ['fsck'])
      expect(found).toMatchObject({ code: 10, stdout: expect.stringContaining(`table migrations: ${told}`) })
      expect(found.stdout).not.toMatch(/^lost/m)
      expect((await runOn(server, ['fsck', '--repair'])).stdout).toContain(`table migrations: ${told}`)
      expect(await runOn(server, ['fsck'])).toMatchObject({ code: 0 })
      expect(await runOn(server, ['migrate', 'up'])).toMatchObject({ code: 0 })
      expect((await runOn(server, ['migrate', 'status'])).stdout).not.toMatch(/^pending/m)
    },
  )
})

test('a database that a newer filestore has migrated is its own, though one of its names is missing', async () => {
  await spoilRows(
    server,
    "DELETE FROM migrations WHERE name = '0013-tags'",
    "INSERT INTO migrations (name) VALUES ('9998-later'), ('9999-latest')",
  )
  const refused = await runOn(server, ['fsck', '--repair'])
  expect(refused).toMatchObject({ code: 7, stderr: expect.stringContaining('a newer filestore (9998-later, 9999') })
})

test('a database in which a first start came to no table is as one without', async () => {
  const { config, database } = await createConfig()
  onTestFinished(database.drop)
  await mkdir(config.dataDir, { recursive: true })
  await migrateUp(config.database)
  await migrateDown(config.database, migrations.length)
  const site = { dataDir: config.dataDir, databaseFlag: database.flag }
  expect((await runOn(site, ['admin', 'user', 'list'])).stderr).toContain("has no tables yet: 'filestore migrate up'")
  expect(await migrateUp(config.database)).toHaveLength(migrations.length)
})
