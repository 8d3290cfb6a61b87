/** `filestore backup <file.tar>`: a backup in one file, which is either complete or absent. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { trashFile } from '../../src/api/trash.ts'
import { startBinary } from '../support/binary.ts'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { buildFailingDisk, unreadableAgain } from '../support/failing-disk.ts'
import { onlyOn } from '../support/only-on.ts'
import { largeContent, until } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { mountSmallDisk } from '../support/small-disk.ts'
import { flipByte, pathOfKey, spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { dataFlags, expectRefusal, runOn, spawnOn } from './administration.ts'
import * as backups from './backups.ts'

let server: TestServer
let ann: BuiltUser
let folder: string
let file: string

beforeEach(async () => {
  server = await startServer()
  ann = await buildUser(server, { username: 'ann', storageQuota: Number.MAX_SAFE_INTEGER })
  folder = await backups.openFolder()
  file = join(folder, 'filestore.tar')
})
afterEach(() => server.close())

const names = ['😀 𝒻.bin', `a'b"c.bin`, 'small.txt', 'trashed.bin']

/** Makes small and large files, one of them in the trash, and returns their contents by name. */
async function fill(): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>()
  for (const name of names) {
    const content = name.endsWith('.txt') ? Buffer.from('small') : largeContent()
    const { id } = await buildFile(ann, { name }, content)
    if (name.startsWith('trashed')) await ann.call(trashFile, { id })
    contents.set(name, content)
  }
  return contents
}

/** The position in the backup file where a content begins. */
async function findContent(bytes: Buffer): Promise<number> {
  const at = (await readFile(file)).indexOf(bytes)
  expect(at).toBeGreaterThan(0)
  return at
}

async function expectNothing(site: backups.Site): Promise<void> {
  expect(await readdir(site.dataDir)).toEqual([])
  if (site.databaseFlag === undefined) return
  expect(await backups.withDatabaseOf(site, db => db.rows('SHOW TABLES'))).toEqual([])
}

describe('a backup in one file', { timeout: 120_000 }, () => {
  test('restores the server, and only its owner can read it', async () => {
    const contents = await fill()
    expect(await backups.backUp(server, file)).toMatchObject({ file, folder: null, items: 4, contents: { count: 3 } })
    expect(await readdir(folder)).toEqual(['filestore.tar'])
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await runOn(server, ['backup', '--verify', file])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\S+ {2}whole$/),
    })
    const site = await backups.openSite()
    expect(await backups.restore(file, site)).toMatchObject({ users: 2, items: 4, lost_count: 0 })
    expect(await backups.readWhole(site)).toEqual(contents)
    expect(await runOn(site, ['fsck', '--hash'])).toMatchObject({ code: 0 })
  })

  test('can be unpacked with tar into a backup folder', async () => {
    const contents = await fill()
    await backups.backUp(server, file)
    const { stdout } = await execa('tar', ['-tf', file])
    expect(stdout.split('\n')).toEqual(expect.arrayContaining(['README.txt', expect.stringMatching(/^snapshots\//)]))
    const place = join(folder, 'unpacked')
    await mkdir(place)
    const unpacked = await execa('tar', ['-xf', file, '-C', place])
    expect(unpacked.stderr).toBe('')
    expect((await runOn(server, ['backup', '--verify', place])).code).toBe(0)
    const site = await backups.openSite()
    await backups.restore(place, site)
    expect(await backups.readWhole(site)).toEqual(contents)
    expect((await backups.backUp(server, place)).outcomes).toMatchObject({ kept: 3 })
  })

  test('moves data from one database to the other, and back', async context => {
    onlyOn('mariadb', context)
    const contents = await fill()
    await backups.backUp(server, file)
    const [onSqlite, onMariadb] = [await backups.openSite(true), await backups.openSite()]
    const second = join(folder, 'second.tar')
    await backups.restore(file, onSqlite)
    await backups.backUp(onSqlite, second)
    await backups.restore(second, onMariadb)
    for (const site of [onSqlite, onMariadb]) expect(await backups.readWhole(site)).toEqual(contents)
  })

  test('leaves out content that the server has lost, and names its owner', async () => {
    const { sha256 } = await buildFile(ann, { name: 'lost.bin' }, largeContent())
    const kept = await buildFile(ann, { name: 'kept.bin' }, largeContent())
    const row = await server.deps.db.row<{ key: string }>('SELECT `key` FROM blobs WHERE sha256 = $1', [sha256])
    await flipByte(pathOfKey(server, row?.key ?? ''), 20_000)
    const backup = await runOn(server, ['backup', file, '--json'])
    expect(backup).toMatchObject({ code: 1, stderr: expect.stringContaining('ann: lost.bin') })
    expect(JSON.parse(backup.stdout)).toMatchObject({ contents: { count: 1 }, lost_count: 1 })
    const site = await backups.openSite()
    const restore = await runOn(site, ['restore', file, '--json'])
    expect(restore).toMatchObject({ code: 1, stderr: expect.stringContaining('ann: lost.bin') })
    expect(JSON.parse(restore.stdout)).toMatchObject({ contents: { count: 1 }, lost_count: 1 })
    expect((await runOn(server, ['backup', '--verify', file])).stdout).not.toContain(kept.sha256)
  })

  test('holds a file whose content equals a row file of the backup', async () => {
    for (const name of ['a.txt', 'b.txt']) await buildFile(ann, { name }, randomBytes(30 * 1024))
    const place = join(folder, 'place')
    await backups.backUp(server, place)
    const rows = (await backups.readManifest(place)).tables.find(({ name }) => name === 'blob_bytes')?.parts[0]
    const content = await readFile(backups.contentPath(place, rows?.sha256 ?? ''))
    await buildFile(ann, { name: 'rows.gz' }, content)
    await backups.backUp(server, file)
    expect((await runOn(server, ['backup', '--verify', file])).code).toBe(0)
    const site = await backups.openSite()
    await backups.restore(file, site)
    expect((await backups.readWhole(site)).get('rows.gz')?.equals(content)).toBe(true)
  })

  test('leaves out content that the disk returns once and not again', async context => {
    const env = await buildFailingDisk(context)
    await fill()
    const { sha256 } = await buildFile(ann, { name: 'lost.bin' }, largeContent())
    const row = await server.deps.db.row<{ key: string }>('SELECT `key` FROM blobs WHERE sha256 = $1', [sha256])
    await chmod(pathOfKey(server, row?.key ?? ''), unreadableAgain)
    const { code, stdout, stderr } = await spawnOn(server, ['backup', file, '--json'], '', env)
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('ann: lost.bin') })
    expect(JSON.parse(stdout)).toMatchObject({ contents: { count: 3 }, lost_count: 1 })
    const site = await backups.openSite()
    expect(await runOn(site, ['restore', file])).toMatchObject({ code: 1 })
  })
})

