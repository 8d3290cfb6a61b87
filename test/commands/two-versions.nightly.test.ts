/**
 * A program that is older by one migration beside this one, on one MariaDB: both serve uploads before, during and after the
 * migration. The older one is this build without its last migration.
 */
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type TestContext, test } from 'vitest'
import { migrations } from '../../migrations/index.ts'
import { openDatabase } from '../../src/db/database.ts'
import { saveState } from '../../src/db/server-state.ts'
import { runBinary, serveBinary } from '../support/binary.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { findMiscounts } from '../support/counters.ts'
import { onlyOn } from '../support/only-on.ts'
import { skipBecause } from '../support/skip.ts'
import { adminPassword, createConfig } from '../support/test-server.ts'
import { dataFlags } from './administration.ts'

const newest = migrations.at(-1)

/** Copies the built package without its newest migration; returns its binary. */
async function buildOlder(context: TestContext): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'filestore-older-'))
  context.onTestFinished(() => rm(copy, { recursive: true, force: true }))
  const root = join(import.meta.dirname, '../..')
  for (const part of ['bin', 'dist', 'package.json']) await cp(join(root, part), join(copy, part), { recursive: true })
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  const last = /(var migrations = \[[^\]]*),\s*\w+\s*\]/
  for (const name of await readdir(join(copy, 'dist/chunks'))) {
    const file = join(copy, 'dist/chunks', name)
    const text = name.endsWith('.js') ? await readFile(file, 'utf8') : ''
    if (!last.test(text)) continue
    await writeFile(file, text.replace(last, '$1]'))
    return join(copy, 'bin/filestore.cjs')
  }
  throw new Error('the build has no list of migrations')
}

interface Load {
  isOver: boolean
  stored: string[]
  failures: unknown[]
}

/** Uploads one file after the other; each must be acknowledged at its first try. */
async function upload(load: Load, client: TestClient, whose: string): Promise<void> {
  for (let file = 0; !load.isOver; file++) {
    const name = `${whose}-${file}.txt`
    await client.upload(`content of ${name}`, { name }).then(
      () => load.stored.push(name),
      error => load.failures.push(error),
    )
  }
}

test('an older server and this one take uploads while the newest migration runs, and until a later one stops the older', async context => {
  onlyOn('mariadb', context)
  if (newest?.rolling !== true) skipBecause('the newest migration is not rolling: older servers stop for it', context)
  const program = await buildOlder(context)
  const { config, database } = await createConfig()
  const place = dataFlags({ dataDir: config.dataDir, databaseFlag: database.flag })
  const serve = async (binary?: string) => {
    const server = await serveBinary(place, { FILESTORE_ADMIN_PASSWORD: adminPassword }, process.execPath, binary)
    context.onTestFinished(async () => {
      await server.stop('SIGKILL')
    })
    return server
  }
  context.onTestFinished(database.drop)
  const older = await serve(program)
  const db = await openDatabase(config.database)
  context.onTestFinished(db.close)
  const findNewest = () => db.rows('SELECT name FROM migrations WHERE name = $1', [String(newest?.name)])
  expect(await findNewest()).toEqual([])

  const load: Load = { isOver: false, stored: [], failures: [] }
  const storedBy = (whose: string) => load.stored.filter(name => name.startsWith(whose)).length
  const goesOn = async (...all: string[]) => {
    const before = all.map(storedBy)
    await expect.poll(() => all.every((whose, at) => storedBy(whose) > (before[at] ?? 0) + 5)).toBe(true)
  }
  const running = [upload(load, await signIn(older.url, 'admin', adminPassword), 'older')]
  await goesOn('older')
  const { exitCode, stderr } = await runBinary(['migrate', 'up', ...place])
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  expect(await findNewest()).toHaveLength(1)
  const newer = await serve()
  const reader = await signIn(newer.url, 'admin', adminPassword)
  running.push(upload(load, await signIn(newer.url, 'admin', adminPassword), 'newer'))
  await goesOn('older', 'newer')
  const again = await serve(program)
  running.push(upload(load, await signIn(again.url, 'admin', adminPassword), 'again'))
  await goesOn('older', 'newer', 'again')
  load.isOver = true
  await Promise.all(running)
  expect(load.failures).toEqual([])
  const rows = await db.rows<{ id: number; name: string }>('SELECT id, name FROM files WHERE is_directory = 0')
  expect(rows.map(({ name }) => name).sort()).toEqual([...load.stored].sort())
  for (const { id, name } of rows) {
    expect(await (await reader.raw(`/api/files/${id}/download`)).text()).toBe(`content of ${name}`)
  }
  expect(await findMiscounts(db)).toEqual([])

  await db.touch(() => saveState(db, 'least_schema', Number(newest?.name.slice(0, 4))))
  for (const { child } of [older, again]) await expect.poll(() => child.exitCode).toBe(7)
  await reader.upload('content', { name: 'last.txt' })
})
