/** Emptying the trash deletes every item that is old enough, in slices, and keeps items that arrive meanwhile. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emptyTrash, listTrash, restoreFile, trashFile } from '../../src/api/trash.ts'
import { systemActor } from '../../src/db/write-actor.ts'
import { purgeOldTrash } from '../../src/files/delete/retention.ts'
import { plantEntries, plantFolder, plantTree } from '../bench/plant.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { onlyOn } from '../support/only-on.ts'
import { countItems, expectTrueCounters, largeContent, ownerOf, plant, until } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer({ trashRetentionDays: '7' })
})
beforeEach(async () => {
  user = await buildUser(server)
})
afterAll(() => server.close())

const day = 24 * 60 * 60 * 1000
const trash = async (...ids: number[]) => {
  for (const id of ids) await user.call(trashFile, { id })
}
const trashed = async (client = user) => (await client.call(listTrash, {})).files.map(({ id }) => id)

/** Moves back the time at which an item, with everything below it, went to the trash. */
const age = ({ deps: { db } }: TestServer, id: number, days: number) =>
  db.touch(() =>
    db.change('UPDATE files SET deleted_at = deleted_at - $1 WHERE trash_root_id = $2', [Math.round(days * day), id]),
  )

/** Plants files that went to the trash one by one, and are its roots. */
const plantRoots = (count: number) =>
  plant(server, user, async (db, owner) => {
    const folder = await plantFolder(db, owner, null, 'all of them')
    await plantEntries(db, owner, folder, count)
    await db.change('UPDATE files SET deleted_at = $1, trash_root_id = id WHERE parent_id = $2', [Date.now(), folder])
  })

