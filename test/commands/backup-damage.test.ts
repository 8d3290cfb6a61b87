/** `filestore backup` and `restore`: reports of damage, and refusals. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type BuiltUser, buildFile, buildRole, buildUser } from '../support/factories.ts'
import { onlyInFolder, onlyOn } from '../support/only-on.ts'
import { largeContent } from '../support/planting.ts'
import { onlyNightly } from '../support/rounds.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { expectRefusal, runOn } from './administration.ts'
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

async function makePipe(path: string): Promise<void> {
  await rm(path, { force: true })
  execFileSync('mkfifo', [path])
}

describe('damage', () => {
  test('of contents in a backup folder is named by --verify, with the file that each belongs to', async () => {
    const [flipped, missing, cut] = [
      await buildFile(ann, { name: 'flipped.bin' }, largeContent()),
      await buildFile(ann, { name: 'missing.bin' }, largeContent()),
      await buildFile(ann, { name: 'cut.bin' }, largeContent()),
    ]
    await backups.backUp(server, folder)
    const verify = () => runOn(server, ['backup', '--verify', folder])
    const whole = await verify()
    expect(whole).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\S+ {2}whole$/) })
    const replace = async (sha256: string, change: (bytes: Buffer) => Buffer) => {
      const path = backups.contentPath(folder, sha256)
      const bytes = await readFile(path)
      await writeFile(path, change(bytes))
    }
    await replace(flipped.sha256 ?? '', bytes =>
      Buffer.from(bytes.map((byte, index) => (index === 20_000 ? byte ^ 1 : byte))),
    )
    await replace(cut.sha256 ?? '', bytes => bytes.subarray(1))
    await rm(backups.contentPath(folder, missing.sha256 ?? ''))
    const { code, stdout } = await verify()
    expect(code).toBe(1)
    expect(stdout).toContain(`flipped.bin (id:${flipped.id}): ${flipped.sha256} has changed`)
    expect(stdout).toContain(`missing.bin (id:${missing.id}): ${missing.sha256} is missing`)
    expect(stdout).toContain(`cut.bin (id:${cut.id}): ${cut.sha256} has 40959 bytes instead of 40960`)

    const site = await backups.openSite()
    const outcome = await runOn(site, ['restore', folder, '--json'])
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('ann: flipped.bin') })
    expect(JSON.parse(outcome.stdout)).toMatchObject({ lost_count: 3, contents: { count: 0 } })
    const next = await backups.backUp(server, folder)
    expect([backups.countCopies(next), next.outcomes.kept]).toEqual([2, 1])
  })

  test('of a manifest leaves the other snapshots usable', async context => {
    onlyNightly(context)
    await backups.backUp(server, folder)
    await buildFile(ann)
    const { snapshot } = await backups.backUp(server, folder)
    const manifests = await backups.listSnapshots(folder)
    const path = join(folder, 'snapshots', `${snapshot}.json`)
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replace(/"rows":1,/, '"rows":2,'))
    const verify = await runOn(server, ['backup', '--verify', folder, '--json'])
    expect(verify.code).toBe(1)
    expect(JSON.parse(verify.stdout).snapshots).toMatchObject([
      { snapshot: manifests[0], problem_count: 0 },
      { snapshot, problems: [`The manifest of the snapshot ${snapshot} is damaged`] },
    ])
    const site = await backups.openSite()
    expectRefusal(await runOn(site, ['restore', folder]), 1, 'is damaged')
    await backups.restore(folder, site, '--snapshot', manifests[0] ?? '')
    const next = await runOn(server, ['backup', folder, '--json'])
    expect(next).toMatchObject({ code: 1, stderr: expect.stringContaining('stay') })
    const { parts = [] } = JSON.parse(text).tables.find(({ name }: { name: string }) => name === 'files')
    expect(await backups.listContents(folder)).toContain(parts[0].sha256)
  })

  test('of contents on the server is named while the rest is backed up, and planted links are not followed', async context => {
    onlyInFolder(context)
    const lost = await buildFile(ann, { name: 'lost.bin' }, largeContent())
    const linked = await buildFile(ann, { name: 'linked.bin' }, largeContent())
    const kept = await buildFile(ann, { name: 'kept.bin' }, largeContent())
    const secret = join(await backups.openFolder(), 'secret')
    await writeFile(secret, Buffer.alloc(40 * 1024, 's'))
    const { db } = server.deps
    const pathOf = async ({ sha256 }: { sha256: string | null }) => {
      const row = await db.row<{ key: string }>('SELECT `key` FROM blobs WHERE sha256 = $1', [sha256])
      return join(server.dataDir, 'storage', 'blobs', row?.key.slice(0, 2) ?? '', row?.key ?? '')
    }
    await rm(await pathOf(lost))
    await rm(await pathOf(linked))
    await symlink(secret, await pathOf(linked))
    for (const place of [folder, await backups.openFolder('/dev/shm')]) {
      const { code, stdout, stderr } = await runOn(server, ['backup', place, '--json'])
      expect(code).toBe(1)
      expect(stderr).toContain(`ann: lost.bin (id:${lost.id}) is missing`)
      expect(stderr).toContain(`ann: linked.bin (id:${linked.id})`)
      expect(JSON.parse(stdout)).toMatchObject({ contents: { count: 1 }, lost_count: 2 })
      const contents = await backups.listContents(place)
      expect(contents).toContain(kept.sha256)
      for (const { sha256 } of [lost, linked]) expect(existsSync(backups.contentPath(place, sha256 ?? ''))).toBe(false)
    }
  })
})

test('changed rows of an earlier snapshot are named by the next one, which brings them again where it shares them', async context => {
  onlyNightly(context)
  await buildFile(ann, { name: 'a.txt' })
  const { snapshot } = await backups.backUp(server, folder)
  const { tables } = await backups.readManifest(folder)
  const partOf = (table: string) => tables.find(({ name }) => name === table)?.parts[0]?.sha256 ?? ''
  // Another role changes the rows of roles, so the next snapshot does not have their part.
  await buildRole(server, ['files:read'])
  for (const table of ['files', 'roles']) {
    const path = backups.contentPath(folder, partOf(table))
    const bytes = await readFile(path)
    await writeFile(path, Buffer.from(bytes.map((byte, index) => (index === 12 ? byte ^ 1 : byte))))
  }
  const told = (table: string) => `snapshot ${snapshot}: rows of ${table}: blobs/${partOf(table)} is missing or damaged`
  const next = await runOn(server, ['backup', folder, '--json'])
  expect([next.code, JSON.parse(next.stdout).earlier.sort()]).toEqual([
    1,
    [`${told('files')}; it is whole again`, told('roles')],
  ])
  const { snapshots } = JSON.parse((await runOn(server, ['backup', '--verify', folder, '--json'])).stdout)
  expect(snapshots[0].problems[0]).toContain(`blobs/${partOf('roles')} has changed`)
  expect(snapshots[1].problems).toEqual([])
})

test('a damaged hash in the row of a content keeps no backup from being made', async context => {
  onlyOn('sqlite', context)
  const { id, sha256 } = await buildFile(ann, { name: 'a.bin' }, largeContent())
  await spoilRows(server, 'PRAGMA wal_checkpoint(TRUNCATE)')
  const path = join(server.dataDir, 'filestore.db')
  const bytes = await readFile(path)
  const blob = await server.deps.db.row<{ key: string }>(
    'SELECT b.`key` FROM blobs b JOIN files f ON f.blob_id = b.id WHERE f.id = $1',
    [id],
  )
  // The row holds the key, the place, the size and the hash one after the other; the index holds only the hash.
  const row = bytes.indexOf(`${blob?.key}store`)
  const at = bytes.indexOf(sha256 ?? '', row) + 5
  expect(at - row).toBeLessThan(100)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  await writeFile(path, bytes)
  const outcome = await runOn(server, ['backup', folder, '--json'])
  expect([outcome.code, await backups.listSnapshots(folder)]).toEqual([1, [JSON.parse(outcome.stdout).snapshot]])
})

test.each([
  ['a folder', ''],
  ['a file', 'filestore.tar'],
])(
  'a hash that is none, in the row of a content, is told by the backup in %s, --verify and restore',
  async (_, name) => {
    const { id, sha256 } = await buildFile(ann, { name: 'a.bin' }, largeContent())
    const kept = largeContent()
    await buildFile(ann, { name: 'kept.bin' }, kept)
    const damaged = `z${sha256?.slice(1)}`
    await spoilRows(server, `UPDATE blobs SET sha256 = '${damaged}' WHERE sha256 = '${sha256}'`)
    const place = join(folder, name)
    const backup = await runOn(server, ['backup', place])
    expect(backup).toMatchObject({ code: 1, stderr: expect.stringContaining(`ann: a.bin (id:${id})`) })
    const verified = await runOn(server, ['backup', '--verify', place])
    const told = `a.bin (id:${id}): ${damaged} is missing`
    expect(verified).toMatchObject({ code: 1, stdout: expect.stringContaining(told) })
    const site = await backups.openSite()
    const restored = await runOn(site, ['restore', place, '--json'])
    expect(restored).toMatchObject({ code: 1, stderr: expect.stringContaining(`ann: a.bin (id:${id})`) })
    expect(JSON.parse(restored.stdout)).toMatchObject({ contents: { count: 1 }, lost_count: 1 })
  },
)

test('a mark of the trash that names no item is told by backup and --verify', async () => {
  const { id } = await buildFile(ann, { name: 'a.txt' })
  await spoilRows(server, `UPDATE files SET trash_root_id = 999 WHERE id = ${id}`)
  const told = 'table files: rows with trash_root_id 999, of which there is none in files'
  expect(await runOn(server, ['backup', folder])).toMatchObject({ code: 1, stderr: expect.stringContaining(told) })
  expect(await runOn(server, ['backup', '--verify', folder])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(told),
  })
})

test.each(['lost', 'changed'])(
  'a backup folder is known though its README.txt is %s, and gets it again',
  async kind => {
    await buildFile(ann, { name: 'a.txt' })
    await backups.backUp(server, folder)
    const readme = join(folder, 'README.txt')
    const words = await readFile(readme, 'utf8')
    await (kind === 'lost' ? rm(readme) : writeFile(readme, `c${words.slice(1)}`))
    expect(await runOn(server, ['backup', '--verify', folder])).toMatchObject({ code: 0 })
    await backups.backUp(server, folder)
    expect(await readFile(readme, 'utf8')).toBe(words)
  },
)

test('a pipe in the place of a manifest or a content is named by --verify, and a content is brought again', async () => {
  const content = largeContent()
  const { sha256 } = await buildFile(ann, { name: 'piped.bin' }, content)
  const { snapshot } = await backups.backUp(server, folder)
  const [part] = (await backups.readManifest(folder)).tables.find(({ name }) => name === 'files')?.parts ?? []
  const paths = [sha256, part?.sha256].map(key => backups.contentPath(folder, key ?? ''))
  for (const path of paths) await makePipe(path)
  const verified = await runOn(server, ['backup', '--verify', folder])
  expect(verified).toMatchObject({ code: 1, stdout: expect.stringContaining(`${sha256} is missing`) })
  const next = await runOn(server, ['backup', folder])
  expect(next).toMatchObject({ code: 1, stderr: expect.stringContaining('missing or damaged; it is whole again') })
  expect(await runOn(server, ['backup', '--verify', folder])).toMatchObject({ code: 0 })
  expect(await readFile(backups.contentPath(folder, sha256 ?? ''))).toEqual(content)

  await makePipe(join(folder, 'snapshots', `${snapshot}.json`))
  const again = await runOn(server, ['backup', '--verify', folder])
  expect(again).toMatchObject({ code: 1, stdout: expect.stringContaining(`${snapshot}.json is not a regular file`) })
  const file = join(folder, 'pipe.tar')
  await makePipe(file)
  expectRefusal(await runOn(server, ['backup', '--verify', file]), 2, 'is no file')
})

describe('refusals', () => {
  test('a restore is refused while a server runs, and when there are users or files already', async () => {
    await buildFile(ann, {}, largeContent())
    await backups.backUp(server, folder)
    expectRefusal(await runOn(server, ['restore', folder]), 5, 'has the database open')
    const site = await backups.openSite()
    await backups.restore(folder, site)
    expectRefusal(await runOn(site, ['restore', folder]), 5, 'The database has users already')
    const other = { ...(await backups.openSite()), dataDir: await backups.openFolder() }
    await cp(join(site.dataDir, 'storage'), join(other.dataDir, 'storage'), { recursive: true })
    expectRefusal(await runOn(other, ['restore', folder]), 5, 'holds files already')
    expect(existsSync(join(other.dataDir, 'filestore.db'))).toBe(false)
  })

  test('a folder without backups, or with other contents, is refused', async () => {
    const site = await backups.openSite()
    expectRefusal(await runOn(site, ['restore', join(folder, 'missing')]), 2, 'There are no backups in')
    expectRefusal(await runOn(site, ['backup', '--verify', folder]), 2, 'There are no backups in')
    await writeFile(join(folder, 'letter.txt'), 'Dear Ann')
    expectRefusal(await runOn(server, ['backup', folder]), 2, 'holds something else')
    expectRefusal(await runOn(server, ['backup', join(folder, 'letter.txt')]), 2, 'is no folder')
    for (const args of ['backup /proc/none', 'backup /proc/none.tar', 'export /proc/none']) {
      expectRefusal(await runOn(server, args.split(' ')), 2, 'There can be no folder /proc/none')
    }
    expectRefusal(await runOn(server, ['backup', folder, '--keep', '0']), 2, 'whole number')
    expectRefusal(await runOn(server, ['backup', '--verify', folder, '--keep', '1']), 2, '--verify changes nothing')
  })

  test('an unknown or malformed snapshot, or one of a newer filestore, is refused', async () => {
    await backups.backUp(server, folder)
    const { snapshot } = await backups.backUp(server, folder)
    const site = await backups.openSite()
    expectRefusal(await runOn(site, ['restore', folder, '--snapshot', '1999']), 4, 'No snapshot is called 1999')
    expectRefusal(await runOn(site, ['restore', folder, '--snapshot', '2']), 2, 'Several snapshots begin with 2')
    const path = join(folder, 'snapshots', `${snapshot}.json`)
    await writeFile(path, (await readFile(path, 'utf8')).replace('"format":2', '"format":3'))
    expectRefusal(await runOn(site, ['restore', folder]), 7, 'made by a newer filestore')
  })

  test('a second process on the same folder is refused', async () => {
    await backups.backUp(server, folder)
    await writeFile(join(folder, 'lock'), `${process.pid} ${hostname()}`)
    expectRefusal(await runOn(server, ['backup', folder]), 5, `Process ${process.pid}`)
    await rm(join(folder, 'lock'))
    await backups.backUp(server, folder)
  })
})
