import { mkdir, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listAudit } from '../../src/api/events.ts'
import { favoriteFile, getFileByPath, setFileMetadata } from '../../src/api/files.ts'
import { createField } from '../../src/api/metadata.ts'
import { tagFiles } from '../../src/api/tags.ts'
import { trashFile } from '../../src/api/trash.ts'
import { decideFile } from '../../src/api/validation.ts'
import type { TestClient } from '../support/client.ts'
import {
  buildFile,
  buildFolder,
  buildShare,
  buildTag,
  buildTeam,
  buildUser,
  turnSettings,
} from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { flipByte, flipMiddle, overwrite, spoilRows } from '../support/spoil.ts'
import { expectRefusal, runOn } from './administration.ts'
import { large, openTreeSite, plant, rootOf } from './trees.ts'

const site = openTreeSite()

test('an export has every live file with its name, content and time, and no trash', async () => {
  const deep = await buildFolder(site.ann, 'Ärger & "Co"', (await buildFolder(site.ann, 'Docs')).id)
  await buildFolder(site.ann, 'empty')
  const modified_at = '2021-03-04T05:06:07.089Z'
  await buildFile(site.ann, { name: '\\ odd…📁.txt ', parent_id: deep.id, modified_at }, 'small')
  await buildFile(site.ann, { name: 'large.bin' }, large)
  const gone = await buildFile(site.ann, { name: 'gone.txt' })
  await site.ann.call(trashFile, { id: gone.id })
  const { code, stdout } = await site.exportTo(site.at('out'), '--user', 'ann')
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `ann: 2 files and 3 folders in ${site.at('out', 'ann')} (97.66 KB)`,
  })
  const tree = site.at('out', 'ann', 'files')
  expect((await readdir(tree, { recursive: true })).sort()).toEqual([
    'Docs',
    'Docs/Ärger & "Co"',
    'Docs/Ärger & "Co"/\\ odd…📁.txt ',
    'empty',
    'large.bin',
  ])
  const odd = join(tree, 'Docs', 'Ärger & "Co"', '\\ odd…📁.txt ')
  expect(await readFile(odd, 'utf8')).toBe('small')
  expect((await stat(odd)).mtime.toISOString()).toBe(modified_at)
  expect(large.equals(await readFile(join(tree, 'large.bin')))).toBe(true)
})

test('an export of all users has a folder for each, also for a username that is no valid folder name', async () => {
  const slash = await buildUser(site.server, { username: 'a/b' })
  await buildFile(slash, { name: 'x.txt' }, 'of a/b')
  const { code, stdout } = await site.exportTo(site.at('out'), '--json')
  expect(code).toBe(0)
  const results = JSON.parse(stdout)
  expect(results.map(({ username }: { username: string }) => username)).toEqual(['a/b', 'admin', 'ann'])
  expect((await readdir(site.at('out'))).sort()).toEqual(['admin', 'ann', `id:${slash.id}`])
  expect(await readFile(site.at('out', `id:${slash.id}`, 'files', 'x.txt'), 'utf8')).toBe('of a/b')
})

test('an export of all users has each team folder once, and nothing of what others share', async () => {
  const bob = await buildUser(site.server, { username: 'bob' })
  const [team, twin] = [await buildTeam(site.admin, site.ann, 'Choir'), await buildTeam(site.admin, site.ann, 'Choir')]
  const scores = await buildFolder(site.ann, 'Scores', team.folder_id)
  await buildFile(site.ann, { name: 'of all.txt', parent_id: scores.id }, 'la')
  await buildShare(site.ann, { id: team.folder_id }, bob, 'edit')
  const own = await buildFolder(site.ann, 'Own')
  await buildShare(site.ann, own, bob, 'edit')
  await buildFile(bob, { name: "Bob's.txt", parent_id: own.id }, 'in the own files of Ann')
  const { code, stdout } = await site.exportTo(site.at('out'))
  expect(code).toBe(0)
  expect(stdout).toContain(
    `team folder Choir: 1 file and 1 folder in ${site.at('out', `team:id:${team.id}`)} (2 Bytes)`,
  )
  expect((await readdir(site.at('out'))).sort()).toEqual(
    ['admin', 'ann', 'bob', `team:id:${team.id}`, `team:id:${twin.id}`].sort(),
  )
  expect(await readdir(site.at('out', 'ann', 'files'), { recursive: true })).toEqual(['Own', "Own/Bob's.txt"])
  expect(await readdir(site.at('out', 'bob', 'files'))).toEqual([])
  const imported = await runOn(site.server, ['import', site.at('out', `team:id:${team.id}`), '--user', 'bob'])
  expect(imported).toMatchObject({ code: 0, stdout: 'Imported 1 file (2 Bytes) and 1 folder' })
  const { events } = await site.admin.call(listAudit, { action: 'space.export' })
  expect(events.map(({ detail }) => detail)).toMatchObject([{ name: 'Choir' }, { name: 'Choir' }])
  await site.exportTo(site.at('one'), '--user', 'bob')
  expect(await readdir(site.at('one'))).toEqual(['bob'])
})

