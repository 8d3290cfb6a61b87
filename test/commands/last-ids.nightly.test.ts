/** Ids are never given twice, even when SQLite's record of the last id is damaged. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listFileEvents } from '../../src/api/files.ts'
import { deleteFile, trashFile } from '../../src/api/trash.ts'
import { formatManifest, parseManifest } from '../../src/commands/backup/manifest.ts'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { runOn } from './administration.ts'
import { backUp, openFolder, openSite } from './backups.ts'
import { runFsck } from './fsck-run.ts'

let server: TestServer
let ann: BuiltUser
/** The highest id of a file. That file is deleted. */
let gone: number

beforeEach(async () => {
  server = await startServer()
  ann = await buildUser(server)
  await buildFile(ann)
  gone = (await buildFile(ann, { name: 'merger.txt' })).id
  await ann.call(trashFile, { id: gone })
  await ann.call(deleteFile, { id: gone })
})
afterEach(() => server.close())

const set = (value: string) => `UPDATE sqlite_sequence SET seq = ${value} WHERE name = 'files'`
const damages: [string, string][] = [
  ['is too low', set('0')],
  ['is text', set("'many'")],
  ['is bytes', set("x'00'")],
  ['is beyond all numbers', set('9000000000000000000')],
  ['is missing', "DELETE FROM sqlite_sequence WHERE name = 'files'"],
]

test('a backup with a last id that is too low is reported, and the restored database repeats no id', async () => {
  const [folder, site] = [await openFolder(), await openSite()]
  const { snapshot } = await backUp(server, folder)
  const path = join(folder, 'snapshots', `${snapshot}.json`)
  const manifest = parseManifest(snapshot, await readFile(path, 'utf8'))
  const tables = manifest.tables.map(table => (table.name === 'files' ? { ...table, last_id: 1 } : table))
  await writeFile(path, formatManifest({ ...manifest, tables }))
  const told = `table files: ids up to ${gone} were given`
  const verified = await runOn(server, ['backup', '--verify', folder])
  expect(verified).toMatchObject({ code: 1, stdout: expect.stringContaining(told) })
  const restored = await runOn(site, ['restore', folder])
  expect(restored).toMatchObject({ code: 1, stderr: expect.stringContaining(told) })
  expect((await runFsck(site)).findings).toEqual([])
})

test.each(['9223372036854775807', '-5'])('an event with the id %s is named and gets another one', async id => {
  await spoilRows(server, `UPDATE events SET id = ${id} WHERE id = 1`)
  // MariaDB's counter was raised, too.
  const found = { problem: 'id', name: 'table events', verdict: 'repairable' }
  expect((await runFsck(server)).findings).toContainEqual(expect.objectContaining(found))
  const { findings } = await runFsck(server, '--repair')
  expect(findings).toContainEqual(expect.objectContaining({ ...found, repaired: true }))
  expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
  expect((await buildFile(ann, { name: 'later.txt' })).id).toBeGreaterThan(gone)
})

test('a file with an impossible id is named as lost', async () => {
  await spoilRows(server, `UPDATE files SET id = 9223372036854775807 WHERE id = ${gone - 1}`)
  expect((await runFsck(server)).findings).toContainEqual(
    expect.objectContaining({
      problem: 'id',
      verdict: 'lost',
      detail: expect.stringContaining('9223372036854775807, which filestore never gives'),
    }),
  )
})

describe("when SQLite's record of the last id", () => {
  test.for(damages)(
    '%s, fsck names and repairs it, and a new file does not inherit events',
    async ([, statement], context) => {
      onlyOn('sqlite', context)
      await spoilRows(server, statement)
      const found = [{ problem: 'last-id', name: 'table files', verdict: 'repairable' }]
      expect((await runFsck(server)).findings).toMatchObject(found)
      expect((await runFsck(server, '--repair')).findings).toMatchObject([{ ...found[0], repaired: true }])
      expect((await runFsck(server)).findings).toEqual([])
      const other = await buildUser(server)
      const { id } = await buildFile(other)
      expect(id).toBeGreaterThan(gone)
      expect((await other.call(listFileEvents, { id })).events).toHaveLength(1)
    },
  )

  test.for(damages)(
    '%s, a backup reports it, and the restored database repeats no id',
    async ([, statement], context) => {
      onlyOn('sqlite', context)
      await spoilRows(server, statement)
      const folder = await openFolder()
      const site = await openSite()
      for (const args of [
        ['backup', folder],
        ['backup', '--verify', folder],
      ]) {
        const { code, stdout, stderr } = await runOn(server, args)
        expect({ code, told: stdout + stderr }).toEqual({
          code: 1,
          told: expect.stringContaining('table files: ids up to'),
        })
      }
      const restored = await runOn(site, ['restore', folder])
      expect(restored).toMatchObject({ code: 1, stderr: expect.stringContaining('table files: ids up to') })
      expect((await runFsck(site)).findings).toEqual([])
    },
  )
})
