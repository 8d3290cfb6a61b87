import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { migrations } from '../../migrations/index.ts'
import { getProfile } from '../../src/api/auth.ts'
import { getFile, listFiles } from '../../src/api/files.ts'
import { searchFiles } from '../../src/api/search.ts'
import { tagFiles } from '../../src/api/tags.ts'
import { deleteFile, listTrash, trashFile } from '../../src/api/trash.ts'
import { serveBinary } from '../support/binary.ts'
import { openClient, signIn } from '../support/client.ts'
import {
  type BuiltUser,
  buildField,
  buildFile,
  buildFolder,
  buildKey,
  buildTag,
  buildUser,
} from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
import { largeContent } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { dataFlags, expectRefusal, runOn, spawnOn } from './administration.ts'
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

/** Names that a careless copy would change. */
const oddNames = [
  '😀 𝒻𝒾𝓁𝑒 𠜎.txt',
  `a'b"c\\d\`e$1.txt`,
  'e\u0301\u202Etxt.pdf'.normalize(),
  ' %_\u00a0 ',
  '北京.md',
  'null',
]

async function deleteForGood(id: number): Promise<void> {
  await ann.call(trashFile, { id })
  await ann.call(deleteFile, { id })
}

describe('a restored server', () => {
  test('has all files, trash, tags, metadata, users and keys as before, no sessions, and no id is given twice', async () => {
    const admin = await signIn(server.url, server.adminName, server.adminPassword)
    const field = await buildField(admin)
    const place = await buildFolder(ann, oddNames[0])
    const contents = new Map<number, Buffer>()
    for (const [index, name] of oddNames.entries()) {
      const bytes = index % 2 === 0 ? largeContent() : Buffer.from([0, 255, 10, 13, 0xd8, index])
      const metadata = index === 0 ? [{ field_id: field.id, value: '𠜎 value' }] : undefined
      contents.set((await buildFile(ann, { name, parent_id: place.id, metadata }, bytes)).id, bytes)
    }
    const [first = 0, second = 0] = contents.keys()
    await ann.call(tagFiles, { file_ids: [first], tag_id: (await buildTag(ann, '𝒯𝒶𝑔')).id })
    await ann.call(trashFile, { id: second })
    const key = await buildKey(server, ann, ['files:read'])
    const gone = await buildFile(ann)
    await deleteForGood(gone.id)
    const before = await ann.call(listFiles, { parent_id: place.id })
    const details = await ann.call(getFile, { id: first })
    await backups.backUp(server, folder)

    const site = await backups.openSite()
    expect(await backups.restore(folder, site)).toMatchObject({ users: 2, items: 7, lost_count: 0, migrated: [] })
    const restored = await serveBinary(dataFlags(site))
    const again = await signIn(restored.url, 'ann', ann.password)
    expect(await again.call(listFiles, { parent_id: place.id })).toEqual(before)
    expect(await again.call(getFile, { id: first })).toEqual(details)
    expect((await again.call(listTrash, {})).files.map(({ id }) => id)).toEqual([second])
    expect((await again.call(searchFiles, { q: 'null' })).files).toHaveLength(1)
    for (const [id, bytes] of contents) {
      if (id === second) continue
      const answer = await again.raw(`/api/files/${id}/download`)
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
    }
    expect((await openClient(restored.url, key.headers).raw('/api/files')).status).toBe(200)
    expect((await openClient(restored.url, ann.headers).raw(`/api${getProfile.path}`)).status).toBe(401)
    expect((await buildFile(again)).id).toBeGreaterThan(gone.id)
    await restored.stop()
    expect(await runOn(site, ['fsck', '--hash'])).toMatchObject({ code: 0 })
    await backups.readWhole(site)
  })

  test('is identical in rows and contents after a move to the other database and back', async context => {
    onlyOn('mariadb', context)
    for (const name of oddNames) await buildFile(ann, { name }, largeContent())
    await buildFile(ann, {}, Buffer.from(Array.from({ length: 256 }, (_, index) => index)))
    await deleteForGood((await buildFile(ann)).id)
    await backups.backUp(server, folder)
    const [onSqlite, onMariadb] = [await backups.openSite(true), await backups.openSite()]
    const [second, third] = [await backups.openFolder(), await backups.openFolder()]
    await backups.restore(folder, onSqlite)
    await backups.backUp(onSqlite, second)
    await backups.restore(second, onMariadb)
    await backups.backUp(onMariadb, third)
    const tables = async (place: string) => {
      const { tables, dialect } = await backups.readManifest(place)
      // A backup adds its own lease, a restore makes a new mark of the store and raises the revisions of the spaces.
      const others = tables.filter(({ name }) => !['leases', 'server_state', 'events', 'spaces'].includes(name))
      const events = tables.find(({ name }) => name === 'events')?.parts.reduce((sum, { rows }) => sum + rows, 0) ?? 0
      return { dialect, events, tables: others }
    }
    const made = await tables(folder)
    expect(made.dialect).toBe('mariadb')
    expect(made.tables.map(({ name }) => name)).toContain('files')
    expect(await tables(second)).toMatchObject({
      dialect: 'sqlite',
      // Each restore adds an event of its own.
      events: made.events + 1,
      tables: made.tables.map(({ parts }) => ({ parts })),
    })
    expect(await tables(third)).toMatchObject({
      dialect: 'mariadb',
      events: made.events + 2,
      tables: made.tables.map(({ parts }) => ({ parts })),
    })
    const spaces = (site: backups.Site) =>
      backups.withDatabaseOf(site, async db => {
        const rows = await db.rows<{ revision: number }>('SELECT * FROM spaces ORDER BY id')
        return rows.map(({ revision: _, ...row }) => row)
      })
    expect(await spaces(onMariadb)).toEqual(await spaces(onSqlite))
    expect((await backups.readWhole(onSqlite)).size).toBe(7)
    expect(await backups.readWhole(onMariadb)).toEqual(await backups.readWhole(onSqlite))
    for (const site of [onSqlite, onMariadb]) expect(await runOn(site, ['fsck', '--hash'])).toMatchObject({ code: 0 })
  })

  test('is migrated when the backup has the tables of an older filestore', async () => {
    await buildFile(ann, { name: 'needle in a haystack.txt' })
    const older = await backups.openSite()
    await backups.backUp(server, folder)
    await backups.restore(folder, older)
    expect((await runOn(older, ['migrate', 'down', '8', '--yes'])).code).toBe(0)
    const second = await backups.openFolder()
    await backups.backUp(older, second)
    const site = await backups.openSite()
    const { migrated } = await backups.restore(second, site)
    expect(migrated).toEqual(migrations.slice(-8).map(({ name }) => name))
    await backups.readWhole(site)
    const restored = await backups.serveSite(site)
    const again = await signIn(restored.url, 'ann', ann.password)
    expect((await again.call(searchFiles, { q: 'haystack' })).files).toHaveLength(1)
  })

  test('is complete when a second restore finishes one that failed, and no command uses a half-restored database', async () => {
    const large = await buildFile(ann, {}, largeContent())
    await backups.backUp(server, folder)
    const { tables } = await backups.readManifest(folder)
    const [users] = tables.find(({ name }) => name === 'users')?.parts ?? []
    const path = backups.contentPath(folder, users?.sha256 ?? '')
    const rows = await readFile(path)
    await rm(path)
    const site = await backups.openSite()
    expectRefusal(await runOn(site, ['restore', folder]), 1, 'is missing')
    const told = "run 'filestore restore' again"
    expectRefusal(await spawnOn(site, ['serve', '--port', '0']), 7, told)
    for (const command of [
      ['migrate', 'up'],
      ['admin', 'user', 'list'],
      ['backup', folder],
    ]) {
      expectRefusal(await runOn(site, command), 7, told)
    }
    await writeFile(path, rows)
    expect(await backups.restore(folder, site)).toMatchObject({ users: 2, items: 1 })
    expect([...(await backups.readWhole(site)).keys()]).toEqual([large.name])
  })
})

