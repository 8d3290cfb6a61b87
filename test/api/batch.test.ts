/** One action on many items: each item succeeds or fails on its own, in the order given. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { InputOf, OutputOf } from '../../src/api/endpoint.ts'
import { listAudit } from '../../src/api/events.ts'
import { batchFiles, favoriteFile, getFile, listFavorites, listFileEvents, listFiles } from '../../src/api/files.ts'
import type { Permission } from '../../src/api/permissions.ts'
import { listFileTags, tagFiles } from '../../src/api/tags.ts'
import { listTrash, trashFile } from '../../src/api/trash.ts'
import { failure, signIn } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildKey, buildTag, buildUser } from '../support/factories.ts'
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

type Input = InputOf<typeof batchFiles>
type Results = OutputOf<typeof batchFiles>['results']

const batch = async (input: Input): Promise<Results> => (await user.call(batchFiles, input)).results
const send = (input: unknown, client: Pick<BuiltUser, 'raw'> = user) =>
  client.raw('/api/files/batch', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
  })
const done = (id: number) => ({ id, ok: true })
const failed = (id: number, error: string) => ({ id, ok: false, error, message: expect.any(String) })
const buildFiles = async (count: number) =>
  (await Promise.all(Array.from({ length: count }, () => buildFile(user)))).map(({ id }) => id)
const listedIds = async (parent_id: number | null) => {
  const { files, folders } = await user.call(listFiles, { parent_id })
  return [...folders, ...files].map(({ id }) => id).sort((a, b) => a - b)
}

describe('a batch', () => {
  test('moves into a folder and back to the root', async () => {
    const folder = await buildFolder(user)
    const ids = await buildFiles(3)
    expect(await batch({ action: 'move', ids, parent_id: folder.id })).toEqual(ids.map(done))
    expect(await listedIds(folder.id)).toEqual([...ids].sort((a, b) => a - b))
    expect(await batch({ action: 'move', ids })).toEqual(ids.map(done))
    expect(await listedIds(folder.id)).toEqual([])
  })

  test('trashes, restores and permanently deletes', async () => {
    const folder = await buildFolder(user)
    await buildFile(user, { parent_id: folder.id })
    const ids = [...(await buildFiles(2)), folder.id]
    expect(await batch({ action: 'trash', ids })).toEqual(ids.map(done))
    expect((await user.call(listTrash, {})).total).toBe(3)
    expect(await batch({ action: 'restore', ids })).toEqual(ids.map(done))
    expect(await listedIds(null)).toEqual([...ids].sort((a, b) => a - b))
    expect(await batch({ action: 'delete', ids })).toEqual(ids.map(id => failed(id, 'not_trashed')))
    await batch({ action: 'trash', ids })
    expect(await batch({ action: 'delete', ids })).toEqual(ids.map(done))
    expect((await user.call(listTrash, {})).total).toBe(0)
    expect(await batch({ action: 'delete', ids })).toEqual(ids.map(id => failed(id, 'not_found')))
  })

  test('sets and removes the favorite mark', async () => {
    const ids = [...(await buildFiles(2)), (await buildFolder(user)).id]
    expect(await batch({ action: 'favorite', ids, is_favorite: true })).toEqual(ids.map(done))
    expect((await user.call(listFavorites, {})).total).toBe(3)
    expect(await batch({ action: 'favorite', ids, is_favorite: false })).toEqual(ids.map(done))
    expect((await user.call(listFavorites, {})).total).toBe(0)
  })

  test('tags and untags files, and refuses a folder among them by itself', async () => {
    const tag = await buildTag(user)
    const [folder, ids] = [await buildFolder(user), await buildFiles(2)]
    const all = [ids[0] ?? 0, folder.id, ids[1] ?? 0]
    for (const action of ['tag', 'untag'] as const) {
      expect(await batch({ action, ids: all, tag_id: tag.id })).toEqual([
        done(all[0] ?? 0),
        { id: folder.id, ok: false, error: 'invalid_input', message: 'Folders cannot be tagged' },
        done(all[2] ?? 0),
      ])
      const { tags } = await user.call(listFileTags, { id: ids[0] ?? 0 })
      expect(tags.map(({ id }) => id)).toEqual(action === 'tag' ? [tag.id] : [])
    }
  })

  test('changes what it can, and gives each failed id the error of its single call', async () => {
    const [outer, stranger] = [await buildFolder(user), await buildUser(server)]
    const inner = await buildFolder(user, 'inner', outer.id)
    const file = await buildFile(user, { name: 'same' })
    const clash = await buildFile(user, { name: 'clash' })
    await buildFile(user, { name: 'clash', parent_id: inner.id })
    const foreign = await buildFile(stranger)
    const trashed = await buildFile(user)
    await user.call(trashFile, { id: trashed.id })
    const ids = [clash.id, 999_999, outer.id, inner.id, foreign.id, trashed.id, file.id]
    const codes = ['name_taken', 'not_found', 'would_cycle', 'would_cycle', 'not_found', 'not_found', null]
    expect(await batch({ action: 'move', ids, parent_id: inner.id })).toEqual(
      ids.map((id, index) => (codes[index] === null ? done(id) : failed(id, codes[index] ?? ''))),
    )
    for (const [index, id] of ids.entries()) {
      if (codes[index] === null) continue
      const single = await user.raw(`/api/files/${id}/move`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ parent_id: inner.id }),
      })
      expect((await failure(single)).error).toBe(codes[index])
    }
    expect((await stranger.call(getFile, { id: foreign.id })).file).toEqual(foreign)
  })

  test('tries a repeated id again each time', async () => {
    const [id = 0] = await buildFiles(1)
    expect(await batch({ action: 'trash', ids: [id, id] })).toEqual([done(id), failed(id, 'not_found')])
    expect(await batch({ action: 'restore', ids: [id, id] })).toEqual([done(id), failed(id, 'not_trashed')])
    expect(await batch({ action: 'favorite', ids: [id, id], is_favorite: true })).toEqual([done(id), done(id)])
  })

  test('takes 1,000 ids, and other calls are answered meanwhile', async () => {
    const [id = 0] = await buildFiles(1)
    const ids = Array.from({ length: 1000 }, (_, index) => (index === 500 ? id : 1_000_000 + index))
    let isOver = false
    const running = batch({ action: 'move', ids }).finally(() => {
      isOver = true
    })
    await user.call(getFile, { id })
    expect(isOver).toBe(false)
    const results = await running
    expect(results.map(result => result.id)).toEqual(ids)
    expect(results.filter(({ ok }) => ok)).toEqual([done(id)])
  })

  test('tags and marks many files in one event, and records no event where nothing changes', async () => {
    const admin = await signIn(server.url, server.adminName, server.adminPassword)
    const tag = await buildTag(user)
    const ids = [...(await buildFiles(3)), 999_999]
    const results = [...ids.slice(0, 3).map(done), failed(999_999, 'not_found')]
    const toggles: Input[] = [
      { action: 'tag', ids, tag_id: tag.id },
      { action: 'untag', ids, tag_id: tag.id },
      { action: 'favorite', ids, is_favorite: true },
      { action: 'favorite', ids, is_favorite: false },
    ]
    for (const toggle of toggles) for (const _again of [1, 2]) expect(await batch(toggle)).toEqual(results)
    const { events } = await admin.call(listAudit, { actor: user.username, action: 'file' })
    expect(events.slice(0, 4).map(({ action, item_id, detail }) => [action, item_id, detail?.items])).toEqual(
      ['file.unfavorite', 'file.favorite', 'file.untag', 'file.tag'].map(action => [action, null, 3]),
    )
    expect(events.slice(4).map(({ action }) => action)).toEqual(['file.upload', 'file.upload', 'file.upload'])
  })

  test.each(['tag', 'untag'] as const)(
    'gives each id its own error in a batch to %s, even when all fail',
    async action => {
      const tag = await buildTag(user)
      const folder = await buildFolder(user)
      const results = [failed(999_999, 'not_found'), failed(folder.id, 'invalid_input')]
      expect(await batch({ action, ids: [999_999, folder.id], tag_id: tag.id })).toEqual(results)
    },
  )

  test('records the events of the single calls', async () => {
    const [id = 0] = await buildFiles(1)
    await batch({ action: 'favorite', ids: [id], is_favorite: true })
    const batched = (await user.call(listFileEvents, { id })).events[0]
    await user.call(favoriteFile, { id, is_favorite: false })
    const single = (await user.call(listFileEvents, { id })).events[0]
    expect(batched).toMatchObject({ action: 'file.favorite', actor_id: user.id, item_id: id })
    expect(single).toMatchObject({ action: 'file.unfavorite', actor_id: user.id, item_id: id })
  })
})

describe('a batch with a target', () => {
  test('is 404 as a whole when the target is unknown, another user’s, trashed or no folder', async () => {
    const stranger = await buildUser(server)
    const [foreign, trashed, file] = [await buildFolder(stranger), await buildFolder(user), await buildFile(user)]
    await user.call(trashFile, { id: trashed.id })
    const ids = await buildFiles(1)
    for (const parent_id of [foreign.id, trashed.id, file.id, 999_999]) {
      expect(await failure(await send({ action: 'move', ids, parent_id }))).toEqual({ status: 404, error: 'not_found' })
    }
    const tag = await buildTag(stranger)
    for (const tag_id of [tag.id, 999_999]) {
      for (const action of ['tag', 'untag']) {
        expect(await failure(await send({ action, ids, tag_id }))).toEqual({ status: 404, error: 'not_found' })
      }
    }
  })
})

describe('a batch by an API key', () => {
  const needs: [string, Permission, object][] = [
    ['move', 'files:write', {}],
    ['favorite', 'files:write', { is_favorite: true }],
    ['trash', 'files:delete', {}],
    ['restore', 'files:delete', {}],
    ['delete', 'files:delete', {}],
    ['tag', 'tags:write', {}],
    ['untag', 'tags:write', {}],
  ]
  test.each(needs)('needs for %s the permission of the single call: %s', async (action, permission, fields) => {
    const tag = await buildTag(user)
    const [id = 0] = await buildFiles(1)
    await user.call(tagFiles, { tag_id: tag.id, file_ids: [id] })
    const input = { action, ids: [id], ...fields, ...(permission === 'tags:write' ? { tag_id: tag.id } : {}) }
    const others = (
      ['files:read', 'files:search', 'files:upload', 'files:write', 'files:delete', 'tags:write'] as const
    ).filter(other => other !== permission)
    const answer = await send(input, await buildKey(server, user, others))
    expect(await failure(answer)).toEqual({ status: 403, error: 'forbidden' })
    expect((await user.call(getFile, { id })).file).toMatchObject({ is_favorite: false, tags: [{ id: tag.id }] })
    expect((await send(input, await buildKey(server, user, [permission]))).status).toBe(200)
  })
})

describe('a batch with invalid input is refused', () => {
  test.each([
    [{}, 'action'],
    [{ action: 'copy', ids: [1] }, 'action'],
    [{ action: 'trash' }, 'ids'],
    [{ action: 'trash', ids: [] }, 'ids'],
    [{ action: 'trash', ids: 1 }, 'ids'],
    [{ action: 'trash', ids: ['1'] }, 'ids.0'],
    [{ action: 'trash', ids: [1, -1] }, 'ids.1'],
    [{ action: 'trash', ids: [1.5] }, 'ids.0'],
    [{ action: 'trash', ids: Array.from({ length: 1001 }, () => 1) }, 'ids'],
    [{ action: 'trash', ids: [1], parent_id: 1 }, 'parent_id'],
    [{ action: 'favorite', ids: [1] }, 'is_favorite'],
    [{ action: 'tag', ids: [1] }, 'tag_id'],
    [{ action: 'move', ids: [1], parent_id: '1' }, 'parent_id'],
  ])('%#: %j', async (input, field) => {
    expect(await failure(await send(input))).toEqual({
      status: 400,
      error: 'invalid_input',
      fields: { [field]: expect.any(String) },
    })
  })
})
