/** Permanent deletion: what is deleted, what stays, and that others can work meanwhile. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getProfile } from '../../src/api/auth.ts'
import { copyFile, getFile } from '../../src/api/files.ts'
import { deleteFile, listTrash, restoreFile, trashFile } from '../../src/api/trash.ts'
import { plantEntries, plantFolder, plantTree } from '../bench/plant.ts'
import { failure } from '../support/client.ts'
import { type BuiltUser, buildChain, buildFile, buildFolder, buildKey, buildUser } from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import {
  countItems,
  expectTrueCounters,
  largeContent,
  plant,
  plantThumbnail,
  readMiscount,
  until,
} from '../support/planting.ts'
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

const trash = async (...ids: number[]) => {
  for (const id of ids) await user.call(trashFile, { id })
}
const drop = (id: number) => user.raw(`/api/files/${id}/permanent`, { method: 'DELETE' })
const trashed = async () => (await user.call(listTrash, {})).files.map(({ id }) => id)
const notFound = { status: 404, error: 'not_found' }

describe('permanent deletion', () => {
  test('removes a file from the trash and gives its bytes back to the quota', async () => {
    const [file, other] = [await buildFile(user, {}, 'x'.repeat(1000)), await buildFile(user, {}, 'x'.repeat(500))]
    await trash(file.id, other.id)
    const response = await drop(file.id)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ success: true, message: 'Deleted', data: null })
    expect(await trashed()).toEqual([other.id])
    expect((await user.call(getProfile, {})).storage_used).toBe(500)
  })

  test('makes the item 404 for every call', async () => {
    const file = await buildFile(user)
    await trash(file.id)
    await user.call(deleteFile, { id: file.id })
    expect(await failure(await drop(file.id))).toEqual(notFound)
    expect(await failure(await user.raw(`/api/files/${file.id}/restore`, { method: 'PUT' }))).toEqual(notFound)
    expect(await failure(await user.raw(`/api/files/${file.id}`))).toEqual(notFound)
  })

  test('requested twice at the same time is one 200 and one 404, for a large folder, too', async () => {
    const file = await buildFile(user)
    const folder = await plant(server, user, (db, owner) => plantTree(db, owner, 'large', 1200))
    await trash(file.id, folder)
    for (const id of [file.id, folder]) {
      const answers = await Promise.all([drop(id), drop(id)])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
    }
    expect(await countItems(server, user)).toBe(0)
    await expectTrueCounters(server, user)
  })

  test('of a live item is 409', async () => {
    const file = await buildFile(user)
    expect(await failure(await drop(file.id))).toEqual({ status: 409, error: 'not_trashed' })
    await user.call(getFile, { id: file.id })
  })

  test('of an item below a trashed folder, of another user’s item or of an unknown item is 404', async () => {
    const folder = await buildFolder(user)
    const file = await buildFile(user, { parent_id: folder.id })
    await trash(folder.id)
    expect(await failure(await drop(file.id))).toEqual(notFound)
    expect(await failure(await drop(987_654_321))).toEqual(notFound)
    const admin = await buildUser(server, { role: 'admin' })
    expect(await failure(await admin.raw(`/api/files/${folder.id}/permanent`, { method: 'DELETE' }))).toEqual(notFound)
    expect(await trashed()).toEqual([folder.id])
  })

  test('needs the permission files:delete of an API key', async () => {
    const file = await buildFile(user)
    await trash(file.id)
    const reader = await buildKey(server, user, ['files:read', 'files:write'])
    expect((await reader.raw(`/api/files/${file.id}/permanent`, { method: 'DELETE' })).status).toBe(403)
    await (await buildKey(server, user, ['files:delete'])).call(deleteFile, { id: file.id })
  })

  test('records one event with the user who deleted the item', async () => {
    const folder = await plant(server, user, (db, owner) => plantTree(db, owner, 'told once', 600))
    await trash(folder)
    await user.call(deleteFile, { id: folder })
    const events = await server.deps.db.rows(
      "SELECT actor_id, item_id, detail FROM events WHERE action = 'file.delete' AND item_id = $1",
      [folder],
    )
    expect(events).toEqual([{ actor_id: user.id, item_id: folder, detail: '{"name":"told once"}' }])
  })
})

describe('permanent deletion of a folder', () => {
  test('deletes everything that was trashed with it, of any depth and size, and keeps the counters true', async () => {
    const [top = 0, ...chain] = await buildChain(user, 100)
    await plant(server, user, async (db, owner) => {
      await plantEntries(db, owner, chain[50] ?? 0, 1300)
      await plantEntries(db, owner, await plantFolder(db, owner, top, 'wide'), 700)
    })
    await buildFile(user, { parent_id: chain.at(-1) })
    await trash(top)
    await user.call(deleteFile, { id: top })
    expect(await countItems(server, user)).toBe(0)
    expect((await user.call(getProfile, {})).storage_used).toBe(0)
    await expectTrueCounters(server, user)
    expect(await server.deps.db.rows("SELECT name FROM leases WHERE name LIKE 'tree:%'")).toEqual([])
  })

  test.each([10, 800])(
    'leaves items in the trash that were trashed before it, with %i items beside them',
    async count => {
      const [top = 0, middle = 0] = await buildChain(user, 2)
      const earlier = await buildFile(user, { parent_id: middle, name: 'earlier.txt' }, 'kept')
      const folder = await buildFolder(user, 'earlier folder', middle)
      const inside = await buildFile(user, { parent_id: folder.id, name: 'inside.txt' })
      await plant(server, user, (db, owner) => plantEntries(db, owner, middle, count))
      await trash(earlier.id, folder.id, top)
      await user.call(deleteFile, { id: top })
      expect(new Set(await trashed())).toEqual(new Set([earlier.id, folder.id]))
      const back = (await user.call(restoreFile, { id: earlier.id })).file
      expect(back).toMatchObject({ path: '/earlier.txt', parent_id: null })
      expect(await (await user.raw(`/api/files/${earlier.id}/download`)).text()).toBe('kept')
      await user.call(restoreFile, { id: folder.id })
      expect((await user.call(getFile, { id: inside.id })).file.path).toBe('/earlier folder/inside.txt')
      await expectTrueCounters(server, user)
    },
  )

  test('runs in slices: counters stay true and others can write between them', async () => {
    const folder = await plant(server, user, (db, owner) => plantTree(db, owner, 'sliced', 4000))
    const whole = await countItems(server, user)
    await trash(folder)
    let isDone = false
    const deletion = user.call(deleteFile, { id: folder }).finally(() => {
      isDone = true
    })
    const counts = new Set<number>()
    let uploads = 0
    await until(async () => {
      counts.add(await countItems(server, user))
      expect(await readMiscount(server, user)).toEqual({ bytes: 0, items: 0 })
      await buildFile(user)
      uploads += 1
      return isDone
    })
    await deletion
    expect([...counts].filter(count => count > uploads && count < whole).length).toBeGreaterThan(1)
    expect(await countItems(server, user)).toBe(uploads)
  })

  test('hides the folder from every other call once it has begun', async () => {
    const folder = await plant(server, user, (db, owner) => plantTree(db, owner, 'half gone', 3000))
    await trash(folder)
    const whole = await countItems(server, user)
    const deletion = user.call(deleteFile, { id: folder })
    await until(async () => (await countItems(server, user)) < whole)
    expect(await failure(await drop(folder))).toEqual(notFound)
    expect(await failure(await user.raw(`/api/files/${folder}/restore`, { method: 'PUT' }))).toEqual(notFound)
    expect(await trashed()).toEqual([])
    expect((await user.raw('/api/files/trash/empty', { method: 'POST', headers: json, body: '{}' })).status).toBe(200)
    await deletion
    expect(await countItems(server, user)).toBe(0)
  })
})

const json = { 'content-type': 'application/json' }

describe('the bytes of permanently deleted files', () => {
  test('leave the store at once, together with their thumbnails', async () => {
    const before = await readHoldings(server)
    const content = largeContent()
    const folder = await buildFolder(user)
    const file = await buildFile(user, { parent_id: folder.id }, content)
    const thumbnail = await plantThumbnail(server, file.id)
    await buildFile(user, { parent_id: folder.id }, 'small content, beside its row')
    expect((await readHoldings(server)).keys).toContain(thumbnail)
    await trash(folder.id)
    await user.call(deleteFile, { id: folder.id })
    await expect.poll(() => readHoldings(server)).toEqual(before)
  })

  test('stay as long as another file has them: another user’s, a trashed one or a copy', async () => {
    const before = await readHoldings(server)
    const content = largeContent()
    const stranger = await buildUser(server)
    const [mine, theirs] = [await buildFile(user, {}, content), await buildFile(stranger, {}, content)]
    const copy = (await user.call(copyFile, { id: mine.id })).file
    await trash(mine.id, copy.id)
    await user.call(deleteFile, { id: mine.id })
    await user.call(deleteFile, { id: copy.id })
    const bytes = Buffer.from(await (await stranger.raw(`/api/files/${theirs.id}/download`)).arrayBuffer())
    expect(bytes.equals(content)).toBe(true)
    await stranger.call(trashFile, { id: theirs.id })
    await expect.poll(async () => (await readHoldings(server)).keys.length).toBe(before.keys.length + 1)
    await stranger.call(deleteFile, { id: theirs.id })
    await expect.poll(() => readHoldings(server)).toEqual(before)
  })

  test('are never deleted from under an upload of the same content', async () => {
    for (let round = 0; round < 10; round++) {
      const content = largeContent()
      const old = await buildFile(user, {}, content)
      await trash(old.id)
      const stranger = await buildUser(server)
      const [, fresh] = await Promise.all([user.call(deleteFile, { id: old.id }), buildFile(stranger, {}, content)])
      const bytes = Buffer.from(await (await stranger.raw(`/api/files/${fresh.id}/download`)).arrayBuffer())
      expect(bytes.equals(content)).toBe(true)
    }
  })
})
