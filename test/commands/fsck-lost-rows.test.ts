/** `filestore fsck` tells which files and folders have lost their rows, and keeps the bytes that no file names any more. */
import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deleteFile, trashFile } from '../../src/api/trash.ts'
import { backupPrefix } from '../../src/db/leases.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { untilJobRan } from '../support/jobs.ts'
import { largeContent } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { age, pathOfKey, spoilRows } from '../support/spoil.ts'
import { spoilUncounted } from '../support/spoil-uncounted.ts'
import type { TestServer } from '../support/test-server.ts'
import { type FsckOutcome, runFsck } from './fsck-run.ts'

let server: TestServer
let ann: BuiltUser
beforeEach(async () => {
  server = await startServer()
  ann = await buildUser(server, { username: 'ann' })
})
afterEach(() => server.close())

const lose = (...ids: number[]) => spoilUncounted(server, `DELETE FROM files WHERE id IN (${ids.join(', ')})`)

/** The bytes of a key that nothing deletes from quarantine. */
async function listKept(key: string): Promise<string[]> {
  const kept = await readdir(join(server.dataDir, 'storage', 'quarantine'))
  return kept.filter(name => name.startsWith('damaged-') && name.endsWith(key))
}

async function contentOf({ id }: { id: number }): Promise<{ id: number; key: string }> {
  const sql = 'SELECT b.id, b.`key` FROM files f JOIN blobs b ON b.id = f.blob_id WHERE f.id = $1'
  const row = await server.deps.db.row<{ id: number; key: string }>(sql, [id])
  if (row === undefined) throw new Error('a file without content')
  return row
}

const readEvidence = () =>
  Promise.all(
    [
      'SELECT id, item_count, storage_used FROM spaces ORDER BY id',
      'SELECT * FROM folder_counts WHERE items <> 0 ORDER BY space_id, folder_id, is_directory',
      'SELECT * FROM type_counts WHERE items <> 0 ORDER BY space_id, is_directory, mime_type',
      'SELECT id, `key`, place FROM blobs ORDER BY id',
    ].map(sql => server.deps.db.rows(sql)),
  )

/** Runs the command with and without --repair, twice: each says the same, and nothing that tells of the loss changes. */
async function expectLost(expected: readonly object[]): Promise<void> {
  const before = await readEvidence()
  for (const args of [[], ['--repair'], ['--hash', '--repair']]) {
    const { code, findings } = await runFsck(server, ...args)
    expect(code).toBe(11)
    expect(findings).toMatchObject(expected)
    expect(await readEvidence()).toEqual(before)
  }
}