describe('a backup folder', () => {
  test('keeps every snapshot, and copies only new contents', async () => {
    const names = ['one.bin', 'two.bin']
    for (const name of names) await buildFile(ann, { name }, largeContent())
    const made = await backups.backUp(server, folder)
    expect(backups.countCopies(made)).toBe(2)
    expect(made.outcomes).toMatchObject({ linked: 0, kept: 0 })
    const [first] = await backups.listSnapshots(folder)
    await buildFile(ann, { name: 'three.bin' }, largeContent())
    const next = await backups.backUp(server, folder)
    expect(backups.countCopies(next)).toBe(1)
    expect(next.outcomes).toMatchObject({ linked: 0, kept: 2 })
    expect(await backups.listSnapshots(folder)).toHaveLength(2)
    const [old, newest] = [await backups.openSite(), await backups.openSite()]
    await backups.restore(folder, old, '--snapshot', first ?? '')
    await backups.restore(folder, newest)
    expect([...(await backups.readWhole(old)).keys()].sort()).toEqual(names.sort())
    expect((await backups.readWhole(newest)).size).toBe(3)
  })

  test('with --keep removes the oldest snapshots, and the contents that only they need', async () => {
    const doomed = await buildFile(ann, { name: 'doomed.bin' }, largeContent())
    const kept = await buildFile(ann, { name: 'kept.bin' }, largeContent())
    await backups.backUp(server, folder)
    await deleteForGood(doomed.id)
    const { snapshot, removed } = await backups.backUp(server, folder, '--keep', '2')
    expect(removed).toEqual([])
    expect(await backups.listContents(folder)).toContain(doomed.sha256)
    const last = await backups.backUp(server, folder, '--keep', '1')
    expect(last.removed).toHaveLength(2)
    expect(last.removed).toContain(snapshot)
    expect(await backups.listSnapshots(folder)).toEqual([last.snapshot])
    const { tables } = await backups.readManifest(folder)
    const parts = tables.flatMap(table => table.parts.map(({ sha256 }) => sha256))
    expect((await backups.listContents(folder)).sort()).toEqual([...new Set([...parts, kept.sha256])].sort())
    expect((await runOn(server, ['backup', '--verify', folder])).code).toBe(0)
  })

  test('can be read by its owner only, also on another disk', async () => {
    await buildFile(ann, {}, largeContent())
    const other = join(await backups.openFolder('/dev/shm'), 'new', 'place')
    expect((await backups.backUp(server, other)).outcomes).toEqual({
      copied: 1,
      reflinked: 0,
      linked: 0,
      kept: 0,
    })
    const modes = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)
    for (const path of [other, join(other, 'snapshots'), join(other, 'blobs')]) expect(await modes(path)).toBe('700')
    const contents = await backups.listContents(other)
    const paths = contents.map(sha256 => backups.contentPath(other, sha256))
    for (const path of [...paths, join(other, 'snapshots', `${(await backups.listSnapshots(other))[0]}.json`)]) {
      expect(await modes(path)).toBe('600')
    }
    const site = await backups.openSite()
    await backups.restore(other, site)
    expect((await backups.readWhole(site)).size).toBe(1)
  })
})
