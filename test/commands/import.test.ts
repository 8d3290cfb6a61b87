/** `filestore import` beside a server that uses the same data. */

import { randomBytes } from 'node:crypto'
import { chown, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { getFileByPath, listFiles } from '../../src/api/files.ts'
import { binary, startBinary } from '../support/binary.ts'
import { buildFile, buildFolder, buildUser, turnSettings } from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { onlyNightly } from '../support/rounds.ts'
import { skipBecause } from '../support/skip.ts'
import { dataFlags, expectRefusal, runOn } from './administration.ts'
import { bytesOf, large, openTreeSite, plant, rootOf } from './trees.ts'

const site = openTreeSite()

test("an import stores names, contents and times in the user's tree, as approved files", async () => {
  await turnSettings(site.admin, { validation_enabled: true, metadata_required_on_upload: true })
  await plant(site.at('in'), { 'Docs/Ünï/a.txt': 'a', 'large.bin': large, empty: '' })
  const time = new Date('2019-08-07T06:05:04.321Z')
  await utimes(site.at('in', 'large.bin'), time, time)
  const { code, stdout, stderr } = await site.importFrom(site.at('in'))
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: 'Imported 3 files (97.66 KB) and 2 folders',
    stderr: '',
  })
  const [docs, empty, file] = await rootOf(site.ann)
  expect([docs, empty, file]).toMatchObject([
    { name: 'Docs', is_directory: true },
    { name: 'empty', size: 0 },
    { name: 'large.bin', modified_at: time.toISOString(), validation_status: 'approved' },
  ])
  expect(large.equals(await bytesOf(site.ann, file))).toBe(true)
  const holdings = await readHoldings(site.server)
  expect(holdings).toMatchObject({ files: 5, itemCount: 5, storageUsed: 100_001 })
  expect(holdings.keys).toHaveLength(1)
})

test('a repeated import adds what is new, and leaves what exists', async () => {
  await plant(site.at('in'), { 'a.txt': 'a', 'b.txt': 'b', 'd/c.bin': large })
  await site.importFrom(site.at('in'))
  await plant(site.at('in'), { 'd/new.txt': 'new' })
  // The content is the same, only the time differs.
  await utimes(site.at('in', 'a.txt'), new Date(0), new Date(0))
  const { code, stdout } = await site.importFrom(site.at('in'), '--json')
  expect({ code, counts: JSON.parse(stdout) }).toEqual({
    code: 0,
    counts: { files: 1, folders: 0, bytes: 3, unchanged: 3 },
  })
  expect(await readHoldings(site.server)).toMatchObject({ files: 5, itemCount: 5, storageUsed: 100_005 })
})

test('an import names items that it cannot store, changes nothing that exists, and stores the rest', async () => {
  await buildFile(site.ann, { name: 'taken.txt' }, 'theirs')
  await buildFile(site.ann, { name: 'file-or-folder' }, 'theirs')
  await plant(site.at('in'), {
    'taken.txt': 'mine!!',
    'file-or-folder/x.txt': 'x',
    'fine.txt': 'fine',
    'line\nbreak': '',
    [`e${'\u0301'.repeat(31)}`]: '',
  })
  await writeFile(Buffer.concat([Buffer.from(site.at('in/')), Buffer.from([0x62, 0xff])]), 'bad')
  await plant(site.at('in'), { 'e\u0301.txt': 'one', '\u00e9.txt': 'other' })
  await symlink('/etc/passwd', site.at('in', 'link'))
  const { code, stderr } = await site.importFrom(site.at('in'))
  expect(stderr.split('\n').slice(0, -1).sort()).toEqual([
    'error: b\ufffd: Name is not UTF-8',
    expect.stringMatching(/^error: e\u0301+: A character has more than 30 accents$/),
    "error: file-or-folder: 'file-or-folder' is already taken",
    'error: line\\x0abreak: Name cannot contain control characters',
    'error: link: Neither file nor folder; links are not followed',
    "error: taken.txt: 'taken.txt' is already taken",
    "error: é.txt: 'é.txt' is already taken",
  ])
  expect(stderr).toMatch(/\nerror: 7 items failed$/)
  expect([2, 5]).toContain(code)
  const names = (await rootOf(site.ann)).map(({ name }) => name)
  expect(names.sort()).toEqual(['file-or-folder', 'fine.txt', 'taken.txt', 'é.txt'])
})