describe('emptying the trash', () => {
  test('deletes everything in the trash and returns the number of its roots', async () => {
    const folder = await buildFolder(user)
    await buildFile(user, { parent_id: folder.id })
    const [file, live] = [await buildFile(user), await buildFile(user)]
    await trash(folder.id, file.id)
    const response = await user.raw('/api/files/trash/empty', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ success: true, message: 'Trash emptied', data: { deleted: 2 } })
    expect(await trashed()).toEqual([])
    expect(await countItems(server, user)).toBe(1)
    await expectTrueCounters(server, user)
    await trash(live.id)
    expect(await trashed()).toEqual([live.id])
  })

  test('deletes 0 items of an empty trash and records no event', async () => {
    expect(await user.call(emptyTrash, {})).toEqual({ deleted: 0 })
    const events = await server.deps.db.rows("SELECT id FROM events WHERE actor_id = $1 AND action LIKE 'trash%'", [
      user.id,
    ])
    expect(events).toEqual([])
  })

  test('keeps items that have not been there for long enough', async () => {
    const [old, fresh] = [await buildFile(user), await buildFile(user)]
    await trash(old.id, fresh.id)
    await age(server, old.id, 3.01)
    expect(await user.call(emptyTrash, { older_than_days: 4 })).toEqual({ deleted: 0 })
    expect(await user.call(emptyTrash, { older_than_days: 3 })).toEqual({ deleted: 1 })
    expect(await trashed()).toEqual([fresh.id])
    expect(await user.call(emptyTrash, { older_than_days: Number.MAX_SAFE_INTEGER })).toEqual({ deleted: 0 })
  })

  test('deletes even items whose time in the trash lies in the future, if no age is given', async () => {
    const file = await buildFile(user)
    await trash(file.id)
    await age(server, file.id, -400)
    expect(await user.call(emptyTrash, {})).toEqual({ deleted: 1 })
  })

  test('keeps a file that was trashed on its own before its folder', async () => {
    const folder = await buildFolder(user)
    const file = await buildFile(user, { parent_id: folder.id, name: 'kept.txt' })
    await trash(file.id, folder.id)
    await age(server, folder.id, 10)
    expect(await user.call(emptyTrash, { older_than_days: 5 })).toEqual({ deleted: 1 })
    expect((await user.call(restoreFile, { id: file.id })).file.path).toBe('/kept.txt')
  })

  test('deletes only the caller’s items', async () => {
    const stranger = await buildUser(server)
    const theirs = await buildFile(stranger)
    await stranger.call(trashFile, { id: theirs.id })
    await trash((await buildFile(user)).id)
    expect(await user.call(emptyTrash, {})).toEqual({ deleted: 1 })
    expect(await trashed(stranger)).toEqual([theirs.id])
  })

  test('deletes thousands of files and folders, small and large, and counts each root', async () => {
    await plantRoots(2300)
    const [small, large] = await plant(server, user, async (db, owner) => [
      await plantTree(db, owner, 'small', 40),
      await plantTree(db, owner, 'large', 1400),
    ])
    await trash(small ?? 0, large ?? 0)
    await buildFile(user, {}, 'stays')
    expect(await user.call(emptyTrash, {})).toEqual({ deleted: 2302 })
    expect(await countItems(server, user)).toBe(2)
    await expectTrueCounters(server, user)
  })

  test('keeps an item that goes to the trash meanwhile', async () => {
    await plantRoots(3000)
    const file = await buildFile(user)
    const whole = await countItems(server, user)
    const emptying = user.call(emptyTrash, {})
    await until(async () => (await countItems(server, user)) < whole)
    await trash(file.id)
    expect(await emptying).toEqual({ deleted: 3000 })
    expect(await trashed()).toEqual([file.id])
  })

  test('deletes each item once when it runs twice at the same time', async () => {
    await plantRoots(1500)
    const answers = await Promise.all([user.call(emptyTrash, {}), user.call(emptyTrash, {})])
    expect(answers.reduce((sum, { deleted }) => sum + deleted, 0)).toBe(1500)
    await expectTrueCounters(server, user)
  })

  test('reports success when the account is disabled after the last slice', async context => {
    onlyOn('sqlite', context)
    await trash((await buildFile(user)).id)
    await spoilRows(
      server,
      `CREATE TRIGGER ends_with_event AFTER INSERT ON events WHEN NEW.action = 'trash.empty' AND NEW.actor_id = ${user.id}
       BEGIN UPDATE users SET is_active = 0 WHERE id = NEW.actor_id; END`,
    )
    expect(await user.call(emptyTrash, {})).toEqual({ deleted: 1 })
    expect((await user.raw('/api/files/trash')).status).toBe(401)
  })

  test('stops before the next slice when the account is disabled', async () => {
    await plantRoots(3000)
    const whole = await countItems(server, user)
    const outcome = expect(user.call(emptyTrash, {})).rejects.toMatchObject({ status: 401 })
    await until(async () => (await countItems(server, user)) < whole)
    const { db } = server.deps
    await db.touch(() => db.change('UPDATE users SET is_active = $1 WHERE id = $2', [0, user.id]))
    await outcome
    const left = await countItems(server, user)
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(whole)
  })

  test('deletes the bytes from the store and records one event for the whole trash', async () => {
    const before = await readHoldings(server)
    const files = [await buildFile(user, {}, largeContent()), await buildFile(user, {}, largeContent())]
    await trash(...files.map(({ id }) => id))
    await user.call(emptyTrash, {})
    await expect.poll(async () => (await readHoldings(server)).keys).toEqual(before.keys)
    const { spaceId } = await ownerOf(server, user)
    const events = await server.deps.db.rows<{ item_id: number; detail: string }>(
      "SELECT item_id, detail FROM events WHERE actor_id = $1 AND action = 'trash.empty'",
      [user.id],
    )
    expect(events.map(({ item_id, detail }) => [item_id, JSON.parse(detail).items])).toEqual([[spaceId, 2]])
  })
})

