/** `filestore fsck` finds an item whose folder is another one of the same storage, by what the folders count. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { moveFile } from '../../src/api/files.ts'
import { trashFile } from '../../src/api/trash.ts'
import { type BuiltUser, buildFile, buildFolder, buildShare, buildUser } from '../support/factories.ts'
import { ownerOf } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import { spoilUncounted } from '../support/spoil-uncounted.ts'
import type { TestServer } from '../support/test-server.ts'
import { runFsck } from './fsck-run.ts'

let server: TestServer
let ann: BuiltUser
beforeEach(async () => {
  server = await startServer()
  ann = await buildUser(server, { username: 'ann' })
})
afterEach(() => server.close())

const setFolder = (id: number, folderId: number | null) =>
  spoilUncounted(server, `UPDATE files SET parent_id = ${folderId ?? 'NULL'} WHERE id = ${id}`)
const readPlaces = () =>
  server.deps.db.rows('SELECT id, parent_id, name, deleted_at, trash_root_id FROM files ORDER BY id')
const readCounts = () =>
  server.deps.db.rows('SELECT * FROM folder_counts WHERE items <> 0 ORDER BY space_id, folder_id, is_directory')

/** A file that was put into a folder by a move, of which an event tells. */
async function moveInto(folder: { id: number }, name: string): Promise<{ id: number }> {
  const { id } = await buildFile(ann, { name })
  await ann.call(moveFile, { id, parent_id: folder.id })
  return { id }
}

/** Two folders with files and a folder each, beside which there are others. */
async function fill() {
  const docs = await buildFolder(ann, 'Docs')
  const other = await buildFolder(ann, 'Other')
  const inner = await buildFolder(ann, 'Inner', docs.id)
  const file = await moveInto(docs, 'report.txt')
  await buildFile(ann, { name: 'beside.txt', parent_id: docs.id }, 'beside it')
  await buildFile(ann, { name: 'top.txt' }, 'at the top')
  return { docs, other, inner, file }
}

async function expectPutBack(before: readonly object[], id: number): Promise<void> {
  const counts = await readCounts()
  const { code, findings } = await runFsck(server)
  const problem = { problem: 'wrong-folder', verdict: 'repairable', file_id: id }
  expect([code, findings.filter(finding => finding.problem === 'wrong-folder')]).toMatchObject([10, [problem]])
  const repair = await runFsck(server, '--repair')
  expect(repair).toMatchObject({ code: 0, findings: [{ ...problem, repaired: true }] })
  expect(await readPlaces()).toEqual(before)
  expect(await readCounts()).toEqual(counts)
  expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
}

test('the only file of a folder that counts none goes back to the one that counts it', async () => {
  const { other, file } = await fill()
  const before = await readPlaces()
  await setFolder(file.id, other.id)
  await expectPutBack(before, file.id)
})

test('a folder with all that is in it goes back', async () => {
  const { other, inner } = await fill()
  await buildFile(ann, { name: 'deep.txt', parent_id: inner.id })
  const before = await readPlaces()
  await setFolder(inner.id, other.id)
  await expectPutBack(before, inner.id)
})

test.each(['a folder inside it', 'a folder that is none', 'a file', 'a folder of another user'])(
  'it goes back from %s',
  async where => {
    const { docs, inner, file } = await fill()
    const ben = await buildUser(server, { username: 'ben' })
    const places: Record<string, number> = {
      'a folder inside it': inner.id,
      'a folder that is none': 99_999_999,
      'a file': file.id,
      'a folder of another user': (await buildFolder(ben, "Ben's")).id,
    }
    const before = await readPlaces()
    await setFolder(docs.id, places[where] ?? null)
    await expectPutBack(before, docs.id)
  },
)

