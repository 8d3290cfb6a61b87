/** Items that are trashed with their folder are hidden everywhere until the folder is restored or deleted. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { favoriteFile, listFavorites } from '../../src/api/files.ts'
import { getFileStats, searchFiles } from '../../src/api/search.ts'
import { getSystem } from '../../src/api/system.ts'
import { listTags, tagFiles } from '../../src/api/tags.ts'
import { deleteFile, emptyTrash, restoreFile, trashFile } from '../../src/api/trash.ts'
import { listPending } from '../../src/api/validation.ts'
import { failure } from '../support/client.ts'
import { findMiscounts } from '../support/counters.ts'
import { type BuiltUser, buildFile, buildFolder, buildTag, buildUser } from '../support/factories.ts'
import { onlyOn, onlyOneServer } from '../support/only-on.ts'
import { countItems } from '../support/planting.ts'
import { explain } from '../support/query-plans.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
let admin: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
})
beforeEach(async () => {
  user = await buildUser(server)
})
afterAll(() => server.close())

const change = (sql: string, binds: number[]) => server.deps.db.touch(() => server.deps.db.change(sql, binds))

/** Builds a file two folders down that appears in every list across folders; returns the outer folder and the file. */
async function buildSeen() {
  const top = await buildFolder(user, 'outer zebra')
  const inner = await buildFolder(user, 'inner zebra', top.id)
  const file = await buildFile(user, { name: 'zebra.pdf', parent_id: inner.id }, 'stripes')
  await user.call(tagFiles, { tag_id: (await buildTag(user)).id, file_ids: [file.id] })
  await user.call(favoriteFile, { id: file.id, is_favorite: true })
  await change("UPDATE files SET validation_status = 'pending' WHERE id = $1", [file.id])
  return { top, file }
}

/** How many of the user's items each of these lists shows. */
async function countSeen() {
  const { total_files, total_folders, by_kind, recent_files } = await user.call(getFileStats, {})
  const { tags } = await user.call(listTags, {})
  const pending = await admin.call(listPending, {})
  return {
    stats: [total_files, total_folders, by_kind.length, recent_files.length],
    tagged: tags.map(({ file_count }) => file_count),
    favorites: (await user.call(listFavorites, {})).total,
    found: (await user.call(searchFiles, { q: 'zebra' })).total,
    foundByType: (await user.call(searchFiles, { q: 'zebra', mime_type: 'application/pdf' })).total,
    pending: pending.filter(({ owner }) => owner === user.username).length,
    allPending: (await admin.call(getSystem, {})).counts.pending,
  }
}

const seenLive = {
  stats: [1, 2, 1, 1],
  tagged: [1],
  favorites: 1,
  found: 3,
  foundByType: 1,
  pending: 1,
  allPending: 1,
}
const seenTrashed = {
  stats: [0, 0, 0, 0],
  tagged: [0],
  favorites: 0,
  found: 0,
  foundByType: 0,
  pending: 0,
  allPending: 0,
}

/** Marks a tree as older versions of the server did, which stored the time in each row. */
const markAll = (rootId: number) =>
  change('UPDATE files SET deleted_at = 1 WHERE trash_root_id = $1 AND deleted_at IS NULL', [rootId])

describe.each([
  ['today', async () => undefined],
  ['when each row got the time', markAll],
])('a folder that went to the trash %s', (_when, mark: (rootId: number) => Promise<unknown>) => {
  test('hides everything below it from every list, and shows it again after it is restored', async () => {
    const { top, file } = await buildSeen()
    expect(await countSeen()).toEqual(seenLive)
    await user.call(trashFile, { id: top.id })
    await mark(top.id)
    expect(await countSeen()).toEqual(seenTrashed)
    for (const way of ['', '/download', '/preview', '/events']) {
      expect(await failure(await admin.raw(`/api/files/${file.id}${way}`))).toMatchObject({ status: 404 })
    }
    expect(await findMiscounts(server.deps.db)).toEqual([])
    await user.call(restoreFile, { id: top.id })
    expect(await countSeen()).toEqual(seenLive)
    expect(await findMiscounts(server.deps.db)).toEqual([])
    await user.call(trashFile, { id: top.id })
    await user.call(deleteFile, { id: top.id })
  })

  test('is deleted with everything below it, beside live folders of the same names', async () => {
    const { top } = await buildSeen()
    await user.call(trashFile, { id: top.id })
    await mark(top.id)
    // Put the live folders in the root, where items of the deleted folder must not reappear during the deletion.
    for (const name of ['outer zebra', 'inner zebra', 'zebra.pdf']) await buildFolder(user, name)
    await user.call(deleteFile, { id: top.id })
    expect(await countItems(server, user)).toBe(3)
    expect(await findMiscounts(server.deps.db)).toEqual([])
  })

  test('keeps its items when the trash is emptied up to an earlier time', async () => {
    const { top } = await buildSeen()
    await user.call(trashFile, { id: top.id })
    await mark(top.id)
    expect(await user.call(emptyTrash, { older_than_days: 1 })).toEqual({ deleted: 0 })
    expect(await countItems(server, user)).toBe(3)
    expect(await user.call(emptyTrash, {})).toEqual({ deleted: 1 })
    expect(await countItems(server, user)).toBe(0)
    expect(await findMiscounts(server.deps.db)).toEqual([])
  })
})

test('the depth of a trashed tree is measured folder by folder, not by reading the whole tree for each', async context => {
  onlyOneServer('process', context)
  onlyOn('sqlite', context)
  const { top } = await buildSeen()
  await user.call(trashFile, { id: top.id })
  const read = vi.spyOn(server.deps.db, 'row')
  await user.call(restoreFile, { id: top.id })
  const queries = read.mock.calls.filter(([sql]) => /AS height/.test(sql))
  read.mockRestore()
  expect(queries).toHaveLength(1)
  for (const [sql, bind] of queries) {
    expect(JSON.stringify(await explain(server, sql, bind))).toContain('SEARCH f USING INDEX files_parent')
  }
})