test('an export counts all bytes although it writes several files at once', async () => {
  for (let n = 1; n <= 12; n++) await buildFile(site.ann, { name: `${n}.bin` }, Buffer.alloc(40_000 + n))
  const { stdout } = await site.exportTo(site.at('out'), '--user', 'ann', '--json')
  expect(JSON.parse(stdout)).toMatchObject([{ files: 12, bytes: 12 * 40_000 + 78 }])
})

test('a repeated export writes only what has changed', async () => {
  const changing = await buildFile(site.ann, { name: 'changing.txt' }, 'before')
  await buildFile(site.ann, { name: 'same.bin' }, large)
  await site.exportTo(site.at('out'), '--user', 'ann')
  const before = await stat(site.at('out', 'ann', 'files', 'same.bin'))
  await buildFile(site.ann, { name: changing.name, on_conflict: 'replace' }, 'and after')
  const { stdout } = await site.exportTo(site.at('out'), '--user', 'ann', '--json')
  expect(JSON.parse(stdout)).toMatchObject([{ files: 2, bytes: 9, unchanged: 1 }])
  expect(await readFile(site.at('out', 'ann', 'files', 'changing.txt'), 'utf8')).toBe('and after')
  expect((await stat(site.at('out', 'ann', 'files', 'same.bin'))).ino).toBe(before.ino)
})

test('a repeated export writes bytes that differ in content alone, on the server or on the disk', async () => {
  const modified_at = '2021-03-04T05:06:07.089Z'
  const [short, long] = [site.at('out', 'ann', 'files', 'short.txt'), site.at('out', 'ann', 'files', 'long.bin')]
  await buildFile(site.ann, { name: 'short.txt', modified_at }, 'AAAA')
  await buildFile(site.ann, { name: 'long.bin', modified_at }, large)
  await site.exportTo(site.at('out'), '--user', 'ann')
  await buildFile(site.ann, { name: 'short.txt', modified_at, on_conflict: 'replace' }, 'BBBB')
  await flipByte(long, 50_000)
  await utimes(long, new Date(modified_at), new Date(modified_at))
  const { code, stdout } = await site.exportTo(site.at('out'), '--user', 'ann', '--json')
  expect({ code, results: JSON.parse(stdout) }).toMatchObject({ code: 0, results: [{ files: 2, unchanged: 0 }] })
  expect(await readFile(short, 'utf8')).toBe('BBBB')
  expect(large.equals(await readFile(long))).toBe(true)
  const again = await site.exportTo(site.at('out'), '--user', 'ann', '--json')
  expect(JSON.parse(again.stdout)).toMatchObject([{ files: 2, bytes: 0, unchanged: 2 }])
})

test('an export refuses a folder with other contents, and names an unknown user', async () => {
  await plant(site.at('own'), { 'mine.txt': 'mine' })
  expectRefusal(await site.exportTo(site.at('own')), 2, "holds 'mine.txt', which is of no export")
  expect(await readdir(site.at('own'))).toEqual(['mine.txt'])
  expectRefusal(await site.exportTo(site.at('out'), '--user', 'nobody'), 4, "There is no user 'nobody'")
})

test.each([
  ['the folder of a user', []],
  ["a user's folder of files", ['files']],
])('an export writes nothing through a link in place of %s, names it, and writes the others', async (_what, below) => {
  await buildFile(await buildUser(site.server, { username: 'bob' }), { name: 'b.txt' }, 'b')
  await site.exportTo(site.at('out'))
  await rename(site.at('out', 'ann', ...below), site.at('outside'))
  await symlink(site.at('outside'), site.at('out', 'ann', ...below))
  await buildFile(site.ann, { name: 'late.txt' }, 'late')
  await buildFile(site.ann, { name: 'large.bin' }, large)
  const before = await readdir(site.at('outside'), { recursive: true })
  const told = `error: ann: ${site.at('out', 'ann', ...below)} is a link: nothing is written through it`
  const { code, stdout, stderr } = await site.exportTo(site.at('out'), '--json')
  expect({ code, stderr }).toEqual({ code: 5, stderr: `${told}\nerror: 1 item failed` })
  expect(JSON.parse(stdout).map(({ username }: { username: string }) => username)).toEqual(['admin', 'bob'])
  expectRefusal(await site.exportTo(site.at('out'), '--user', 'ann'), 5, 'nothing is written through it')
  expect(await readdir(site.at('outside'), { recursive: true })).toEqual(before)
})

