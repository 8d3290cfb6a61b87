/** `filestore backup` and `restore` of small files, whose contents are in the database: damage to them is named. */
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
import { largeContent } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { runOn } from './administration.ts'
import * as backups from './backups.ts'

let server: TestServer
let ann: BuiltUser
let folder: string

beforeEach(async () => {
  server = await startServer()
  ann = await buildUser(server, { username: 'ann', storageQuota: Number.MAX_SAFE_INTEGER })
  folder = await backups.openFolder()
})
afterEach(() => server.close())

const bytesOf = (sha256: string | null) => `blob_id = (SELECT id FROM blobs WHERE sha256 = '${sha256}')`

/** Gives the row of a content another id, as if many contents had come before it. */
async function moveRow(sha256: string | null, id: number): Promise<void> {
  const row = await server.deps.db.row<{ id: number }>('SELECT id FROM blobs WHERE sha256 = $1', [sha256])
  await spoilRows(
    server,
    `UPDATE blobs SET id = ${id} WHERE id = ${row?.id}`,
    `UPDATE blob_bytes SET blob_id = ${id} WHERE blob_id = ${row?.id}`,
    `UPDATE files SET blob_id = ${id} WHERE blob_id = ${row?.id}`,
    server.databaseFlag === undefined
      ? `UPDATE sqlite_sequence SET seq = ${id} WHERE name = 'blobs' AND seq < ${id}`
      : `ALTER TABLE blobs AUTO_INCREMENT = ${id + 1}`,
  )
}

/** Makes small files, damages three of them as a bad disk would, and returns the expected report on each. */
async function damageSome() {
  const build = (name: string, content: string) => buildFile(ann, { name }, Buffer.from(content))
  const [changed, cut, gone] = [
    await build('changed.txt', 'as it came in'),
    await build('cut.txt', 'all of it'),
    await build('gone.txt', 'gone'),
  ]
  for (const name of ['kept.txt', 'empty.txt']) await build(name, name === 'empty.txt' ? '' : 'kept')
  await spoilRows(
    server,
    `UPDATE blob_bytes SET bytes = X'${Buffer.from('as it came on').toString('hex')}' WHERE ${bytesOf(changed.sha256)}`,
    `UPDATE blob_bytes SET bytes = X'${Buffer.from('all').toString('hex')}' WHERE ${bytesOf(cut.sha256)}`,
    `DELETE FROM blob_bytes WHERE ${bytesOf(gone.sha256)}`,
  )
  return [
    { file: changed, problem: 'has changed' },
    { file: cut, problem: 'has 3 bytes instead of 9' },
    { file: gone, problem: 'is missing' },
  ]
}

type Damaged = Awaited<ReturnType<typeof damageSome>>

function expectNamed(outcome: Awaited<ReturnType<typeof runOn>>, damaged: Damaged): void {
  expect(outcome.code).toBe(1)
  for (const { file, problem } of damaged) {
    expect(outcome.stderr).toContain(`ann: ${file.name} (id:${file.id}) ${problem}`)
  }
  for (const name of ['kept.txt', 'empty.txt']) expect(outcome.stderr).not.toContain(name)
  expect(JSON.parse(outcome.stdout)).toMatchObject({ lost_count: damaged.length })
}

describe.each([
  ['a folder', 'place'],
  ['one file', 'backup.tar'],
])('small files that the server has lost', { timeout: 240_000 }, (_kind, name) => {
  test(`are named by a backup into ${_kind}, by --verify and by restore`, async () => {
    const damaged = await damageSome()
    const place = join(folder, name)
    expectNamed(await runOn(server, ['backup', place, '--json']), damaged)
    const verify = await runOn(server, ['backup', '--verify', place])
    expect(verify).toMatchObject({ code: 1, stdout: expect.stringContaining('3 problems') })
    for (const { file, problem } of damaged) {
      expect(verify.stdout).toContain(`${file.name} (id:${file.id}): ${file.sha256} ${problem}`)
    }
    const site = await backups.openSite()
    expectNamed(await runOn(site, ['restore', place, '--json']), damaged)
    expect((await runOn(site, ['fsck', '--hash'])).code).toBe(11)
  })

  test(`cause no false report by --verify of ${_kind} when only large files are in the row files before theirs`, async () => {
    const place = join(folder, name)
    for (const thousand of [1, 2, 3, 4]) {
      const isSmall = thousand % 2 === 0
      const { sha256 } = await buildFile(ann, {}, isSmall ? Buffer.from(`small ${thousand}`) : largeContent())
      await moveRow(sha256, thousand * 1000)
    }
    await backups.backUp(server, place)
    expect(await runOn(server, ['backup', '--verify', place])).toMatchObject({ code: 0 })
  })

  test(`cause no false report on their neighbours by --verify of ${_kind} when a row between them has no bytes`, async context => {
    onlyOn('sqlite', context)
    const place = join(folder, name)
    const ids = [5000, 5300, 5600]
    const files = []
    for (const id of ids) {
      const file = await buildFile(ann, { name: `${id}.txt` }, Buffer.from(`small ${id}`))
      await moveRow(file.sha256, id)
      files.push(file)
    }
    await spoilRows(server, 'UPDATE blob_bytes SET bytes = 5 WHERE blob_id = 5300')
    await runOn(server, ['backup', place])
    const { code, stdout } = await runOn(server, ['backup', '--verify', place, '--json'])
    const [snapshot] = JSON.parse(stdout).snapshots
    expect([code, snapshot.problem_count]).toEqual([1, 2])
    expect(snapshot.problems.join()).toContain(`${files[1]?.sha256} is missing`)
  })
})

test('--verify names what each snapshot lacks when an upload repaired one file between two snapshots', {
  timeout: 240_000,
}, async () => {
  for (let n = 0; n < 300; n++) await buildFile(ann, { name: `${n}.txt` }, Buffer.from(`file ${n}`))
  const damaged = await damageSome()
  await runOn(server, ['backup', folder])
  const { file } = damaged.pop() ?? {}
  await buildFile(ann, { name: 'again.txt' }, Buffer.from('gone'))
  await runOn(server, ['backup', folder])
  const { code, stdout } = await runOn(server, ['backup', '--verify', folder, '--json'])
  expect(code).toBe(1)
  const { snapshots } = JSON.parse(stdout)
  expect(snapshots).toMatchObject([{ problem_count: 3 }, { problem_count: 2 }])
  expect(snapshots[0].problems.join()).toContain(`${file?.sha256} is missing`)
  expect(snapshots[1].problems.join()).not.toContain(file?.sha256)
})
