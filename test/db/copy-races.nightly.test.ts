/** A folder that is copied while others change it, its target or the space: it is copied whole, or not at all. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { copyFile, deleteFile, listFiles, listTrash, moveFile, renameFile, trashFile } from '../../src/api/files.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { deleteUser } from '../../src/api/users.ts'
import { deleteAbandonedTrees } from '../../src/files/delete/tree.ts'
import { plantEntries, plantTree } from '../bench/plant.ts'
import { type BuiltUser, buildChain, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { countItems, expectTrueCounters, plant, readMiscount, until } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
/** Large enough that a copy of it takes many slices. */
let source: number
beforeAll(async () => {
  server = await startServer()
})
beforeEach(async () => {
  user = await buildUser(server)
  source = await plant(server, user, (db, owner) => plantTree(db, owner, 'source', 3000))
})
afterAll(() => server.close())

/** Begins a copy; resolves when a part of it is there, with what becomes of it. */
async function beginCopy(parentId: number | null = null): Promise<Promise<PromiseSettledResult<FileDetails>>[]> {
  const before = await countItems(server, user)
  const copying = user.call(copyFile, { id: source, parent_id: parentId }).then(({ file }) => file)
  const outcome = Promise.allSettled([copying]).then(([settled]) => settled)
  await until(async () => (await countItems(server, user)) > before + 300)
  // In a list, for a promise of a promise would be waited for as one.
  return [outcome]
}

const leftTrees = () => server.deps.db.rows("SELECT name FROM leases WHERE name LIKE 'tree:%'")

/** Nothing of a copy is there: neither its rows nor their charge. */
async function expectNoCopy(items: number): Promise<void> {
  expect(await countItems(server, user)).toBe(items)
  await expectTrueCounters(server, user)
  expect(await leftTrees()).toEqual([])
}

test('is seen by nobody before it is complete', async () => {
  const [outcome] = await beginCopy()
  expect((await user.call(listFiles, {})).folders.map(({ name }) => name)).toEqual(['source'])
  expect((await user.call(listTrash, {})).files).toEqual([])
  const [root] = await server.deps.db.rows<{ id: number }>(
    'SELECT id FROM files WHERE owner_id = $1 AND deleted_at IS NOT NULL AND trash_root_id IS NULL',
    [user.id],
  )
  for (const [method, path] of [
    ['GET', ''],
    ['PUT', '/restore'],
    ['PUT', '/trash'],
    ['DELETE', '/permanent'],
  ]) {
    expect((await user.raw(`/api/files/${root?.id}${path}`, { method })).status).toBe(404)
  }
  expect(await outcome).toMatchObject({ status: 'fulfilled', value: { id: root?.id, name: 'source (1)' } })
  await expectTrueCounters(server, user)
})

test('counts what it has so far, at every moment', async () => {
  const [outcome] = await beginCopy()
  let isDone = false
  const ended = outcome?.finally(() => {
    isDone = true
  })
  await until(async () => {
    expect(await readMiscount(server, user)).toEqual({ bytes: 0, items: 0 })
    return isDone
  })
  await ended
})

test('whose target goes to the trash meanwhile is 404 and leaves nothing', async () => {
  const target = await buildFolder(user)
  const items = await countItems(server, user)
  const [outcome] = await beginCopy(target.id)
  await user.call(trashFile, { id: target.id })
  expect(await outcome).toMatchObject({ status: 'rejected', reason: { status: 404 } })
  await expectNoCopy(items)
})

test('whose target is deleted for good meanwhile is 404 and leaves nothing', async () => {
  const target = await buildFolder(user)
  const items = await countItems(server, user)
  const [outcome] = await beginCopy(target.id)
  await user.call(trashFile, { id: target.id })
  await user.call(deleteFile, { id: target.id })
  expect(await outcome).toMatchObject({ status: 'rejected', reason: { status: 404 } })
  await expectNoCopy(items - 1)
})

test('whose target moves too deep meanwhile is 400 and leaves nothing', async () => {
  const [target, chain] = [await buildFolder(user), await buildChain(user, 99)]
  const items = await countItems(server, user)
  const [outcome] = await beginCopy(target.id)
  await user.call(moveFile, { id: target.id, parent_id: chain.at(-1) })
  expect(await outcome).toMatchObject({ status: 'rejected', reason: { status: 400 } })
  await expectNoCopy(items)
})

test('whose name is taken meanwhile gets the next one', async () => {
  const [outcome] = await beginCopy()
  await buildFolder(user, 'source (1)')
  expect(await outcome).toMatchObject({ status: 'fulfilled', value: { name: 'source (2)' } })
})

test('that finds no room any more is 413 and leaves nothing', async () => {
  const [outcome] = await beginCopy()
  await server.deps.db.touch(() =>
    server.deps.db.change('UPDATE spaces SET storage_quota = 1 WHERE owner_id = $1', [user.id]),
  )
  expect(await outcome).toMatchObject({ status: 'rejected', reason: { status: 413, code: 'quota_exceeded' } })
  // The root, three folders, and what stands in these.
  await expectNoCopy(3001)
})

