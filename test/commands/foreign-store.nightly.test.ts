/** A blob store with the wrong database: neither `fsck --repair` nor a server moves its files to quarantine. */
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { migrateUp } from '../../src/db/migrate.ts'
import { openDeps } from '../../src/server/open-deps.ts'
import { buildFile, buildUser } from '../support/factories.ts'
import { runJob } from '../support/jobs.ts'
import { largeContent } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { age, spoilRows } from '../support/spoil.ts'
import { createConfig, createDatabase, type TestServer } from '../support/test-server.ts'
import { expectRefusal, runOn } from './administration.ts'

const files = 12

let server: TestServer
let other: TestServer
/** The server whose store is used with another database. */
let storage: string

beforeEach(async () => {
  server = await startServer()
  other = await startServer()
  storage = join(other.dataDir, 'storage')
  // The first sweep marks the store.
  for (const { deps } of [server, other]) await expect.poll(() => deps.store.readMark()).not.toBeNull()
  const user = await buildUser(other)
  for (let count = 0; count < files; count++) await buildFile(user, {}, largeContent())
  for (const path of await listBlobs()) await age(path)
})
afterEach(async () => {
  await server.close()
  await other.close()
})

async function listBlobs(): Promise<string[]> {
  const found = await readdir(join(storage, 'blobs'), { recursive: true, withFileTypes: true })
  return found.filter(entry => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

const countAside = async () => (await readdir(join(storage, 'quarantine'))).length

describe('a store of another database', () => {
  test('is left alone by fsck --repair, which repairs nothing at all, until --orphans is given', async () => {
    const user = await buildUser(server)
    await buildFile(user)
    await spoilRows(server, 'UPDATE spaces SET item_count = item_count + 1')
    const args = ['fsck', '--repair', '--storage', storage]
    const refused = await runOn(server, args)
    expectRefusal(refused, 5, `Nothing is repaired in ${storage}, for it is the store of another database`)
    expect(refused.stderr).toContain('--orphans')
    expect([(await listBlobs()).length, await countAside()]).toEqual([files, 0])
    // A run without --repair still reports the files.
    const { stdout } = await runOn(server, ['fsck', '--storage', storage])
    expect(stdout).toContain(`${files + 2} repairable`)
    expect(stdout).toContain(`${storage}: it is the store of another database, so --repair mends nothing`)
    expectRefusal(await runOn(server, ['fsck', '--orphans']), 2, '--orphans is for --repair')
    expect((await runOn(server, [...args, '--orphans'])).code).toBe(0)
    expect([(await listBlobs()).length, await countAside()]).toEqual([0, files])
  })

  test('is left alone by a server that starts on it', async () => {
    const { config, database } = await createConfig({ storage })
    onTestFinished(database.drop)
    await mkdir(config.dataDir, { recursive: true })
    await migrateUp(config.database)
    const deps = await openDeps(config)
    await runJob(deps, 'sweep')
    await deps.db.close()
    expect([(await listBlobs()).length, await countAside()]).toEqual([files, 0])
  })

  test('is not assumed when the database has lost some of its rows, and its store is repaired', async () => {
    const keys = await other.deps.db.rows<{ id: number }>('SELECT id FROM blobs LIMIT 5')
    await spoilRows(other, `DELETE FROM blobs WHERE id IN (${keys.map(({ id }) => id).join(', ')})`)
    await runOn(other, ['fsck', '--repair'])
    expect(await countAside()).toBe(5)
  })

  test('is recognised by its contents when it has no mark yet', async () => {
    await rm(join(storage, 'store-id'))
    const refused = await runOn(server, ['fsck', '--repair', '--storage', storage])
    expectRefusal(refused, 5, `${files} of ${files} files in it have no row in this database`)
    expect([(await listBlobs()).length, await countAside()]).toEqual([files, 0])
  })
})

describe('a database’s own store', () => {
  test('is repaired and swept, even when most of its files have no row', async () => {
    await spoilRows(other, 'UPDATE files SET blob_id = NULL, size = 0')
    await spoilRows(other, 'DELETE FROM blobs WHERE id > 1')
    await runOn(other, ['fsck', '--repair'])
    expect(await countAside()).toBeGreaterThan(files / 2)
  })

  test('is left alone by an older copy of the database until --orphans confirms it', async () => {
    await spoilRows(other, "UPDATE server_state SET value = 0 WHERE `key` = 'store_sweeps'")
    const age = 'the database is an older one than the store has had'
    expectRefusal(await runOn(other, ['fsck', '--repair']), 5, age)
    await runJob(other.deps, 'sweep')
    expect((await other.deps.store.readMark())?.sweeps).toBe(1)
    expect((await runOn(other, ['fsck', '--repair', '--orphans'])).code).toBe(0)
    expect((await runOn(other, ['fsck', '--repair'])).code).toBe(0)
  })

  test('is marked again by a database that lost the mark but has the rows', async () => {
    const mark = await other.deps.store.readMark()
    await spoilRows(other, "DELETE FROM server_state WHERE `key` IN ('store_id', 'store_sweeps')")
    await runJob(other.deps, 'sweep')
    expect(await other.deps.store.readMark()).toEqual({ id: mark?.id, sweeps: 2 })
  })
})

test('a restored database does not own the store of the original', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'filestore-mark-'))
  const database = await createDatabase()
  onTestFinished(async () => {
    await database.drop()
    await rm(folder, { recursive: true })
  })
  const trial = { dataDir: join(folder, 'trial'), databaseFlag: database.flag }
  await runOn(other, ['backup', join(folder, 'place')])
  expect((await runOn(trial, ['restore', join(folder, 'place')])).code).toBe(0)
  expect((await runOn(trial, ['fsck', '--repair'])).code).toBe(0)
  const refused = await runOn(trial, ['fsck', '--repair', '--storage', storage])
  expectRefusal(refused, 5, 'it is the store of another database')
})
