/** Items that were trashed one by one inside a folder stay when it is deleted, and no write moves many of them at once. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deleteFile, emptyTrash, listTrash, restoreFile, trashFile } from '../../src/api/trash.ts'
import { deleteAbandonedTrees } from '../../src/files/delete/tree.ts'
import { plantEntries } from '../bench/plant.ts'
import { type BuiltUser, buildChain, buildUser } from '../support/factories.ts'
import { failAfterWrites } from '../support/failing-writes.ts'
import { measureLargestWrite } from '../support/largest-write.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { countItems, expectTrueCounters, plant } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
})
beforeEach(async () => {
  user = await buildUser(server)
})
afterAll(() => server.close())

/** Rows that one write may change beside those that it deletes. */
const most = 100

/** Plants items into a folder that went to the trash one by one. */
const plantTrashed = (parentId: number, count: number) =>
  plant(server, user, async (db, owner) => {
    await plantEntries(db, owner, parentId, count)
    const planted = "WHERE parent_id = $1 AND (name LIKE 'Report %' OR name LIKE 'Project %')"
    await db.change(`UPDATE files SET deleted_at = $2, trash_root_id = id ${planted}`, [parentId, Date.now()])
  })

/** A folder in one that stays, with as many items inside it that were trashed before it. */
async function buildTrashed(count: number): Promise<{ above: number; folder: number }> {
  const [above = 0, folder = 0] = await buildChain(user, 2)
  await plantTrashed(folder, count)
  await user.call(trashFile, { id: folder })
  return { above, folder }
}

const inFolders = (ids: readonly number[]) => ({
  sql: `SELECT COUNT(*) AS count FROM files WHERE parent_id IN (${ids.map((_, index) => `$${index + 1}`).join(', ')})`,
  bind: ids,
})

const countIn = async (...ids: number[]) => {
  const { sql, bind } = inFolders(ids)
  return (await server.deps.db.row<{ count: number }>(sql, bind))?.count
}

test('a folder’s deletion moves a slice of them at a time to the folder above', async context => {
  onlyOneServer('process', context)
  const { above, folder } = await buildTrashed(450)
  const drop = () => user.call(deleteFile, { id: folder })
  expect(await measureLargestWrite(server.deps.db, inFolders([folder]), drop)).toBeLessThanOrEqual(most)
  expect(await countIn(above)).toBe(450)
  expect((await user.call(listTrash, { limit: 1 })).total).toBe(450)
  await expectTrueCounters(server, user)
  expect(await server.deps.db.rows("SELECT name FROM leases WHERE name LIKE 'tree:%'")).toEqual([])
})

test('a large tree’s deletion moves each of them once, to the folder above the tree', async context => {
  onlyOneServer('process', context)
  const [above = 0, top = 0, ...inner] = await buildChain(user, 12)
  const deepest = inner.at(-1) ?? 0
  await plantTrashed(deepest, 250)
  await plantTrashed(inner[4] ?? 0, 130)
  await plant(server, user, (db, owner) => plantEntries(db, owner, inner[2] ?? 0, 150))
  await user.call(trashFile, { id: top })
  const between = [top, ...inner.slice(0, -1)].filter(id => id !== inner[4])
  const drop = () => user.call(deleteFile, { id: top })
  expect(await measureLargestWrite(server.deps.db, inFolders([deepest]), drop)).toBeLessThanOrEqual(most)
  expect(await countIn(above)).toBe(380)
  expect(await countIn(...between)).toBe(0)
  expect(await countItems(server, user)).toBe(381)
  await expectTrueCounters(server, user)
})

test('emptying the trash up to an earlier time keeps them, and moves a slice of them at a time', async context => {
  onlyOneServer('process', context)
  const folders = [await buildTrashed(260), await buildTrashed(10)]
  const { db } = server.deps
  for (const { folder } of folders) {
    await db.touch(() => db.change('UPDATE files SET deleted_at = $1 WHERE parent_id = $2', [Date.now() + 1e9, folder]))
  }
  const ids = folders.map(({ folder }) => folder)
  let deleted = 0
  const empty = async () => {
    deleted = (await user.call(emptyTrash, { older_than_days: 1 })).deleted
  }
  await db.touch(() => db.change(`UPDATE files SET deleted_at = 1 WHERE id IN (${ids.join(', ')})`))
  expect(await measureLargestWrite(db, inFolders(ids), empty)).toBeLessThanOrEqual(most)
  expect(deleted).toBe(2)
  expect(await countIn(...folders.map(({ above }) => above))).toBe(270)
  await expectTrueCounters(server, user)
})

test('they can be restored into the folder above', async () => {
  const { above, folder } = await buildTrashed(150)
  await user.call(deleteFile, { id: folder })
  const [item] = (await user.call(listTrash, { limit: 1 })).files
  expect((await user.call(restoreFile, { id: item?.id ?? 0 })).file.parent_id).toBe(above)
})

test('a deletion that a crash interrupts between two slices is finished by the server’s job', async context => {
  onlyOneServer('process', context)
  const { above, folder } = await buildTrashed(350)
  const answer = await failAfterWrites(server, 2, () =>
    user.raw(`/api/files/${folder}/permanent`, { method: 'DELETE' }),
  )
  expect(answer.status).toBe(500)
  expect(await countIn(folder)).toBe(150)
  expect((await user.raw(`/api/files/${folder}/restore`, { method: 'PUT' })).status).toBe(404)
  await deleteAbandonedTrees(server.deps, new AbortController().signal)
  expect([await countIn(folder), await countIn(above)]).toEqual([0, 350])
})