test('of a folder that is trashed meanwhile is 404 and leaves nothing', async () => {
  const items = await countItems(server, user)
  const [outcome] = await beginCopy()
  await user.call(trashFile, { id: source })
  expect(await outcome).toMatchObject({ status: 'rejected', reason: { status: 404 } })
  await expectNoCopy(items)
  expect((await user.call(listFiles, {})).total).toBe(0)
})

test('of a folder that is deleted for good meanwhile is 404 and leaves nothing', async () => {
  const [outcome] = await beginCopy()
  await user.call(trashFile, { id: source })
  await user.call(deleteFile, { id: source })
  expect(await outcome).toMatchObject({ status: 'rejected', reason: { status: 404 } })
  await expectNoCopy(0)
})

test('of a folder in which another is trashed before its turn is 404 and leaves nothing', async () => {
  const { folders } = await user.call(listFiles, { parent_id: source })
  const items = await countItems(server, user)
  const [outcome] = await beginCopy()
  for (const { id } of folders) await user.call(trashFile, { id })
  expect(await outcome).toMatchObject({ status: 'rejected', reason: { status: 404 } })
  await expectNoCopy(items)
})

test.each(['delete', 'transfer'] as const)(
  'whose user is deleted meanwhile (files: %s) is 401, 404 or 503 at the worst and leaves nothing',
  async files => {
    const [admin, receiver] = [await buildUser(server, { role: 'admin' }), await buildUser(server)]
    const [outcome] = await beginCopy()
    const to = files === 'transfer' ? receiver.id : undefined
    await admin.call(deleteUser, { id: user.id, files, to })
    const settled = await outcome
    if (settled?.status === 'rejected') expect([401, 404, 503]).toContain(settled.reason.status)
    expect(await countItems(server, user)).toBe(0)
    expect(await leftTrees()).toEqual([])
    // All that there was and the folder around it, and nothing of the copy.
    expect(await countItems(server, receiver)).toBe(files === 'transfer' ? 3002 : 0)
    await expectTrueCounters(server, receiver)
  },
)

test('of items that change their names meanwhile has no two of one name', async () => {
  const flat = await buildFolder(user, 'flat')
  await plant(server, user, (db, owner) => plantEntries(db, owner, flat.id, 4000))
  source = flat.id
  const first = (await user.call(listFiles, { parent_id: flat.id, limit: 2 })).folders
  const [renamed] = first
  const [outcome] = await beginCopy()
  await user.call(renameFile, { id: renamed?.id ?? 0, name: 'renamed' })
  await buildFolder(user, renamed?.name, flat.id)
  const settled = await outcome
  const copy = settled?.status === 'fulfilled' ? settled.value.id : 0
  const { folders } = await user.call(listFiles, { parent_id: copy, only: 'folders' })
  const names = folders.map(({ name }) => name)
  expect(names).toContain(renamed?.name)
  expect(names).toContain(`${renamed?.name} (1)`)
  expect(new Set(names).size).toBe(names.length)
})

test('is not taken for a crash’s by the job that removes those, even if the clock jumps', async () => {
  const [outcome] = await beginCopy()
  await server.deps.db.touch(() => server.deps.db.change("UPDATE leases SET expires_at = 1 WHERE name LIKE 'tree:%'"))
  await deleteAbandonedTrees(server.deps, new AbortController().signal)
  expect(await outcome).toMatchObject({ status: 'fulfilled' })
})

test('that another process has taken for a crash’s ends with 503 and leaves nothing', async () => {
  const [outcome] = await beginCopy()
  await server.deps.db.touch(() =>
    server.deps.db.change("UPDATE leases SET holder = 'another', expires_at = 1 WHERE name LIKE 'tree:%'"),
  )
  expect(await outcome).toMatchObject({ status: 'rejected', reason: { status: 503, code: 'unavailable' } })
  expect(await countItems(server, user)).toBe(3001)
  await expectTrueCounters(server, user)
  await deleteAbandonedTrees(server.deps, new AbortController().signal)
  expect(await leftTrees()).toEqual([])
})

test('beside uploads, copies and deletions in one space leaves the counters true', async () => {
  const file = await buildFile(user)
  const other = await plant(server, user, (db, owner) => plantTree(db, owner, 'other', 1500))
  await user.call(trashFile, { id: other })
  const outcomes = await Promise.allSettled([
    user.call(copyFile, { id: source }),
    user.call(copyFile, { id: source }),
    user.call(deleteFile, { id: other }),
    ...Array.from({ length: 20 }, () => user.call(copyFile, { id: file.id })),
    ...Array.from({ length: 20 }, () => buildFile(user)),
  ])
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
  expect(await countItems(server, user)).toBe(3001 * 3 + 41)
  await expectTrueCounters(server, user)
})
