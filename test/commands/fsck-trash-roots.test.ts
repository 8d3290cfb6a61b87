/** `filestore fsck` finds an item in the trash that is marked as trashed with another one, with which it never was. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listTrash, restoreFile, trashFile } from '../../src/api/trash.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { runFsck } from './fsck-run.ts'

let server: TestServer
let ann: BuiltUser
beforeEach(async () => {
  server = await startServer()
  ann = await buildUser(server, { username: 'ann' })
})
afterEach(() => server.close())

const readRows = () => server.deps.db.rows('SELECT id, parent_id, deleted_at, trash_root_id FROM files ORDER BY id')
const mark = (id: number, rootId: number) =>
  spoilRows(server, `UPDATE files SET trash_root_id = ${rootId} WHERE id = ${id}`)

async function expectMended(before: readonly object[], id: number): Promise<void> {
  const told = { problem: 'trash-root', verdict: 'repairable', file_id: id }
  expect(await runFsck(server)).toMatchObject({ code: 10, findings: [told] })
  expect(await runFsck(server, '--repair')).toMatchObject({ code: 0, findings: [{ ...told, repaired: true }] })
  expect(await readRows()).toEqual(before)
  expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
}

/** A folder in the trash with a file and a file that was trashed before, and another folder in the trash. */
async function fill() {
  const docs = await buildFolder(ann, 'Docs')
  const early = await buildFile(ann, { name: 'early.txt', parent_id: docs.id })
  await buildFile(ann, { name: 'along.txt', parent_id: docs.id })
  const other = await buildFolder(ann, 'Other')
  const alone = await buildFile(ann, { name: 'alone.txt' })
  for (const { id } of [early, docs, other, alone]) await ann.call(trashFile, { id })
  return { docs, early, other, alone }
}

test.each(['alone', 'early', 'other'] as const)(
  'what was trashed by itself is listed by itself again: %s',
  async which => {
    const made = await fill()
    const before = await readRows()
    await mark(made[which].id, which === 'other' ? made.docs.id : made.other.id)
    await expectMended(before, made[which].id)
    const { files } = await ann.call(listTrash, {})
    expect(files.map(({ id }) => id)).toContain(made[which].id)
  },
)

test('what is in a live folder and has the mark of another one is listed by itself again', async () => {
  const { other } = await fill()
  const live = await buildFolder(ann, 'Live')
  const file = await buildFile(ann, { name: 'in it.txt', parent_id: live.id })
  await ann.call(trashFile, { id: file.id })
  const before = await readRows()
  await mark(file.id, other.id)
  await expectMended(before, file.id)
})

test('what older releases trashed with a folder, each with its own time, is no finding', async () => {
  const { docs, early } = await fill()
  await mark(early.id, docs.id)
  expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
  await ann.call(restoreFile, { id: docs.id })
})

test('what was trashed with a folder that is gone is listed by itself', async () => {
  const { docs } = await fill()
  const inner = await server.deps.db.row<{ id: number }>("SELECT id FROM files WHERE name = 'along.txt'")
  await spoilRows(server, `UPDATE files SET parent_id = 99999999 WHERE id = ${inner?.id}`)
  const repair = await runFsck(server, '--repair')
  expect(repair.findings.map(({ problem, repaired }) => [problem, repaired])).toEqual([['parent-missing', true]])
  expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
  const { files } = await ann.call(listTrash, {})
  expect(files.map(({ id }) => id)).toContain(inner?.id)
  expect(docs.id).toBeGreaterThan(0)
})
