/** The totals of favourites and trash: counted once while nothing changes, and right after every change. */
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { batchFiles, favoriteFile, listFavorites, listFiles } from '../../src/api/files.ts'
import { deleteFile, emptyTrash, listTrash, restoreFile, trashFile } from '../../src/api/trash.ts'
import { deleteUser, updateUser } from '../../src/api/users.ts'
import { systemActor } from '../../src/db/write-actor.ts'
import { startTransfer } from '../../src/files/transfer.ts'
import { plantEntries, plantFolder } from '../bench/plant.ts'
import { signIn } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildKey, buildUser } from '../support/factories.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { ownerOf, plant } from '../support/planting.ts'
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

const mark = (...ids: number[]) => user.call(batchFiles, { action: 'favorite', ids, is_favorite: true })

/** The number of counts that the server makes while a test runs. */
function watchCounts(): () => number {
  const asked = vi.spyOn(server.deps.db, 'row')
  onTestFinished(() => asked.mockRestore())
  return () => asked.mock.calls.filter(([sql]) => sql.startsWith('SELECT COUNT(*) AS count FROM files')).length
}

const lists = [
  ['favorites', listFavorites, (id: number) => mark(id)],
  ['trash', listTrash, (id: number) => user.call(trashFile, { id })],
] as const

describe.each(lists)('the total of %s', (_name, list, put) => {
  const totals = (limits: readonly number[]) =>
    Promise.all(limits.map(async limit => (await user.call(list, { limit })).total))

  test('is counted once for all pages until something changes, also for pages at the same time', async context => {
    onlyOneServer('process', context)
    for (let n = 0; n < 3; n++) await put((await buildFile(user)).id)
    const counts = watchCounts()
    expect(await totals([1, 2, 3, 4])).toEqual([3, 3, 3, 3])
    const { next_cursor } = await user.call(list, { limit: 1 })
    expect((await user.call(list, { limit: 1, cursor: next_cursor ?? '' })).total).toBe(3)
    expect(counts()).toBe(1)
    await put((await buildFile(user)).id)
    expect(await totals([1, 2, 3, 4])).toEqual([4, 4, 4, 4])
    expect(counts()).toBe(2)
  })

  test('is counted once at a time, and never before the question', async context => {
    onlyOneServer('process', context)
    await put((await buildFile(user)).id)
    const { db } = server.deps
    const { row } = db
    let [running, most] = [0, 0]
    onTestFinished(() => {
      db.row = row
    })
    db.row = async (sql, bind) => {
      if (!sql.startsWith('SELECT COUNT(*) AS count FROM files')) return row(sql, bind)
      running += 1
      most = Math.max(most, running)
      // The count begins before the change below, and ends after it.
      const counted = await row(sql, bind)
      await new Promise(resolve => setImmediate(resolve))
      running -= 1
      return counted as never
    }
    for (let known = 1; known < 6; known++) {
      const before = Promise.all([user.call(list, {}), user.call(list, { limit: 1 })])
      await put((await buildFile(user)).id)
      expect((await user.call(list, {})).total).toBe(known + 1)
      for (const { total } of await before) expect([known, known + 1]).toContain(total)
    }
    expect(most).toBe(1)
  })
})

