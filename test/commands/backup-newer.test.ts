/** Backups of the next release, which is this process with one more migration. `restore` refuses them. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrations } from '../../migrations/index.ts'
import { dropTable, type Migration } from '../../migrations/migration.ts'
import { readConfig } from '../../src/config.ts'
import { migrateUp } from '../../src/db/migrate.ts'
import { buildFile, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { expectRefusal, runOn } from './administration.ts'
import * as backups from './backups.ts'

const known = migrations.length
const newer = 'migrated by a newer filestore (9000-adds)'
let server: TestServer
beforeEach(async () => {
  server = await startServer()
  await buildFile(await buildUser(server))
})
afterEach(async () => {
  ;(migrations as Migration[]).length = known
  await server.close()
})

/** Backs up as the next release, whose tables are a little different. */
async function backUpNewer(place: string) {
  const up = ['CREATE TABLE later (id INTEGER PRIMARY KEY)', 'ALTER TABLE users ADD COLUMN later INTEGER']
  const migration = { name: '9000-adds', up: { sqlite: up, mariadb: up }, down: dropTable('later') }
  ;(migrations as Migration[]).push(migration)
  await migrateUp(readConfig({ dataDir: server.dataDir, database: server.databaseFlag }).database)
  const backup = await backups.backUp(server, place)
  ;(migrations as Migration[]).length = known
  return backup
}

const verify = (place: string, ...args: string[]) => runOn(server, ['backup', '--verify', place, ...args])

test.each(['', '.tar'])('of a snapshot%s that only a newer filestore restores, --verify says so', async ending => {
  const place = join(await backups.openFolder(), `backup${ending}`)
  const { snapshot } = await backUpNewer(place)
  expectRefusal(await runOn(await backups.openSite(), ['restore', place]), 7, newer)
  const { code, stdout, stderr } = await verify(place)
  expect(stdout).toContain(`${snapshot}  this version cannot restore it\n  The database was ${newer}`)
  expect({ code, stderr }).toEqual({ code: 7, stderr: expect.stringContaining('1 snapshot of a newer filestore') })
  expect(JSON.parse((await verify(place, '--json')).stdout)).toMatchObject({
    snapshots: [{ snapshot, problem_count: 0, newer: expect.stringContaining(newer) }],
  })
})

test('damage of such a snapshot is told beside it, and decides the exit code', async () => {
  const folder = await backups.openFolder()
  await backups.backUp(server, folder)
  const { snapshot } = await backUpNewer(folder)
  const whole = await verify(folder)
  expect(whole).toMatchObject({ code: 7, stdout: expect.stringMatching(/^\S+ {2}whole\n\S+ {2}this version/) })
  const part = (await backups.readManifest(folder, snapshot)).tables.find(({ name }) => name === 'users')?.parts[0]
  await rm(backups.contentPath(folder, part?.sha256 ?? ''))
  const damaged = await verify(folder)
  expect(damaged).toMatchObject({ code: 1, stdout: expect.stringContaining(newer) })
  expect(damaged.stdout).toContain(`${snapshot}  1 problem, this version cannot restore it`)
  expect(damaged.stdout).toContain(`rows of users: blobs/${part?.sha256} is missing`)
})

test('a manifest of a newer form is no damage either', async () => {
  const folder = await backups.openFolder()
  const { snapshot } = await backups.backUp(server, folder)
  const path = join(folder, 'snapshots', `${snapshot}.json`)
  await writeFile(path, (await readFile(path, 'utf8')).replace('"format":2', '"format":3'))
  const { code, stdout, stderr } = await verify(folder)
  expect(stdout).toContain(`${snapshot}  this version cannot restore it`)
  expect(stdout).toContain('was made by a newer filestore: use that version')
  expect({ code, stderr }).toEqual({ code: 7, stderr: expect.stringContaining('1 snapshot of a newer filestore') })
})