async function expectAccepted(): Promise<void> {
  const accepted: FsckOutcome = await runFsck(server, '--repair', '--accept-lost')
  expect(accepted.findings.filter(({ repaired }) => !repaired)).toEqual([])
  expect(accepted.code).toBe(0)
  expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

test.each(['large', 'small'])(
  'a %s file: its name, folder, size and SHA-256 are told, and its bytes stay',
  async size => {
    const bytes = size === 'large' ? largeContent() : Buffer.from('a small one')
    const docs = await buildFolder(ann, 'Docs')
    const file = await buildFile(ann, { name: 'report.bin', parent_id: docs.id }, bytes)
    const content = await contentOf(file)
    await lose(file.id)
    const lost = { problem: 'row-lost', verdict: 'lost', file_id: file.id, blob_id: content.id, key: content.key }
    await expectLost([lost])
    const [finding] = (await runFsck(server)).findings
    expect(finding?.name).toBe(`ann: 'report.bin' (id:${file.id})`)
    for (const part of [
      `${bytes.length} bytes`,
      createHash('sha256').update(bytes).digest('hex'),
      `ann:/Docs (id:${docs.id})`,
    ]) {
      expect(finding?.detail).toContain(part)
    }
    const path = pathOfKey(server, content.key)
    expect(await isThere(path)).toBe(size === 'large')
    await expectAccepted()
    expect(await listKept(content.key)).toHaveLength(1)
  },
)

test('a file whose storage alone counts it is lost, too', async () => {
  const file = await buildFile(ann, {}, largeContent())
  const content = await contentOf(file)
  await spoilRows(server, `DELETE FROM files WHERE id = ${file.id}`)
  await expectLost([{ problem: 'row-lost', blob_id: content.id }])
})

test('the bytes stay where they are while a backup may read them', async () => {
  const { db, store, leases } = server.deps
  const file = await buildFile(ann, {}, largeContent())
  const content = await contentOf(file)
  await lose(file.id)
  await db.touch(() => leases.begin(`${backupPrefix}test`))
  const { findings } = await runFsck(server, '--repair', '--accept-lost')
  expect(findings).toContainEqual(expect.objectContaining({ blob_id: content.id, repaired: false }))
  expect(await store.size(content.key)).toBe(file.size)
  expect(await db.rows('SELECT id FROM blobs')).toHaveLength(1)
  await expectLost([{ problem: 'row-lost', blob_id: content.id }])
})

test('several files are all told, with the folders that lack them', async () => {
  const docs = await buildFolder(ann, 'Docs')
  const one = await buildFile(ann, { name: 'one.txt', parent_id: docs.id }, 'number one')
  const two = await buildFile(ann, { name: 'two.txt' }, 'another, which is number two')
  const contents = [await contentOf(one), await contentOf(two)]
  await lose(one.id, two.id)
  await expectLost(contents.map(({ id }) => ({ problem: 'row-lost', verdict: 'lost', blob_id: id })))
  const { findings } = await runFsck(server)
  expect(findings.map(({ detail }) => detail.includes(`in ann:/, ann:/Docs (id:${docs.id})`))).toEqual([true, true])
  await expectAccepted()
})

test('a file whose content another file has is told by its folder', async () => {
  const docs = await buildFolder(ann, 'Docs')
  const file = await buildFile(ann, { name: 'one.txt', parent_id: docs.id }, 'the same')
  await buildFile(ann, { name: 'two.txt' }, 'the same')
  await lose(file.id)
  await expectLost([{ problem: 'row-lost', verdict: 'lost', name: `ann:/Docs (id:${docs.id})`, file_id: docs.id }])
  expect((await runFsck(server)).findings[0]?.detail).toContain(`'one.txt' (id:${file.id})`)
  await expectAccepted()
})

test('a folder is told by the folder that it was in', async () => {
  const docs = await buildFolder(ann, 'Docs')
  const inner = await buildFolder(ann, 'Inner', docs.id)
  await lose(inner.id)
  await expectLost([{ problem: 'row-lost', verdict: 'lost', name: `ann:/Docs (id:${docs.id})` }])
  expect((await runFsck(server)).findings[0]?.detail).toContain(`'Inner' (id:${inner.id})`)
  await expectAccepted()
})

test.each(['the row of its content', 'both rows'])(
  'the bytes of a file that has lost %s stay in quarantine',
  async which => {
    const file = await buildFile(ann, {}, largeContent())
    const { id, key } = await contentOf(file)
    // The server's own sweep must be over.
    await untilJobRan(server.deps, 'sweep')
    await age(pathOfKey(server, key))
    if (which === 'both rows') await lose(file.id)
    await spoilRows(server, `DELETE FROM blobs WHERE id = ${id}`)
    const { code, findings } = await runFsck(server, '--repair')
    expect(code).toBe(11)
    expect(findings).toContainEqual(expect.objectContaining({ problem: 'orphan', key, repaired: true }))
    expect(await listKept(key)).toHaveLength(1)
  },
)

test('a file in the trash is told by its event, also where its content is not its own', async () => {
  const file = await buildFile(ann, { name: 'one.txt' }, 'the same')
  await buildFile(ann, { name: 'two.txt' }, 'the same')
  await ann.call(trashFile, { id: file.id })
  await lose(file.id)
  await expectLost([{ problem: 'row-lost', verdict: 'lost', name: `ann: 'one.txt' (id:${file.id}) (trash)` }])
  await expectAccepted()
})

test("what was deleted for good is nobody's loss: wrong counts are put right, and its content goes", async () => {
  const file = await buildFile(ann, { name: 'one.txt' }, 'deleted')
  await ann.call(trashFile, { id: file.id })
  await ann.call(deleteFile, { id: file.id })
  await spoilRows(server, 'UPDATE spaces SET item_count = item_count + 1')
  const { code, findings } = await runFsck(server, '--repair')
  expect([code, new Set(findings.map(({ problem }) => problem))]).toEqual([0, new Set(['storage-counters'])])
})

test('a content of another size than what is lacking goes to quarantine', async () => {
  const file = await buildFile(ann, {}, largeContent())
  const { id } = await contentOf(file)
  await spoilRows(
    server,
    `DELETE FROM files WHERE id = ${file.id}`,
    `UPDATE spaces SET storage_used = storage_used - 1 WHERE owner_id = ${ann.id}`,
  )
  const { code, findings } = await runFsck(server, '--repair')
  expect(code).toBe(0)
  expect(findings).toContainEqual(expect.objectContaining({ problem: 'content-unnamed', blob_id: id, repaired: true }))
})

describe('where the storage does not count it either', () => {
  const miscount = () =>
    spoilRows(
      server,
      `UPDATE spaces SET item_count = (SELECT COUNT(*) FROM files f WHERE f.space_id = spaces.id),
         storage_used = (SELECT COALESCE(SUM(f.size), 0) FROM files f WHERE f.space_id = spaces.id)`,
    )

  test('a file is told by its folder, its type and the content that no file names', async () => {
    const docs = await buildFolder(ann, 'Docs')
    const file = await buildFile(ann, { name: 'report.bin', parent_id: docs.id }, largeContent())
    const content = await contentOf(file)
    await lose(file.id)
    await miscount()
    await expectLost([{ problem: 'row-lost', verdict: 'lost', file_id: file.id, blob_id: content.id }])
    const [finding] = (await runFsck(server)).findings
    expect(finding?.detail).toContain(
      `the folders and types in the storage of ann count 1 item and ${file.size} bytes more than it has, in ann:/Docs`,
    )
    await expectAccepted()
    expect(await listKept(content.key)).toHaveLength(1)
  })

  test('a file whose content another file has, and a folder, are told by the folders that they were in', async () => {
    const docs = await buildFolder(ann, 'Docs')
    const file = await buildFile(ann, { name: 'one.txt', parent_id: docs.id }, 'the same')
    await buildFile(ann, { name: 'two.txt' }, 'the same')
    const inner = await buildFolder(ann, 'Inner')
    await lose(file.id, inner.id)
    await miscount()
    await expectLost([
      { problem: 'row-lost', verdict: 'lost', name: `ann:/Docs (id:${docs.id})` },
      { problem: 'row-lost', verdict: 'lost', name: 'ann:/' },
    ])
    await expectAccepted()
  })

  test.each(['folder_counts', 'type_counts'])('a count in %s alone tells of no loss, and is put right', async table => {
    await buildFile(ann, { name: 'one.txt' }, 'one')
    await spoilRows(server, `UPDATE ${table} SET items = items + 1`)
    expect((await runFsck(server, '--repair')).code).toBe(0)
    expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
  })
})