test('both totals are right after every kind of change', async () => {
  const admin = await buildUser(server, { role: 'admin' })
  const other = await buildUser(server)
  const folder = await buildFolder(user, 'folder')
  const [inner, file] = [await buildFile(user, { parent_id: folder.id }), await buildFile(user)]
  const read = async (client: BuiltUser) => [
    (await client.call(listFavorites, {})).total,
    (await client.call(listTrash, {})).total,
  ]
  const acts: [act: () => Promise<unknown>, favorites: number, trashed: number][] = [
    [async () => undefined, 0, 0],
    [() => mark(inner.id, folder.id), 2, 0],
    [() => user.call(favoriteFile, { id: file.id, is_favorite: true }), 3, 0],
    [() => user.call(favoriteFile, { id: file.id, is_favorite: false }), 2, 0],
    [() => user.call(trashFile, { id: folder.id }), 0, 1],
    [() => user.call(restoreFile, { id: folder.id }), 2, 0],
    [() => user.call(batchFiles, { action: 'trash', ids: [inner.id, file.id] }), 1, 2],
    [() => user.call(deleteFile, { id: file.id }), 1, 1],
    [() => user.call(emptyTrash, { older_than_days: 0 }), 1, 0],
    [() => user.call(trashFile, { id: folder.id }), 0, 1],
  ]
  for (const [index, [act, ...totals]] of acts.entries()) {
    await act()
    expect([index, ...(await read(user))]).toEqual([index, ...totals])
  }
  expect(await read(other)).toEqual([0, 0])
  await admin.call(deleteUser, { id: user.id, files: 'transfer', to: other.id })
  expect(await read(other)).toEqual([0, 1])
})

test('both lists run one at a time for each user, sessions and keys together, and delay nothing else', async context => {
  onlyOneServer('process', context)
  const [other, key] = [await buildUser(server), await buildKey(server, user, ['files:read'])]
  const { db } = server.deps
  const { page } = db
  let [begun, open] = [0, () => {}]
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  onTestFinished(() => {
    db.page = page
  })
  db.page = async (columns, rest, ...more) => {
    if (/is_favorite = 1.*AND f\.is_directory = 1|trash_root_id = f.id/.test(rest)) {
      begun += 1
      await opened
    }
    return page(columns, rest, ...more)
  }
  const own = [user, key, user, key].flatMap(client => [client.call(listFavorites, {}), client.call(listTrash, {})])
  await expect.poll(() => begun).toBe(1)
  const others = other.call(listFavorites, {})
  await expect.poll(() => begun).toBe(2)
  for (const client of [user, key, other]) expect((await client.call(listFiles, {})).files).toEqual([])
  expect(begun).toBe(2)
  open()
  await Promise.all([...own, others])
  expect(begun).toBe(9)
})

/** Plants items of a user in the trash, each trashed by itself. */
const plantTrash = (count: number) =>
  plant(server, user, async (db, owner) => {
    const folder = await plantFolder(db, owner, null, 'place')
    await plantEntries(db, owner, folder, count)
    await db.change('UPDATE files SET deleted_at = 1, trash_root_id = id WHERE parent_id = $1', [folder])
  })

test('the total of the receiver’s trash is right after each slice of a transfer', async () => {
  const receiver = await buildUser(server)
  await plantTrash(250)
  expect((await receiver.call(listTrash, {})).total).toBe(0)
  const [{ spaceId }, to] = [await ownerOf(server, user), await ownerOf(server, receiver)]
  const { db } = server.deps
  await db.write(systemActor, record =>
    startTransfer(db, { from: { userId: user.id, spaceId, username: user.username }, to }, record),
  )
  const { total, files } = await receiver.call(listTrash, {})
  expect(total).toBeGreaterThan(0)
  expect(total).toBe(files.length)
})

test('the total of a user’s trash is right after a deletion of all files that stopped after a slice', async context => {
  onlyOneServer('process', context)
  const admin = await buildUser(server, { role: 'admin' })
  await plantTrash(250)
  expect((await user.call(listTrash, {})).total).toBe(250)
  vi.spyOn(server.deps.removals, 'add').mockRejectedValueOnce(new Error('stopped'))
  await expect(admin.call(deleteUser, { id: user.id, files: 'delete' })).rejects.toMatchObject({ status: 500 })
  await admin.call(updateUser, { id: user.id, is_active: true })
  const { total, files } = await (await signIn(server.url, user.username, user.password)).call(listTrash, {})
  expect(total).toBe(150)
  expect(files).toHaveLength(150)
})