test('an export writes nothing through a link that takes the place of its folder while it runs', async () => {
  const folder = await buildFolder(site.ann, 'F')
  for (let n = 0; n < 12; n++) await buildFile(site.ann, { name: `${n}.txt`, parent_id: folder.id }, `${n}`)
  await mkdir(site.at('outside'))
  const place = site.at('out', 'ann', 'files', 'F')
  const exporting = site.exportTo(site.at('out'))
  await expect.poll(() => readdir(place).catch(() => []), { interval: 1 }).not.toEqual([])
  await rename(place, site.at('moved'))
  await symlink(site.at('outside'), place)
  const { code, stderr } = await exporting
  expect(await readdir(site.at('outside'))).toEqual([])
  // It may have been done by then.
  if (code !== 0) expect(stderr).toContain('links are not followed')
})

test.each([
  ['a link that leads nowhere', 'is a link: nothing is written through it'],
  ['a file', 'is no folder'],
])('an export names %s in place of the folder of files, and writes the others', async (what, told) => {
  await buildFile(await buildUser(site.server, { username: 'bob' }), { name: 'b.txt' }, 'b')
  await site.exportTo(site.at('out'))
  const place = site.at('out', 'ann', 'files')
  await rm(place, { recursive: true })
  await (what === 'a file' ? writeFile(place, 'mine') : symlink(site.at('nowhere'), place))
  const { code, stdout, stderr } = await site.exportTo(site.at('out'), '--json')
  expect({ code, stderr }).toEqual({ code: 5, stderr: `error: ann: ${place} ${told}\nerror: 1 item failed` })
  expect(JSON.parse(stdout).map(({ username }: { username: string }) => username)).toEqual(['admin', 'bob'])
})

test('an export goes into the folder to which a link leads that is given to it', async () => {
  await buildFile(site.ann, { name: 'a.txt' }, 'a')
  await mkdir(site.at('disk'))
  await symlink(site.at('disk'), site.at('out'))
  expect(await site.exportTo(site.at('out'), '--user', 'ann')).toMatchObject({ code: 0 })
  expect(await readFile(site.at('disk', 'ann', 'files', 'a.txt'), 'utf8')).toBe('a')
})

test('an export names a file whose content is lost, and writes the others', async () => {
  await buildFile(site.ann, { name: 'a.bin' }, large)
  await buildFile(site.ann, { name: 'b.txt' }, 'b')
  const { keys } = await readHoldings(site.server)
  for (const key of keys) await site.server.deps.store.remove(key)
  const { code, stderr } = await site.exportTo(site.at('out'), '--user', 'ann')
  expect(code).toBe(1)
  expect(stderr).toBe('error: a.bin: The content of this file is missing on the server\nerror: 1 item failed')
  expect(await readdir(site.at('out', 'ann', 'files'))).toEqual(['b.txt'])
})

test('an export names a file whose stored bytes have changed, and writes the others', async () => {
  await buildFile(site.ann, { name: 'a.bin' }, large)
  await buildFile(site.ann, { name: 'b.txt' }, 'b')
  const [key = ''] = (await readHoldings(site.server)).keys
  await overwrite(site.server, key, flipMiddle)
  const { code, stderr } = await site.exportTo(site.at('out'), '--user', 'ann')
  expect(code).toBe(1)
  expect(stderr).toBe('error: a.bin: The content of this file cannot be read on the server\nerror: 1 item failed')
  expect(await readdir(site.at('out', 'ann', 'files'))).toEqual(['b.txt'])
})

test('an export names a file that has no content, or one that there is not, and writes the others', async () => {
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await buildFile(site.ann, { name }, name)
  await spoilRows(
    site.server,
    "UPDATE files SET blob_id = NULL WHERE name = 'a.txt'",
    "UPDATE files SET blob_id = 99 WHERE name = 'b.txt'",
  )
  const { code, stderr } = await site.exportTo(site.at('out'), '--user', 'ann')
  const problem = 'The content of this file is missing on the server'
  expect(code).toBe(1)
  // Files are exported side by side, so either may fail first.
  const lines = stderr.split('\n')
  expect(lines.slice(0, -1).sort()).toEqual([`error: a.txt: ${problem}`, `error: b.txt: ${problem}`])
  expect(lines.at(-1)).toBe('error: 2 items failed')
  expect(await readdir(site.at('out', 'ann', 'files'))).toEqual(['c.txt'])
})

