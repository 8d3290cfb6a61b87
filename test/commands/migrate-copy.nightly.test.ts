/**
 * The copy of an SQLite database that a migration makes first: it is complete, the only one, and deleted when no longer
 * needed.
 */
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { serveBinary, startBinary } from '../support/binary.ts'
import { onlyOn } from '../support/only-on.ts'
import { until } from '../support/planting.ts'
import { rounds } from '../support/rounds.ts'
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts'
import { dataFlags, expectRefusal, runOn } from './administration.ts'

const copy = 'filestore.db.before-migration'
const megabyte = 1024 ** 2

let dataDir: string

const here = () => ({ dataDir, databaseFlag: undefined })
const migrate = (...args: string[]) => runOn(here(), ['migrate', ...args])
const start = () => serveBinary(dataFlags(here()), { FILESTORE_ADMIN_PASSWORD: 'some password' })
const copies = async () => (await readdir(dataDir)).filter(name => name.startsWith(copy))
const downCopies = async () => (await readdir(dataDir)).filter(name => name.includes('before-down'))

async function onDatabase<T>(file: string, look: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase({ dialect: 'sqlite', file: join(dataDir, file) })
  try {
    return await look(db)
  } finally {
    await db.close()
  }
}

/** Makes a database of this many megabytes with one pending migration. */
async function prepare(megabytes: number): Promise<void> {
  await migrate('up')
  await onDatabase('filestore.db', db =>
    db.touch(async () => {
      await db.change('CREATE TABLE ballast (bytes BLOB)')
      for (let n = 0; n < megabytes; n++) await db.change(`INSERT INTO ballast VALUES (randomblob(${megabyte}))`)
    }),
  )
  await migrate('down', '--yes')
  for (const name of await downCopies()) await rm(join(dataDir, name))
}

const countBallast = (db: Database) => db.rows('SELECT COUNT(*) AS count FROM ballast')

/** Tells whether part of a copy was written after this time (ms, UTC). */
async function isCopying(since: number): Promise<boolean> {
  const all = await Promise.all((await copies()).map(name => stat(join(dataDir, name)).catch(() => null)))
  return all.some(stats => stats !== null && stats.size > 0 && stats.mtimeMs > since)
}

beforeEach(async context => {
  onlyOn('sqlite', context)
  dataDir = await mkdtemp(join(tmpdir(), 'filestore-migrate-'))
  context.onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
})

test('killed copies leave nothing behind after the next complete one', async () => {
  await prepare(32)
  for (let kill = 0; kill < rounds(2, 10); kill++) {
    const began = Date.now()
    const up = startBinary(['migrate', 'up', ...dataFlags(here())])
    await until(() => isCopying(began))
    up.kill('SIGKILL')
    expect((await up).signal).toBe('SIGKILL')
  }
  expect((await migrate('up')).code).toBe(0)
  expect(await copies()).toEqual([copy])
  expect(await onDatabase(copy, countBallast)).toEqual([{ count: 32 }])
})

test('a start without pending migrations removes the remains of killed copies', async () => {
  await migrate('up')
  for (const end of ['.unfinished', '.unfinished-journal', '.0b0e']) await writeFile(join(dataDir, copy + end), 'half')
  const server = await start()
  expect(await copies()).toEqual([])
  await server.stop()
})

test('serve keeps the copy from its migration until its next start', async () => {
  await prepare(1)
  const first = await start()
  expect(await copies()).toEqual([copy])
  await first.stop()
  expect(await copies()).toEqual([copy])
  expect(await onDatabase(copy, countBallast)).toEqual([{ count: 1 }])
  const second = await start()
  expect(await copies()).toEqual([])
  await second.stop()
})

test('up and down without space for the copy say how much they need, and change nothing', async context => {
  const disk: SmallDisk = await mountSmallDisk(context, '64m')
  context.onTestFinished(() => disk.unmount())
  dataDir = disk.folder
  await prepare(12)
  const before = await migrate('status')
  await disk.leave(6 * megabyte)
  const words = 'it is copied before it is migrated, which needs as much room beside it as it has itself'
  expectRefusal(await migrate('up'), 6, words)
  expectRefusal(await migrate('down', '--yes'), 6, words)
  expect(await copies()).toEqual([])
  expect(await downCopies()).toEqual([])
  expect(await migrate('status')).toEqual(before)
  await disk.leave(20 * megabyte)
  expect((await migrate('up')).code).toBe(0)
})