test('it goes back into the trash, and out of it', async () => {
  const { docs, inner, other } = await fill()
  const live = await moveInto(inner, 'live.txt')
  const deep = await moveInto(other, 'deep.txt')
  const beside = await buildFile(ann, { name: 'beside too.txt', parent_id: other.id })
  await ann.call(trashFile, { id: other.id })
  const before = await readPlaces()
  await setFolder(deep.id, docs.id)
  await expectPutBack(before, deep.id)
  await setFolder(live.id, other.id)
  await expectPutBack(before, live.id)
  expect(beside.parent_id).toBe(other.id)
})

test('of several, the one that was moved to the folder that lacks it goes back', async () => {
  const { docs, other, inner } = await fill()
  const moved = await buildFile(ann, { name: 'moved.txt', parent_id: inner.id })
  await ann.call(moveFile, { id: moved.id, parent_id: other.id })
  const before = await readPlaces()
  await setFolder(moved.id, docs.id)
  await expectPutBack(before, moved.id)
})

test('it goes back under a free name if another has got its own', async () => {
  const { docs, other, file } = await fill()
  await setFolder(file.id, other.id)
  await buildFile(ann, { name: 'report.txt', parent_id: docs.id })
  expect(await runFsck(server, '--repair')).toMatchObject({ code: 0 })
  const row = await server.deps.db.row('SELECT parent_id, name FROM files WHERE id = $1', [file.id])
  expect(row).toEqual({ parent_id: docs.id, name: 'report (1).txt' })
  expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
})

test('where nobody can tell which it is, it is lost, and all stays until that is accepted', async () => {
  const { docs, inner } = await fill()
  const ben = await buildUser(server, { username: 'ben' })
  await buildShare(ann, inner, ben, 'view')
  const file = await buildFile(ann, { name: 'secret.txt', parent_id: inner.id })
  await setFolder(file.id, docs.id)
  const before = [await readPlaces(), await readCounts()]
  for (const args of [[], ['--repair'], ['--repair']]) {
    const { code, findings } = await runFsck(server, ...args)
    expect([code, findings]).toMatchObject([
      11,
      [{ problem: 'wrong-folder', verdict: 'lost', name: `ann:/Docs (id:${docs.id})`, file_id: docs.id }],
    ])
    expect([await readPlaces(), await readCounts()]).toEqual(before)
  }
  expect(await runFsck(server, '--repair', '--accept-lost')).toMatchObject({ code: 0 })
  expect((await readPlaces()).length).toBe(before[0]?.length)
  expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
})

test('a file that was moved while nothing counted stays where it is', async () => {
  const { docs, other, file } = await fill()
  await ann.call(moveFile, { id: file.id, parent_id: other.id })
  const { spaceId } = await ownerOf(server, ann)
  const where = (folderId: number) => `WHERE space_id = ${spaceId} AND folder_id = ${folderId} AND is_directory = 0`
  await spoilRows(
    server,
    `UPDATE folder_counts SET items = items + 1 ${where(docs.id)}`,
    `UPDATE folder_counts SET items = items - 1 ${where(other.id)}`,
  )
  const before = await readPlaces()
  const { findings } = await runFsck(server, '--repair')
  expect(findings).toMatchObject([{ problem: 'folder-counts', repaired: true }])
  expect(await readPlaces()).toEqual(before)
})

test('a file stays out of a shared folder that counts one more by counts of an earlier moment', async () => {
  const [secret, pictures] = [await buildFolder(ann, 'Private'), await buildFolder(ann, 'Pictures')]
  const picture = await buildFile(ann, { name: 'picture.jpg', parent_id: pictures.id })
  const file = await buildFile(ann, { name: 'secret.txt', parent_id: secret.id })
  await ann.call(trashFile, { id: picture.id })
  const before = await readPlaces()
  const count = (items: number, folder: { id: number }) =>
    `UPDATE folder_counts SET items = ${items} WHERE folder_id = ${folder.id} AND is_directory = 0`
  await spoilRows(server, count(0, secret), count(1, pictures))
  expect(await runFsck(server, '--repair')).toMatchObject({ code: 11, findings: [{ problem: 'wrong-folder' }] })
  expect(await readPlaces()).toEqual(before)
  expect(file.parent_id).toBe(secret.id)
})