test('an export names users and storages that are damaged or missing, and writes the others', async () => {
  const users = [await buildUser(site.server, { username: 'bob' }), await buildUser(site.server, { username: 'cleo' })]
  for (const user of [site.ann, ...users]) await buildFile(user, { name: 'x.txt' }, user.username)
  const storage = "(SELECT space_id FROM files WHERE owner_id = (SELECT id FROM users WHERE username = 'cleo'))"
  const [row] = await site.server.deps.db.rows<{ id: number }>(`SELECT id FROM spaces WHERE id IN ${storage}`)
  const [ofBob] = await site.server.deps.db.rows<{ id: number }>(
    `SELECT id FROM spaces WHERE owner_id = ${users[0]?.id}`,
  )
  await spoilRows(site.server, "DELETE FROM users WHERE username = 'bob'", `DELETE FROM spaces WHERE id = ${row?.id}`)
  const { code, stderr } = await site.exportTo(site.at('out'))
  expect(code).toBe(1)
  expect(stderr.split('\n')).toEqual([
    "error: cleo: the user has no role, or no storage: 'filestore fsck' tells more",
    `error: storage ${ofBob?.id}: the owner of this storage is missing: 'filestore fsck' tells more`,
    `error: storage ${row?.id}: there are files in it, and the storage is missing: 'filestore fsck' tells more`,
    'error: 3 items failed',
  ])
  expect((await readdir(site.at('out'))).sort()).toEqual(['admin', 'ann'])
})

test('an export by one user can be imported by another, with tags, metadata, favorites and decisions', async () => {
  const { id: field_id } = await site.admin.call(createField, { name: 'project', label: 'Project', field_type: 'text' })
  await turnSettings(site.admin, { validation_enabled: true, metadata_enabled: true })
  const docs = await buildFolder(site.ann, 'Docs')
  const [one, two, three] = [
    await buildFile(site.ann, { name: 'one.txt', parent_id: docs.id }, '1'),
    await buildFile(site.ann, { name: 'two.txt', parent_id: docs.id }, '22'),
    await buildFile(site.ann, { name: 'three.txt' }, '333'),
  ]
  const work = await buildTag(site.ann, 'Work ❤', '#10B981')
  await buildTag(site.ann, 'unused')
  await site.ann.call(tagFiles, { tag_id: work.id, file_ids: [one.id, three.id] })
  await site.ann.call(setFileMetadata, { id: two.id, metadata: [{ field_id, value: 'Änder "x"' }] })
  for (const { id } of [docs, three]) await site.ann.call(favoriteFile, { id, is_favorite: true })
  await site.admin.call(decideFile, { file_id: one.id, status: 'approved' })
  await site.admin.call(decideFile, { file_id: three.id, status: 'rejected', comment: 'No' })
  expect((await site.exportTo(site.at('out'), '--user', 'ann')).code).toBe(0)

  const bob = await buildUser(site.server, { username: 'bob' })
  expect((await runOn(site.server, ['import', site.at('out', 'ann'), '--user', 'bob'])).stderr).toBe('')
  const marksOf = async (client: TestClient) => {
    const marks: unknown[] = []
    for (const path of ['/Docs', '/Docs/one.txt', '/Docs/two.txt', '/three.txt']) {
      const { tags, metadata, ...file } = (await client.call(getFileByPath, { path })).file
      const { is_favorite, validation_status, validation_comment } = file
      const names = tags.map(({ name, color }) => ({ name, color }))
      marks.push({ path, names, metadata, is_favorite, validation_status, validation_comment })
    }
    return marks
  }
  const marks = await marksOf(site.ann)
  expect(marks).toMatchObject([
    { is_favorite: true },
    { names: [{ name: 'Work ❤' }], validation_status: 'approved' },
    { metadata: [{ value: 'Änder "x"' }], validation_status: 'pending' },
    { is_favorite: true, validation_status: 'rejected', validation_comment: 'No' },
  ])
  expect(await marksOf(bob)).toEqual(marks)
})

test('the details that an export records of an item are restored whatever its name is', async () => {
  const names = ['"items": {', '}', '__proto__', 'constructor', 'two\u2028lines', 'back\\slash", "']
  for (const name of names) {
    const { id } = await buildFile(site.ann, { name }, name)
    if (name !== 'constructor') await site.ann.call(favoriteFile, { id, is_favorite: true })
  }
  await site.exportTo(site.at('out'), '--user', 'ann')
  const bob = await buildUser(site.server, { username: 'bob' })
  expect((await runOn(site.server, ['import', site.at('out', 'ann'), '--user', 'bob'])).stderr).toBe('')
  const found = (await rootOf(bob)).map(({ name, is_favorite }) => `${name}: ${is_favorite}`)
  expect(found.sort()).toEqual(names.map(name => `${name}: ${name !== 'constructor'}`).sort())
})
