/** A database, or a restored backup, with path traversal in its names: no program writes outside its folder. */
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { dataFlags, runOn } from '../commands/administration.ts'
import * as backups from '../commands/backups.ts'
import { listArchive, saveArchive } from '../support/archives.ts'
import { serveBinary } from '../support/binary.ts'
import { signIn } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let ann: BuiltUser
beforeAll(async () => {
  server = await startServer()
  ann = await buildUser(server, { username: 'ann', password: 'password of ann' })
})
afterAll(() => server.close())

const badNames = ['../../../../escape.txt', '..', '.', '', ' ', 'a/b.txt', 'line\nbreak.txt', 'x'.repeat(300)]

test('names with path traversal in the database are archived, exported and repaired as safe names', {
  timeout: 240_000,
}, async () => {
  const top = await buildFolder(ann, 'Top')
  for (const [index, name] of badNames.entries()) {
    const { id } =
      index % 2 === 1
        ? await buildFolder(ann, `folder ${index}`, top.id)
        : await buildFile(ann, { name: `${index}.txt`, parent_id: top.id }, `content ${index}`)
    if (index % 2 === 1) await buildFile(ann, { name: 'inner.txt', parent_id: id }, 'inner')
    // MariaDB cannot store a name beyond the limit.
    const isHeld = server.databaseFlag === undefined || name.length <= 255
    if (isHeld) await spoilRows(server, `UPDATE files SET name = '${name}' WHERE id = ${id}`)
  }
  const kept = await buildFile(ann, { name: 'kept.txt', parent_id: top.id }, 'kept')
  const folder = await backups.openFolder()
  const site = await backups.openSite()
  for (const [from, command] of [
    [server, 'backup'],
    [site, 'restore'],
  ] as const) {
    const { code, stderr } = await runOn(from, [command, join(folder, 'place')])
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('its name can be none') })
  }

  const target = join(folder, 'deep', 'export')
  await mkdir(join(folder, 'deep'))
  const exported = await runOn(site, ['export', target, '--user', 'ann'])
  expect(exported.code).toBe(2)
  expect(exported.stderr).toContain('../../../../escape.txt: Name cannot contain')
  expect((await readdir(folder)).sort()).toEqual(['deep', 'place'])
  expect(await readdir(join(folder, 'deep'))).toEqual(['export'])
  expect(await readFile(join(target, 'ann/files/Top/kept.txt'), 'utf8')).toBe('kept')

  const running = await serveBinary(dataFlags(site))
  try {
    const client = await signIn(running.url, 'ann', 'password of ann')
    const archive = await listArchive(await saveArchive(await client.raw(`/api/files/${top.id}/archive`)))
    const parts = archive.flatMap(({ name }) => name.replace(/\/$/, '').split('/'))
    expect(parts.filter(part => ['', ' ', '.', '..'].includes(part) || /\p{Cc}/u.test(part))).toEqual([])
    expect(archive.every(({ name }) => !name.startsWith('/') && name.split('/').length <= 3)).toBe(true)
    expect(archive.length).toBe(badNames.length + badNames.length / 2 + 1)

    expect((await runOn(site, ['fsck'])).code).toBe(10)
    const repaired = await runOn(site, ['fsck', '--repair'])
    expect(repaired.stdout).toContain('its name can be none')
    expect(repaired.code).toBe(0)
    expect((await runOn(site, ['fsck'])).code).toBe(0)
    const { files, folders } = await client.call(listFiles, { parent_id: top.id })
    const names = [...files, ...folders].map(({ name }) => name)
    expect(names.every(name => !/[/\p{Cc}]/u.test(name) && name.trim() !== '' && !/^\.{1,2}$/.test(name))).toBe(true)
    expect(new Set(names).size).toBe(badNames.length + 1)
    expect(names).toEqual(expect.arrayContaining([kept.name, '.._.._.._.._escape.txt', '_']))
  } finally {
    await running.stop()
  }
  expect((await runOn(site, ['export', target, '--user', 'ann'])).code).toBe(0)
})