describe('an incomplete or damaged backup file', { timeout: 120_000 }, () => {
  test('is refused wherever it was cut, and nothing is restored', async () => {
    await fill()
    await backups.backUp(server, file)
    const { size } = await stat(file)
    const site = await backups.openSite()
    // Cut in the manifest, in the header before it, in a content, in the first entry, and at the start.
    for (const left of [size - 3000, size - 6 * 1024, Math.floor(size / 2), 700, 0]) {
      await truncate(file, left)
      expectRefusal(await runOn(site, ['restore', file]), left === 0 ? 2 : 1, file)
      await expectNothing(site)
    }
    expectRefusal(await runOn(site, ['backup', '--verify', file]), 2, 'is no backup that filestore wrote')
  })

  test('is refused after a content has changed, and --verify names the file with that content', async () => {
    const contents = await fill()
    await backups.backUp(server, file)
    await flipByte(file, (await findContent(contents.get(names[1] ?? '') ?? Buffer.alloc(0))) + 20_000)
    const verify = await runOn(server, ['backup', '--verify', file])
    expect(verify).toMatchObject({ code: 1, stdout: expect.stringContaining(`${names[1]} (id:`) })
    expect(verify.stdout).toContain('1 problem')
    const site = await backups.openSite()
    expectRefusal(await runOn(site, ['restore', file]), 1, 'is damaged, nothing was restored')
    await expectNothing(site)
  })

  test('is refused when it is another tar file, or the tar of a backup folder', async () => {
    await fill()
    await backups.backUp(server, join(folder, 'place'))
    await execa('tar', ['-cf', file, '-C', join(folder, 'place'), '.'])
    const site = await backups.openSite()
    expectRefusal(await runOn(site, ['restore', file]), 2, 'unpack it and give the folder')
    await writeFile(file, 'Dear Ann')
    expectRefusal(await runOn(site, ['restore', file]), 1, 'is damaged or cut off')
    expectRefusal(await runOn(site, ['restore', join(folder, 'missing.tar')]), 2, 'There is no file')
    await expectNothing(site)
  })
})

