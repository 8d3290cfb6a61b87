/** A copy of a folder during changes to the folder, its target or the space: the copy is complete or leaves nothing. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { copyFile, listFiles, moveFile, renameFile } from '../../src/api/files.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { deleteFile, listTrash, trashFile } from '../../src/api/trash.ts'
import { deleteUser } from '../../src/api/users.ts'
import { deleteAbandonedTrees } from '../../src/files/delete/tree.ts'
import { plantEntries, plantTree } from '../bench/plant.ts'
import { type BuiltUser, buildChain, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { countItems, expectTrueCounters, plant, readMiscount, until } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
/** So large that a copy takes many slices. */
let source: number
beforeAll(async () => {
  server = await startServer()
})
beforeEach(async () => {
  user = await buildUser(server)
  source = await plant(server, user, (db, owner) => plantTree(db, owner, 'source', 3000))
})
afterAll(() => server.close())

/** Starts a copy; resolves to its outcome once part of the copy exists. */
async function beginCopy(parentId: number | null = null): Promise<Promise<PromiseSettledResult<FileDetails>>[]> {
  const before = await countItems(server, user)
  const copying = user.call(copyFile, { id: source, parent_id: parentId }).then(({ file }) => file)
  const outcome = Promise.allSettled([copying]).then(([settled]) => settled)
  await until(async () => (await countItems(server, user)) > before + 300)
  // Return an array: an async function would wait for a bare promise.
  return [outcome]
}

const leftTrees = () => server.deps.db.rows("SELECT name FROM leases WHERE name LIKE 'tree:%'")

/** Expects that nothing of a copy exists, neither rows nor a charge to the quota. */
async function expectNoCopy(items: number): Promise<void> {
  expect(await countItems(server, user)).toBe(items)
  await expectTrueCounters(server, user)
  expect(await leftTrees()).toEqual([])
}

test('a copy is invisible until it is complete', async () => {
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

test('a copy counts towards the quota as it grows', async () => {
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

test('a copy gets 404 and leaves nothing when its target moves to the trash', async () => {
  const target = await buildFolder(user)
  const items = await countItems(server, user)
  const [outcome] = await beginCopy(target.id)
  await user.call(trashFile, { id: target.id })
  expect(await outcome).toMatchObject({ status: 'rejected', reason: { status: 404 } })
  await expectNoCopy(items)
})

test('a copy gets 404 and leaves nothing when its target is deleted permanently', async () => {
  const target = await buildFolder(user)
  const items = await countItems(server, user)
  const [outcome] = await beginCopy(target.id)
  await user.call(trashFile, { id: target.id })
  await user.call(deleteFile, { id: target.id })
  expect(await outcome).toMatchObject({ status: 'rejected', reason: { status: 404 } })
  await expectNoCopy(items - 1)
})

test('a copy gets 400 and leaves nothing when its target moves too deep', async () => {
  const [target, chain] = [await buildFolder(user), await buildChain(user, 99)]
  const items = await countItems(server, user)
  const [outcome] = await beginCopy(target.id)
  await user.call(moveFile, { id: target.id, parent_id: chain.at(-1) })
  expect(await outcome).toMatchObject({ status: 'rejected', reason: { status: 400 } })
  await expectNoCopy(items)
})

test('a copy gets the next free name when its name is taken meanwhile', async () => {
  const [outcome] = await beginCopy()
  await buildFolder(user, 'source (1)')
  expect(await outcome).toMatchObject({ status: 'fulfilled', value: { name: 'source (2)' } })
})

test('a copy gets 413 and leaves nothing when the quota is exceeded meanwhile', async () => {
  const [outcome] = await beginCopy()
  await server.deps.db.touch(() =>
    server.deps.db.change('UPDATE spaces SET storage_quota = 1 WHERE owner_id = $1', [user.id]),
  )
  expect(await outcome).toMatchObject({ status: 'rejected', reason: { status: 413, code: 'quota_exceeded' } })
  // The root, three folders, and their contents.
  await expectNoCopy(3001)
})

test('a copy gets 404 and leaves nothing when its source moves to the trash', async () => {
  const items = await countItems(server, user)
  const [outcome] = await beginCopy()
  await user.call(trashFile, { id: source })
  expect(await outcome).toMatchObject({ status: 'rejected', reason: { status: 404 } })
  await expectNoCopy(items)
  expect((await user.call(listFiles, {})).total).toBe(0)
})

test('a copy gets 404 and leaves nothing when its source is deleted permanently', async () => {
  const [outcome] = await beginCopy()
  await user.call(trashFile, { id: source })
  await user.call(deleteFile, { id: source })
  expect(await outcome).toMatchObject({ status: 'rejected', reason: { status: 404 } })
  await expectNoCopy(0)
})

test('a copy gets 404 and leaves nothing when a folder inside its source moves to the trash before it is copied', async () => {
  const { folders } = await user.call(listFiles, { parent_id: source })
  const items = await countItems(server, user)
  const [outcome] = await beginCopy()
  for (const { id } of folders) await user.call(trashFile, { id })
  expect(await outcome).toMatchObject({ status: 'rejected', reason: { status: 404 } })
  await expectNoCopy(items)
})

test.each(['delete', 'transfer'] as const)(
  'a copy completes or gets 401, 404 or 503, and leaves nothing, when its user is deleted (files: %s)',
  async files => {
    const [admin, receiver] = [await buildUser(server, { role: 'admin' }), await buildUser(server)]
    const [outcome] = await beginCopy()
    const to = files === 'transfer' ? receiver.id : undefined
    await admin.call(deleteUser, { id: user.id, files, to })
    const settled = await outcome
    if (settled?.status === 'rejected') expect([401, 404, 503]).toContain(settled.reason.status)
    expect(await countItems(server, user)).toBe(0)
    expect(await leftTrees()).toEqual([])
    // All former items and the folder around them, and nothing of the copy.
    expect(await countItems(server, receiver)).toBe(files === 'transfer' ? 3002 : 0)
    await expectTrueCounters(server, receiver)
  },
)

test('a copy has no two equal names when items are renamed meanwhile', async () => {
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

test('a copy in progress is not removed as the remains of a crash, even if the clock jumps', async () => {
  const [outcome] = await beginCopy()
  await server.deps.db.touch(() => server.deps.db.change("UPDATE leases SET expires_at = 1 WHERE name LIKE 'tree:%'"))
  await deleteAbandonedTrees(server.deps, new AbortController().signal)
  expect(await outcome).toMatchObject({ status: 'fulfilled' })
})

test('a copy gets 503 and leaves nothing when another process has taken its lease', async () => {
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

test('copies, uploads and deletions in one space leave correct counters', async () => {
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