describe('the automatic purge', () => {
  const purge = () => purgeOldTrash(server.deps, new AbortController().signal)

  test('deletes items older than the retention from every trash, and nothing else', async () => {
    const stranger = await buildUser(server)
    const theirs = await buildFile(stranger)
    await stranger.call(trashFile, { id: theirs.id })
    const [old, fresh, live] = [await buildFolder(user), await buildFile(user), await buildFile(user)]
    await buildFile(user, { parent_id: old.id })
    await trash(old.id, fresh.id)
    await age(server, old.id, 7.01)
    await age(server, fresh.id, 6.99)
    await age(server, theirs.id, 300)
    await purge()
    expect(await trashed()).toEqual([fresh.id])
    expect(await trashed(stranger)).toEqual([])
    expect(await countItems(server, user)).toBe(2)
    await trash(live.id)
    await expectTrueCounters(server, user)
    const events = await server.deps.db.rows("SELECT actor_name FROM events WHERE action = 'trash.purge'")
    expect(events).toEqual([{ actor_name: systemActor.name }, { actor_name: systemActor.name }])
  })

  test('runs in one process at a time, which holds a lease', async () => {
    const file = await buildFile(user)
    await trash(file.id)
    await age(server, file.id, 8)
    const { db } = server.deps
    await db.touch(() =>
      db.change("INSERT INTO leases (name, holder, expires_at) VALUES ('purge', 'another process', $1)", [
        Date.now() + 60_000,
      ]),
    )
    await purge()
    expect(await trashed()).toEqual([file.id])
    // The other process dies, and its lease expires.
    await db.touch(() => db.change("UPDATE leases SET expires_at = 1 WHERE name = 'purge'"))
    await purge()
    expect(await trashed()).toEqual([])
  })

  test('stops between two slices when the server stops', async () => {
    await plantRoots(1800)
    await server.deps.db.touch(() =>
      server.deps.db.change('UPDATE files SET deleted_at = deleted_at - $1 WHERE owner_id = $2 AND deleted_at > 0', [
        8 * day,
        user.id,
      ]),
    )
    await purgeOldTrash(server.deps, AbortSignal.abort())
    const left = await countItems(server, user)
    expect(left).toBeGreaterThan(1500)
    expect(left).toBeLessThan(1801)
    await expectTrueCounters(server, user)
    await purge()
    expect(await countItems(server, user)).toBe(1)
  })
})

describe('the audit log of an emptied trash', () => {
  const events = (userId: number | null) =>
    server.deps.db.rows<{ action: string; item_id: number; detail: string }>(
      `SELECT action, item_id, detail FROM events WHERE space_id = $1 AND action IN ('file.delete', 'trash.empty', 'trash.purge')
         AND ${userId === null ? 'actor_id IS NULL' : `actor_id = ${userId}`} ORDER BY id`,
      [spaceId],
    )
  let spaceId: number
  beforeEach(async () => {
    ;({ spaceId } = await ownerOf(server, user))
  })

  test('names each deleted root, and then their number', async () => {
    const [file, folder] = [await buildFile(user, { name: 'gone.txt' }), await buildFolder(user, 'gone')]
    await buildFile(user, { parent_id: folder.id })
    const large = await plant(server, user, (db, owner) => plantTree(db, owner, 'large', 600))
    await trash(file.id, folder.id, large)
    await user.call(emptyTrash, {})
    const told = await events(user.id)
    expect(told.slice(0, 3).map(({ action, item_id, detail }) => [action, item_id, JSON.parse(detail).name])).toEqual([
      ['file.delete', file.id, 'gone.txt'],
      ['file.delete', folder.id, 'gone'],
      ['file.delete', large, 'large'],
    ])
    expect(told.slice(3).map(({ action, detail }) => [action, JSON.parse(detail).items])).toEqual([['trash.empty', 3]])
  })

  test('names and counts each item once when two requests empty the trash at once', async () => {
    await plantRoots(900)
    await Promise.all([user.call(emptyTrash, {}), user.call(emptyTrash, {})])
    const told = await events(user.id)
    const deleted = told.filter(({ action }) => action === 'file.delete')
    expect(deleted).toHaveLength(900)
    expect(new Set(deleted.map(({ item_id }) => item_id)).size).toBe(900)
    const counts = told.filter(({ action }) => action === 'trash.empty').map(({ detail }) => JSON.parse(detail).items)
    expect(counts.reduce((sum, items) => sum + items, 0)).toBe(900)
  })

  test('names the items that an interrupted purge deleted', async () => {
    await plantRoots(700)
    const { db } = server.deps
    await db.touch(() =>
      db.change('UPDATE files SET deleted_at = deleted_at - $1 WHERE owner_id = $2 AND deleted_at > 0', [
        8 * day,
        user.id,
      ]),
    )
    await purgeOldTrash(server.deps, AbortSignal.abort())
    const told = await events(null)
    const gone = 701 - (await countItems(server, user))
    expect(gone).toBeGreaterThan(0)
    expect(gone).toBeLessThan(700)
    expect(told.filter(({ action }) => action === 'file.delete')).toHaveLength(gone)
    expect(told.at(-1)).toMatchObject({ action: 'trash.purge', detail: expect.stringContaining(`"items":${gone},`) })
    await purgeOldTrash(server.deps, new AbortController().signal)
  })
})