describe('an existing backup file', { timeout: 120_000 }, () => {
  test('is replaced only with --replace, and the options of backup folders are refused', async () => {
    await backups.backUp(server, file)
    const before = await readFile(file)
    expectRefusal(await runOn(server, ['backup', file]), 5, 'is there already')
    expect((await readFile(file)).equals(before)).toBe(true)
    await backups.backUp(server, file, '--replace')
    expect((await readFile(file)).equals(before)).toBe(false)
    expectRefusal(await runOn(server, ['backup', file, '--keep', '1']), 2, '--keep is for a folder')
    expectRefusal(await runOn(server, ['backup', file, '--link']), 2, '--link is for a folder')
    expectRefusal(await runOn(server, ['backup', folder, '--replace']), 2, '--replace is for a backup into a file')
    expectRefusal(await runOn(server, ['restore', file, '--snapshot', '2026']), 2, '--snapshot is for a folder')
    await mkdir(join(folder, 'folder.tar'))
    expectRefusal(await runOn(server, ['backup', join(folder, 'folder.tar')]), 2, 'is a folder')
  })

  test.each([
    ['a row of its database is damaged', "UPDATE users SET password_hash = 'none' WHERE username = 'bob'", 'users '],
    ['the database has lost a content', 'DELETE FROM blob_bytes', 'ann: small.txt'],
  ])(
    'is kept when it is complete and the server has damage, and replaced when it is damaged itself: %s',
    async (_what, ...damage) => {
      const [statement, told] = damage
      const contents = await fill()
      await buildUser(server, { username: 'bob' })
      await backups.backUp(server, file)
      const before = await readFile(file)
      await spoilRows(server, statement)
      const refused = await runOn(server, ['backup', file, '--replace'])
      expectRefusal(refused, 5, `${file} is a whole backup and stays`)
      expect(refused.stderr).toContain(told)
      expect((await readFile(file)).equals(before)).toBe(true)
      expect(await readdir(folder)).toEqual(['filestore.tar'])
      const other = join(folder, 'other.tar')
      for (const args of [[], ['--replace']]) expect((await runOn(server, ['backup', other, ...args])).code).toBe(1)
      await flipByte(file, await findContent(contents.get(names[1] ?? '') ?? Buffer.alloc(0)))
      expect((await runOn(server, ['backup', file, '--replace'])).code).toBe(1)
    },
  )

  test('stays as it was when the disk is full, and the failed backup leaves nothing behind', async context => {
    const disk = await mountSmallDisk(context, '8m')
    try {
      const small = join(disk.folder, 'small.tar')
      await backups.backUp(server, small)
      const before = await readFile(small)
      for (let count = 0; count < 10; count++) await buildFile(ann, {}, largeContent())
      await disk.leave(256 * 1024)
      expectRefusal(await runOn(server, ['backup', small, '--replace']), 6, 'no space left')
      expect((await readdir(disk.folder)).sort()).toEqual(['ballast', 'small.tar'])
      expect((await readFile(small)).equals(before)).toBe(true)
    } finally {
      await disk.unmount()
    }
  })

  test('stays as it was when a new backup is killed, and the next backup removes the remains', async () => {
    await backups.backUp(server, file)
    const before = await readFile(file)
    for (let round = 0; round < 10; round++) {
      await Promise.all(Array.from({ length: 20 }, () => buildFile(ann, {}, largeContent())))
    }
    const draft = `${file}.unfinished`
    const running = startBinary(['backup', file, '--replace', ...dataFlags(server)])
    await until(async () => existsSync(join(draft, 'rows')))
    running.kill('SIGKILL')
    expect((await running).signal).toBe('SIGKILL')
    expect((await readFile(file)).equals(before)).toBe(true)
    await writeFile(join(draft, 'lock'), `${process.pid} ${hostname()}`)
    expectRefusal(await runOn(server, ['backup', file, '--replace']), 5, `Process ${process.pid}`)
    await rm(join(draft, 'lock'))
    await backups.backUp(server, file, '--replace')
    expect(await readdir(folder)).toEqual(['filestore.tar'])
  })

  test('is written beside the remains of other killed backups, and these are removed', async () => {
    // This number is above the kernel's largest process id, so no process has it.
    const drafts = { 'killed.tar': 2 ** 22 + 1, 'running.tar': process.pid, 'foreign.tar': undefined }
    for (const [name, pid] of Object.entries(drafts)) {
      const draft = join(folder, `${name}.unfinished`)
      await mkdir(draft)
      await writeFile(join(draft, 'backup.tar'), 'some of it')
      if (pid !== undefined) await writeFile(join(draft, 'lock'), `${pid} ${hostname()}`)
    }
    await backups.backUp(server, file)
    expect((await readdir(folder)).sort()).toEqual([
      'filestore.tar',
      'foreign.tar.unfinished',
      'running.tar.unfinished',
    ])
  })
})