test('an import names tags beyond the limits of a user or a file, and stores the rest', async () => {
  const { db } = site.server.deps
  const tags = Array.from({ length: 1001 }, (_, at) => ({ name: `t${at}`, color: '#123456' }))
  const names = tags.map(({ name }) => name)
  const rows = tags.slice(0, 900).map(tag => ({ owner_id: site.ann.id, ...tag }))
  await db.touch(() => db.insertAll(db.tags, rows))
  const head = { filestore_export: 1, username: 'ann', exported_at: new Date(0).toISOString(), tags }
  const items = [`"a.txt": ${JSON.stringify({ tags: names.slice(0, 101) })},`, '"b.txt": {"tags": ["t1000", "t7"]}']
  await plant(site.at('in'), {
    'files/a.txt': 'a',
    'files/b.txt': 'b',
    'details.json': `${JSON.stringify(head).replace(/\}$/, '')},\n "items": {\n${items.join('\n')}\n }\n}\n`,
  })
  const { code, stdout, stderr } = await site.importFrom(site.at('in'))
  expect(stderr.split('\n')).toEqual([
    "error: tag 't1000': You have 1000 tags, and more there cannot be: delete one first",
    'error: a.txt: A file can have at most 100 tags: it comes without 1 of them',
    'error: 2 items failed',
  ])
  expect({ code, stdout }).toEqual({ code: 2, stdout: 'Imported 2 files (2 Bytes) and 0 folders' })
  const [a, b] = await rootOf(site.ann)
  expect([a?.tags?.length, b?.tags?.map(({ name }) => name)]).toEqual([100, ['t7']])
})

test('an import names tags and comments that no call accepts, and stores the files without them', async () => {
  const tags = [
    { name: 'fine', color: '#123456' },
    { name: 'x'.repeat(51), color: '#123456' },
    { name: 'red', color: 'red' },
  ]
  const head = { filestore_export: 1, username: 'ann', exported_at: new Date(0).toISOString(), tags }
  const details = { tags: tags.map(({ name }) => name), validation_status: 'rejected', validation_comment: 'no\u0000' }
  await plant(site.at('in'), {
    'files/a.txt': 'a',
    'details.json': `${JSON.stringify(head).replace(/\}$/, '')},\n "items": {\n"a.txt": ${JSON.stringify(details)}\n }\n}\n`,
  })
  const { code, stderr } = await site.importFrom(site.at('in'))
  expect(code).toBe(2)
  expect(stderr.split('\n')).toEqual([
    `error: tag '${'x'.repeat(51)}': Tag name is longer than 50 characters`,
    "error: tag 'red': Expected a colour such as #3B82F6",
    'error: a.txt: Comment cannot contain control characters',
    'error: 3 items failed',
  ])
  const [file] = await rootOf(site.ann)
  expect(file).toMatchObject({ validation_status: 'rejected', tags: [{ name: 'fine' }] })
  expect((await runOn(site.server, ['fsck'])).code).toBe(0)
})

test('an import stops at the quota with correct counters, and continues after more quota', async () => {
  await buildUser(site.server, { username: 'bob', storageQuota: 250_000 })
  const files = Array.from({ length: 100 }, (_, n) => [`${n}.bin`, randomBytes(5_000)] as const)
  await plant(site.at('in'), Object.fromEntries(files))
  const args = ['import', site.at('in'), '--user', 'bob']
  expectRefusal(await runOn(site.server, args), 6, 'Storage quota exceeded')
  const cut = await readHoldings(site.server)
  expect(cut.storageUsed).toBe(cut.files * 5_000)
  expect(cut.storageUsed).toBeLessThanOrEqual(250_000)
  await runOn(site.server, ['admin', 'user', 'set-quota', 'bob', '1GB'])
  expect((await runOn(site.server, args)).code).toBe(0)
  expect(await readHoldings(site.server)).toMatchObject({
    files: 100,
    blobs: 100,
    storageUsed: 500_000,
    itemCount: 100,
  })
})

