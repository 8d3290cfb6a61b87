/** `filestore migrate`: up, down and status, the question and the copy before down, and refusals. */

import { chown, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/db/database.ts'
import { withFileLock } from '../../src/db/file-lock.ts'
import { openTerminal, talk } from '../cli/terminal.ts'
import { serveBinary } from '../support/binary.ts'
import { migrateTest } from '../support/migrated.ts'
import { onlyOn } from '../support/only-on.ts'
import { onlyNightly } from '../support/rounds.ts'
import { skipBecause } from '../support/skip.ts'
import { createDatabase, type TestDatabase } from '../support/test-server.ts'
import { dataFlags, expectRefusal, runOn, spawnOn } from './administration.ts'

let dataDir: string
let database: TestDatabase

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'filestore-migrate-'))
  database = await createDatabase()
})
afterEach(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const here = () => ({ dataDir, databaseFlag: database.flag })
const migrate = (...args: string[]) => runOn(here(), ['migrate', ...args])
const readNames = async (...args: string[]) => JSON.parse((await migrate(...args, '--json')).stdout)
const makeTables = () => migrateTest(readConfig({ dataDir, database: database.flag }).database)
const copies = async () => (await readdir(dataDir)).filter(name => name.includes('before-down'))

describe('up, down and status', () => {
  test('print what they do', async () => {
    expect((await migrate('up')).stdout).toMatch(/^up\s+0001-permissions/)
    expect(await migrate('up')).toEqual({ stdout: '', stderr: 'Nothing to migrate', code: 0 })
    expect((await migrate('down', '--yes')).stdout).toMatch(/^down\s+\d{4}-\S+$/)
    expect((await migrate('status')).stdout).toMatch(/^done\s+0001-permissions[\s\S]*pending\s+\S+$/)
  })

  test('print the names that were run with --json, and a list of all', async () => {
    const names: string[] = await readNames('up')
    expect(names[0]).toBe('0001-permissions')
    expect(await readNames('up')).toEqual([])
    expect(await readNames('status')).toEqual(names.map(name => ({ name, done: true })))
    expect(await readNames('down', '2', '--yes')).toEqual(names.slice(-2).reverse())
    expect(await readNames('down', String(names.length), '--yes')).toEqual(names.slice(0, -2).reverse())
    expect(await migrate('down', '--yes')).toEqual({ stdout: '', stderr: 'Nothing to take back', code: 0 })
  })

  test('status and down without a database make none', async context => {
    onlyOn('sqlite', context)
    const words = `There is no database at ${dataDir}/filestore.db: give --data-dir`
    expectRefusal(await migrate('status'), 2, words)
    expectRefusal(await migrate('down', '--yes'), 2, words)
    expect(await readdir(dataDir)).toEqual([])
  })

  test('status makes no tables in an empty database', async context => {
    onlyOn('mariadb', context)
    expect((await migrate('status')).stdout).toMatch(/^pending\s+0001-permissions/)
    const db = await openDatabase(readConfig({ dataDir, database: database.flag }).database)
    const tables = await db.rows('SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()')
    await db.close()
    expect(tables).toEqual([])
  })

  test.each(['0', '1.5', 'all'])('refuse down %s', async count => {
    await makeTables()
    expectRefusal(await migrate('down', count, '--yes'), 2, 'whole number')
    expect(await copies()).toEqual([])
  })
})

describe('down', () => {
  test('asks, names what will be lost, and continues only after a yes', async () => {
    await makeTables()
    const names: string[] = (await readNames('status')).map(({ name }: { name: string }) => name)
    expectRefusal(await migrate('down'), 2, 'use --yes')
    const answerTo = async (answer: string) =>
      talk(await openTerminal(), ['migrate', 'down', '2', ...dataFlags(here())], [['[y/N]', answer]])
    const refused = await answerTo('n\r')
    expect(refused.exitCode).toBe(130)
    for (const name of names.slice(-2)) expect(refused.screen).toContain(name)
    expect((await readNames('status')).every(({ done }: { done: boolean }) => done)).toBe(true)
    expect(await copies()).toEqual([])
    expect((await answerTo('y\r')).exitCode).toBe(0)
    expect((await readNames('status')).filter(({ done }: { done: boolean }) => !done)).toHaveLength(2)
  })

  test('of an SQLite database keeps a new copy with all rows each time', async context => {
    onlyOn('sqlite', context)
    const ann = ['--username', 'ann', '--email', 'ann@example.org', '--password-stdin']
    await makeTables()
    await runOn(here(), ['admin', 'create', ...ann], 'long enough')
    const names: string[] = (await readNames('status')).map(({ name }: { name: string }) => name)
    const { stderr } = await migrate('down', String(names.length), '--yes')
    const [copy = ''] = await copies()
    expect(stderr).toBe(`The database as it was: ${join(dataDir, copy)}`)
    expect((await stat(join(dataDir, copy))).mode & 0o777).toBe(0o600)
    const kept = await openDatabase({ dialect: 'sqlite', file: join(dataDir, basename(copy)) })
    expect(await kept.rows('SELECT username FROM users')).toEqual([{ username: 'ann' }])
    await kept.close()
    await migrate('up')
    await migrate('down', '--yes')
    expect(await copies()).toHaveLength(2)
  })

  test('is refused beside a running server, which continues to work', async () => {
    await makeTables()
    const server = await serveBinary(dataFlags(here()), { FILESTORE_ADMIN_PASSWORD: 'some password' })
    expectRefusal(await migrate('down', '--yes'), 5, 'has the database open: stop it first')
    expect(await copies()).toEqual([])
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    const ann = ['admin', 'user', 'add', 'ann', '--email', 'a@x.org', '--temp-password']
    expect((await runOn(here(), ann)).code).toBe(0)
    await server.stop()
    expect((await migrate('down', '--yes')).code).toBe(0)
  })
})

test('a running server keeps migrate and a second server from migrating its SQLite database', async context => {
  onlyOn('sqlite', context)
  await makeTables()
  const server = await serveBinary(dataFlags(here()), { FILESTORE_ADMIN_PASSWORD: 'some password' })
  const names: string[] = (await readNames('status')).map(({ name }: { name: string }) => name)
  const db = await openDatabase(readConfig({ dataDir }).database)
  // Leave the last migration pending, as a newer release would find it.
  await db.touch(() => db.change('DELETE FROM migrations WHERE name = $1', [names.at(-1) ?? '']))
  await db.close()
  for (const command of [
    ['migrate', 'up'],
    ['serve', '--port', '0'],
  ]) {
    expectRefusal(await spawnOn(here(), command), 5, 'Another process serves or migrates')
  }
  expect((await readNames('status')).at(-1)).toMatchObject({ done: false })
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  await server.stop()
})

test('a lock refuses other commands in the same process and in another one', async context => {
  onlyNightly(context)
  onlyOn('sqlite', context)
  await withFileLock(join(dataDir, 'filestore.db.lock'), 'taken', async () => {
    for (const run of [runOn, spawnOn]) {
      expectRefusal(await run(here(), ['migrate', 'up']), 5, 'Another process serves or migrates')
    }
  })
})

test('root gives the lock to the owner of the data folder', async context => {
  onlyOn('sqlite', context)
  if (process.getuid?.() !== 0) skipBecause('only root can run as root', context)
  const nobody = 65534
  await makeTables()
  await chown(dataDir, nobody, nobody)
  await chown(join(dataDir, 'filestore.db'), nobody, nobody)
  expect((await migrate('down', '--yes')).code).toBe(0)
  expect((await stat(join(dataDir, 'filestore.db.lock'))).uid).toBe(nobody)
})
