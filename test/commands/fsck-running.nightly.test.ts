/** `filestore fsck` beside a busy server: work in progress is no finding, and an interrupted run continues. */
import { existsSync } from 'node:fs'
import { cp, mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { copyFile, moveFile } from '../../src/api/files.ts'
import { deleteFile, trashFile } from '../../src/api/trash.ts'
import { deleteUser } from '../../src/api/users.ts'
import { day } from '../../src/base/clock.ts'
import { newBlobKey } from '../../src/blobs/receive.ts'
import { sweep } from '../../src/blobs/sweep.ts'
import { backupPrefix } from '../../src/db/leases.ts'
import { openSweepRows } from '../../src/files/sweep-rows.ts'
import { startBinary } from '../support/binary.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { untilJobRan } from '../support/jobs.ts'
import { onlyOn } from '../support/only-on.ts'
import { largeContent, plantThumbnail, until } from '../support/planting.ts'
import { rounds } from '../support/rounds.ts'
import { startServer } from '../support/server.ts'
import { age, flipByte, freePathOf, pathOfKey, spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { dataFlags, expectRefusal, runOn } from './administration.ts'
import { runFsck, spawnFsck } from './fsck-run.ts'

let server: TestServer
let user: BuiltUser

beforeEach(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterEach(() => server.close())

/** Adds, moves and deletes rows and contents of every kind, one action after the other. */
async function actOnce(client: TestClient, admin: TestClient): Promise<void> {
  const folder = await buildFolder(client)
  const inner = await buildFolder(client, undefined, folder.id)
  const file = await buildFile(client, { parent_id: inner.id }, largeContent())
  await plantThumbnail(server, file.id)
  await buildFile(client, { parent_id: inner.id })
  await buildFile(client, { parent_id: inner.id, name: file.name, on_conflict: 'replace' }, largeContent())
  await client.call(moveFile, { id: inner.id, parent_id: null })
  const copy = (await client.call(copyFile, { id: inner.id })).file
  for (const { id } of [inner, copy, folder]) {
    await client.call(trashFile, { id })
    await client.call(deleteFile, { id })
  }
  const leaving = await buildUser(server)
  const heir = await buildUser(server)
  for (let count = 0; count < 5; count += 1) await buildFile(leaving, {}, largeContent())
  await admin.call(deleteUser, { id: leaving.id, files: 'transfer', to: heir.id })
  await admin.call(deleteUser, { id: heir.id, files: 'delete' })
}

/** Makes every key old, so that a new upload looks like the remains of a crash. */
async function ageAll(): Promise<void> {
  for await (const { key } of server.deps.store.list()) await age(pathOfKey(server, key)).catch(() => undefined)
}

describe('fsck beside a server that writes', () => {
  test.each(rounds([[['--hash', '--repair']]], [[[]], [['--hash']], [['--hash', '--repair']]]))(
    'finds nothing with %j',
    async args => {
      const admin = await signIn(server.url, server.adminName, server.adminPassword)
      // The sweep at the start would remove old files without a row.
      await untilJobRan(server.deps, 'sweep')
      // All other files come and go.
      await buildFile(user, {}, largeContent())
      let isOver = false
      let acts = 0
      const act = async (work: () => Promise<void>) => {
        while (!isOver) {
          await work()
          acts += 1
        }
      }
      const acting = [...Array.from({ length: 4 }, () => act(() => actOnce(user, admin))), act(ageAll)]
      const running = Promise.all(acting)
      await Promise.race([running, until(async () => acts > 5)])
      const outcome = await spawnFsck(server, ...args)
      isOver = true
      await running
      expect(outcome).toMatchObject({ code: 0, verdict: 'ok', findings: [], stderr: '' })
      expect(outcome.checked.items).toBeGreaterThan(0)
      expect(await runFsck(server, '--hash')).toMatchObject({ code: 0, findings: [] })
    },
  )
})

test('the folder of an unfinished transfer is no finding', async () => {
  const heir = await buildUser(server)
  const { id } = await buildFolder(user, 'waiting')
  const mark = (folder: string) => `UPDATE spaces SET transfer_folder_id = ${folder} WHERE owner_id = ${user.id}`
  await spoilRows(server, `UPDATE files SET owner_id = ${heir.id} WHERE id = ${id}`, mark(String(id)))
  expect((await runFsck(server)).findings).toEqual([])
  await spoilRows(server, mark('NULL'))
  expect((await runFsck(server)).findings).toMatchObject([{ problem: 'foreign-owner', file_id: id }])
})

test('unnamed content stays in the store during a backup, and moves to quarantine afterwards', async () => {
  const { db, store, leases, clock } = server.deps
  const { sha256 } = await buildFile(user, {}, largeContent())
  const small = await buildFile(user, {}, 'stands beside its row')
  const hashes = `'${sha256}', '${small.sha256}'`
  const blobs = await db.rows<{ key: string }>(
    `SELECT \`key\` FROM blobs WHERE sha256 IN (${hashes}) ORDER BY size DESC`,
  )
  await spoilRows(
    server,
    `DELETE FROM files WHERE blob_id IN (SELECT id FROM blobs WHERE sha256 IN (${hashes}))`,
    // Otherwise the storage would tell that these are lost files'.
    `UPDATE spaces SET item_count = item_count - 2, storage_used = 0 WHERE owner_id = ${user.id}`,
  )
  await db.touch(() => leases.begin(`${backupPrefix}test`))
  await age(pathOfKey(server, blobs[0]?.key ?? ''))
  const repair = await runFsck(server, '--repair')
  expect(repair.findings.filter(({ problem }) => problem === 'content-unnamed')).toMatchObject([
    { repaired: true },
    { repaired: true },
  ])
  for (const { key } of blobs) expect(await store.size(key)).toBeGreaterThan(0)
  await leases.end(`${backupPrefix}test`)
  const rows = openSweepRows({ db, leases, store })
  // A young file stays first, because it may belong to an upload.
  expect(await sweep(store, rows, clock.now())).toMatchObject({ quarantined: 0 })
  expect(await sweep(store, rows, clock.now() + 2 * day)).toMatchObject({ quarantined: 2 })
})

describe('a run with --hash', () => {
  const count = 60
  const size = 40 * 1024
  const progress = () => join(server.dataDir, 'storage', 'fsck-progress.json')
  /** Starts four seconds of work, or more at a lower rate. */
  const start = (rate = '600KB') => startBinary(['fsck', '--hash', '--rate', rate, '--json', ...dataFlags(server)])

  beforeEach(async () => {
    for (let index = 0; index < count; index += 1) await buildFile(user, {}, largeContent())
  })

  test.each(rounds(['SIGKILL'] as const, ['SIGINT', 'SIGKILL'] as const))(
    'that was stopped by %s is continued, and its findings are reported again',
    async signal => {
      const first = await server.deps.db.row<{ key: string }>('SELECT `key` FROM blobs ORDER BY id LIMIT 1')
      await flipByte(pathOfKey(server, first?.key ?? ''), 1)
      const run = start()
      // The run records its progress after two seconds, and again when it is interrupted.
      await expect.poll(() => existsSync(progress())).toBe(true)
      run.kill(signal)
      expect((await run).exitCode).toBe(signal === 'SIGINT' ? 130 : undefined)

      const rest = await runFsck(server, '--hash')
      expect(rest).toMatchObject({ code: 11, counts: { lost: 1 }, resumed: { bytes: expect.any(Number) } })
      expect(rest.checked.hashed_bytes).toBeLessThan(size * (count - 10))
      expect(rest.checked.hashed_bytes).toBeGreaterThan(size)
      expect(rest.stderr).toContain('Going on with the run of')

      // Content with a wrong hash is read again, and once more to see whether its row is what is wrong.
      const anew = await runFsck(server, '--hash')
      expect(anew).toMatchObject({ resumed: null, checked: { hashed_bytes: size * (count + 2) } })
    },
  )

  test('refuses a second run with --hash, and allows runs without it', async () => {
    const run = start('100KB')
    await expect.poll(() => existsSync(progress())).toBe(true)
    expectRefusal(await runOn(server, ['fsck', '--hash', '--restart']), 5, "Another 'fsck --hash' reads")
    expect(existsSync(progress())).toBe(true)
    expect(await runFsck(server)).toMatchObject({ code: 0 })
    run.kill('SIGINT')
    expect((await run).exitCode).toBe(130)
    expect(await runFsck(server, '--hash')).toMatchObject({ code: 0, resumed: { bytes: expect.any(Number) } })
  })

  test('starts again with --restart, and does not exceed --rate', async () => {
    const run = start()
    await expect.poll(() => existsSync(progress())).toBe(true)
    run.kill('SIGINT')
    await run
    const from = performance.now()
    const anew = await runFsck(server, '--hash', '--restart', '--rate', '4MB')
    expect(anew).toMatchObject({ code: 0, resumed: null, checked: { hashed_bytes: size * count } })
    expect(performance.now() - from).toBeGreaterThan(((size * count) / (4 * 1024 ** 2)) * 1000 - 100)
    expect(existsSync(progress())).toBe(false)
  })
})

describe('the output of fsck', () => {
  test('has a line for each finding and a summary, and escapes control characters in names', async () => {
    const { id } = await buildFile(user, { name: 'ugly\u202ename.txt' })
    await spoilRows(server, `UPDATE files SET size = size + 1 WHERE id = ${id}`)
    const found = await runOn(server, ['fsck'])
    expect(found.code).toBe(10)
    expect(found.stdout).toContain(
      `repairable  ${user.username}:/ugly\\u202ename.txt (id:${id}): its size is not that of its content`,
    )
    expect(found.stdout).toContain('Found   0 lost, 2 repairable, 0 repaired, 0 noted')
    expect(found.stderr).toBe('error: 2 can be repaired: run fsck with --repair\n'.trim())
    expect(await runOn(server, ['fsck', '--repair'])).toMatchObject({ code: 0, stderr: '' })
    expect(await runOn(server, ['fsck'])).toMatchObject({ code: 0, stderr: '' })
  })

  test('is an error for --rate without --hash, for a rate of 0, and without a database', async () => {
    expectRefusal(await runOn(server, ['fsck', '--rate', '5MB']), 2, '--rate is for --hash')
    expectRefusal(await runOn(server, ['fsck', '--hash', '--rate', '0']), 2, 'at least 1 byte')
    const nowhere = { dataDir: join(server.dataDir, 'nowhere'), databaseFlag: undefined }
    expectRefusal(await runOn(nowhere, ['fsck', '--json']), 2, 'There is no database')
  })
})

test('a damaged SQLite database is reported as lost, the rest is checked, and nothing is repaired', async context => {
  onlyOn('sqlite', context)
  await buildFile(user, {}, largeContent())
  const page = await server.deps.db.row<{ rootpage: number }>("SELECT rootpage FROM sqlite_master WHERE name = 'files'")
  // Move all pages from the WAL to the file first.
  await spoilRows(server, 'PRAGMA wal_checkpoint(TRUNCATE)')
  const copy = await mkdtemp(join(tmpdir(), 'filestore-damaged-'))
  // The mark of the store may get its name meanwhile.
  await expect
    .poll(() =>
      cp(server.dataDir, copy, { recursive: true }).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
  const file = await open(join(copy, 'filestore.db'), 'r+')
  await file.write(Buffer.alloc(4096), 0, 4096, ((page?.rootpage ?? 1) - 1) * 4096)
  await file.close()
  const key = newBlobKey()
  await writeFile(await freePathOf({ dataDir: copy }, key), 'nobody names this')
  await age(pathOfKey({ dataDir: copy }, key))

  const found = await runFsck({ dataDir: copy, databaseFlag: undefined }, '--repair')
  await rm(copy, { recursive: true })
  const damaged = found.findings.filter(finding => finding.problem === 'database-damaged')
  expect(found).toMatchObject({ code: 11, verdict: 'lost' })
  expect(damaged.map(({ name }) => name)).toEqual(expect.arrayContaining(['table files', 'the files']))
  expect(found.checked.blobs).toBe(1)
  // A run that cannot read all rows must not treat contents as unnamed.
  expect(found.counts.repaired).toBe(0)
  expect(found.findings.filter(finding => finding.key === key)).toMatchObject([{ problem: 'orphan', repaired: false }])
})
