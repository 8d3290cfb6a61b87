/** `filestore fsck --repair` gives nobody what is at the top of a storage that has the number of another one. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { trashFile } from '../../src/api/trash.ts'
import { signIn } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildShare, buildTeam, buildUser } from '../support/factories.ts'
import { expectTrueCounters } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink } from '../support/visitor.ts'
import { runFsck } from './fsck-run.ts'

let server: TestServer
let ann: BuiltUser
let ben: BuiltUser
let benSpace: number
beforeEach(async () => {
  server = await startServer()
  ann = await buildUser(server, { username: 'ann' })
  ben = await buildUser(server, { username: 'ben' })
  benSpace = await findSpace(ben)
})
afterEach(() => server.close())

async function findSpace({ id }: BuiltUser): Promise<number> {
  const sql = "SELECT id FROM spaces WHERE owner_id = $1 AND kind = 'personal'"
  return (await server.deps.db.row<{ id: number }>(sql, [id]))?.id ?? 0
}

const readPlaces = () => server.deps.db.rows('SELECT id, space_id, parent_id, owner_id, name FROM files ORDER BY id')
const setSpace = ({ id }: { id: number }, spaceId: number) =>
  spoilRows(server, `UPDATE files SET space_id = ${spaceId} WHERE id = ${id}`)
const forgetEvents = () => spoilRows(server, 'DELETE FROM events')

const mayRead = async (user: BuiltUser, { id }: { id: number }): Promise<boolean> =>
  (await user.raw(`/api/files/${id}/download`)).status === 200

/** Ann and Ben each have two files, of which one each has the same size, and two empty folders. */
async function fill() {
  const sizes = { same: 'of one size', other: 'of another size' }
  await buildFolder(ann, 'Empty too')
  await buildFolder(ben, 'Empty of Ben')
  return {
    folder: await buildFolder(ann, 'Empty'),
    file: await buildFile(ann, { name: 'other.txt' }, `${sizes.other}, Ann's`),
    alike: await buildFile(ann, { name: 'same.txt' }, sizes.same),
    ofBen: await buildFile(ben, { name: 'same of Ben.txt' }, sizes.same),
    beside: await buildFile(ben, { name: 'other of Ben.txt' }, sizes.other),
  }
}

async function expectMended(): Promise<void> {
  expect(await runFsck(server, '--repair')).toMatchObject({ code: 0 })
  expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
  await expectTrueCounters(server, ann)
  await expectTrueCounters(server, ben)
}

test.each(['file', 'folder', 'alike'] as const)('goes back to whom it was: %s', async what => {
  const made = await fill()
  const before = await readPlaces()
  await setSpace(made[what], benSpace)
  const { code, findings } = await runFsck(server)
  expect([code, findings]).toMatchObject([
    10,
    [{ problem: 'top-in-another-space', verdict: 'repairable', file_id: made[what].id }],
  ])
  await expectMended()
  expect(await readPlaces()).toEqual(before)
  expect([await mayRead(ann, made.file), await mayRead(ben, made.file)]).toEqual([true, false])
})

test('a file and an empty folder are told by their size and owner where no event is left', async () => {
  const made = await fill()
  await forgetEvents()
  const before = await readPlaces()
  for (const what of ['file', 'folder'] as const) {
    await setSpace(made[what], benSpace)
    await expectMended()
    expect(await readPlaces()).toEqual(before)
  }
})

test('what is in the trash goes back to the trash', async () => {
  const { file } = await fill()
  await ann.call(trashFile, { id: file.id })
  const before = await readPlaces()
  await setSpace(file, benSpace)
  await expectMended()
  expect(await readPlaces()).toEqual(before)
})

test('of two files of one size, the one that nothing says to be here goes back', async () => {
  const { alike, ofBen } = await fill()
  await forgetEvents()
  await buildLink(ben, ofBen)
  const before = await readPlaces()
  await setSpace(alike, benSpace)
  await expectMended()
  expect(await readPlaces()).toEqual(before)
})

test('where nobody can tell which of two it is, it is lost and stays, with its share, link and sums', async () => {
  const { alike } = await fill()
  await buildShare(ann, alike, ben, 'view')
  await buildLink(ann, alike)
  await forgetEvents()
  await setSpace(alike, benSpace)
  const rows = () =>
    Promise.all(
      ['files', 'shares', 'links', 'spaces'].map(table =>
        server.deps.db.rows(`SELECT id, ${table === 'spaces' ? 'item_count, storage_used' : 'space_id'} FROM ${table}`),
      ),
    )
  const before = await rows()
  for (const _ of [1, 2]) {
    const { code, findings } = await runFsck(server, '--repair')
    expect(code).toBe(11)
    expect(findings).toContainEqual(expect.objectContaining({ problem: 'top-in-another-space', verdict: 'lost' }))
    expect(await rows()).toEqual(before)
  }
})

test('what came to the top of a team storage goes back, and an empty team folder to its team', async () => {
  const { file, folder } = await fill()
  const admin = await signIn(server.url, server.adminName, server.adminPassword)
  const team = await buildTeam(admin, ben, 'Team')
  const before = await readPlaces()
  for (const item of [file, folder]) {
    await setSpace(item, team.id)
    await expectMended()
    expect(await readPlaces()).toEqual(before)
  }
  await setSpace({ id: team.folder_id }, benSpace)
  await expectMended()
  expect(await readPlaces()).toEqual(before)
})

test('storages whose counts are wrong by other amounts are counted anew', async () => {
  await fill()
  await spoilRows(
    server,
    `UPDATE spaces SET item_count = item_count + 1 WHERE id = ${benSpace}`,
    `UPDATE spaces SET item_count = item_count - 1, storage_used = storage_used - 5 WHERE id <> ${benSpace}`,
  )
  const before = await readPlaces()
  const { findings } = await runFsck(server, '--repair')
  expect(new Set(findings.map(({ problem }) => problem))).toEqual(new Set(['storage-counters']))
  expect(await readPlaces()).toEqual(before)
})