test('a repeated import reports a file whose content alone has changed, and leaves the item', async () => {
  const time = new Date('2021-03-04T05:06:07Z')
  await plant(site.at('in'), { 'a.txt': 'AAAA' })
  await utimes(site.at('in', 'a.txt'), time, time)
  await site.importFrom(site.at('in'))
  await plant(site.at('in'), { 'a.txt': 'BBBB' })
  await utimes(site.at('in', 'a.txt'), time, time)
  const { code, stderr } = await site.importFrom(site.at('in'))
  expect(code).not.toBe(0)
  expect(stderr).toContain('a.txt')
  expect((await readHoldings(site.server)).blobs).toBe(1)
})

test('a killed import continues when it is run again', async context => {
  onlyNightly(context)
  const files = Array.from({ length: 600 }, (_, n) => [`${n % 7}/${n}.bin`, randomBytes(40_000)] as const)
  await plant(site.at('in'), Object.fromEntries(files))
  const running = startBinary(['import', site.at('in'), '--user', 'ann', ...dataFlags(site.server)])
  await expect
    .poll(async () => (await readHoldings(site.server)).blobs, { interval: 5, timeout: 30_000 })
    .toBeGreaterThan(50)
  running.kill('SIGKILL')
  await running
  const cut = await readHoldings(site.server)
  expect(cut.blobs).toBeLessThan(600)
  const { stdout } = await site.importFrom(site.at('in'), '--json')
  const { files: added, unchanged } = JSON.parse(stdout)
  expect(added + unchanged).toBe(600)
  expect(unchanged).toBe(cut.blobs)
  expect(await readHoldings(site.server)).toMatchObject({
    files: 607,
    blobs: 600,
    itemCount: 607,
    storageUsed: 24_000_000,
  })
})

test('an import stores everything in the folder of --to', async () => {
  const target = await buildFolder(site.ann, 'Photos')
  await plant(site.at('in'), { 'a.jpg': 'a' })
  expectRefusal(await site.importFrom(site.at('in'), '--to', '/None'), 4, 'File not found')
  expect((await site.importFrom(site.at('in'), '--to', '/Photos')).code).toBe(0)
  const { files } = await site.ann.call(listFiles, { parent_id: target.id })
  expect(files.map(({ name }) => name)).toEqual(['a.jpg'])
})

test('an import with --dry-run says what it would do, and changes nothing', async () => {
  await plant(site.at('in'), { 'there.txt': 'x', 'new.txt': 'new', 'd/e/f.txt': 'f' })
  await buildFile(site.ann, { name: 'there.txt' }, 'x')
  const before = await readHoldings(site.server)
  const { code, stdout } = await site.importFrom(site.at('in'), '--dry-run')
  const counts = 'Would import 2 files (4 Bytes) and 2 folders; 1 file was there already'
  expect({ code, stdout }).toEqual({ code: 0, stdout: counts })
  expect(await readHoldings(site.server)).toEqual(before)
})

test('an import of an unknown folder, or for an unknown user, is refused', async () => {
  await plant(site.at('in'), { 'a.txt': 'a' })
  expectRefusal(await site.importFrom(site.at('none')), 2, `There is no folder '${site.at('none')}'`)
  expectRefusal(await site.importFrom(site.at('in', 'a.txt')), 2, 'There is no folder')
  expectRefusal(await runOn(site.server, ['import', site.at('in'), '--user', 'nobody']), 4, "There is no user 'nobody'")
  await plant(site.at('cut'), { 'details.json': '{ "filestore_export": 1,', 'files/a.txt': 'a' })
  expectRefusal(await site.importFrom(site.at('cut')), 2, 'is no details file')
  expect(await rootOf(site.ann)).toEqual([])
})

test('a details.json that does not come from an export is imported as a file', async () => {
  await plant(site.at('mark'), { 'details.json': '{ "filestore_export": 1, "items": {} }', 'a.txt': 'a' })
  await plant(site.at('folder'), { 'details.json': '{ "name": "mine" }', 'files/b.txt': 'b' })
  await plant(site.at('half'), { 'details.json': '{ "filestore_exp', 'files/c.txt': 'c' })
  await plant(site.at('link'), { 'files/d.txt': 'd', mine: 'mine' })
  await symlink(site.at('mark', 'details.json'), site.at('link', 'details.json'))
  for (const name of ['mark', 'folder', 'half']) {
    await buildFolder(site.ann, name)
    expect(await site.importFrom(site.at(name), '--to', `/${name}`)).toMatchObject({ code: 0, stderr: '' })
  }
  const { stderr } = await site.importFrom(site.at('link'))
  expect(stderr).toContain('details.json: Neither file nor folder')
  const names = async (path: string) => {
    const { file } = await site.ann.call(getFileByPath, { path })
    const { files, folders } = await site.ann.call(listFiles, { parent_id: file.id })
    return [...folders, ...files].map(({ name }) => name)
  }
  expect(await names('/mark')).toEqual(['a.txt', 'details.json'])
  expect(await names('/folder')).toEqual(['files', 'details.json'])
  expect(await names('/half')).toEqual(['files', 'details.json'])
  expect(await names('/files')).toEqual(['d.txt'])
})

test('an import reads a huge details.json only as far as needed to see that it is no export', async () => {
  await plant(site.at('in'), { 'details.json': '', 'files/a.txt': 'a' })
  await truncate(site.at('in', 'details.json'), 5 * 1024 ** 3)
  const { code, stdout } = await site.importFrom(site.at('in'), '--dry-run')
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Would import 2 files (5.00 GB) and 1 folder' })
})

test('an import leaves out partial files of a killed export or download, but no file with a similar name', async () => {
  const half = '.filestore-0f8fad5b-d9cb-469f-a165-70867728950e.part'
  const alike = ['.filestore-notes.part', half.slice(1), `${half}.txt`, half.toUpperCase()]
  await plant(site.at('in'), Object.fromEntries([half, ...alike].map(name => [name, name])))
  await plant(site.at('in'), { [`Docs/${half}`]: 'half', 'Docs/a.txt': 'a' })
  const { code, stdout } = await site.importFrom(site.at('in'))
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Imported 5 files /) })
  expect((await rootOf(site.ann)).map(({ name }) => name).sort()).toEqual(['Docs', ...alike].sort())
})

test('an import that fails removes the content that it was writing', async () => {
  const limit = 4 * 1024 ** 2
  const files = ['a', 'b', 'c'].map(name => [name, randomBytes(limit)] as const)
  await plant(site.at('in'), { ...Object.fromEntries(files), 'large.bin': randomBytes(limit + 1) })
  // No file may grow beyond this limit, as on a file system with a small largest file size.
  const command = [process.execPath, binary, 'import', site.at('in'), '--user', 'ann', ...dataFlags(site.server)]
  const { exitCode } = await execa('sh', ['-c', `ulimit -f ${limit / 512}; exec "$@"`, 'sh', ...command], {
    reject: false,
  })
  expect(exitCode).toBe(1)
  expect(await readHoldings(site.server)).toMatchObject({ files: 0, blobs: 0, keys: [] })
})

test("an import by root into another user's storage is refused, because the server could not read the files", async context => {
  if (process.getuid?.() !== 0) skipBecause('only root can give a folder to another user', context)
  await plant(site.at('in'), { 'a.bin': large })
  await chown(join(site.server.dataDir, 'storage'), 1, 1)
  expectRefusal(await site.importFrom(site.at('in')), 3, 'run this as the user that the server runs as')
})
