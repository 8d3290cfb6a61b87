/** Tagging files: many files at once or none, and what shows the tags. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listAudit } from '../../src/api/events.ts'
import { getFile, listFileEvents, listFiles } from '../../src/api/files.ts'
import type { Tag } from '../../src/api/tags.ts'
import { deleteTag, listFileTags, listTags, tagFiles, untagFiles, updateTag } from '../../src/api/tags.ts'
import { trashFile } from '../../src/api/trash.ts'
import { failure, signIn } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildKey, buildTag, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
let tag: Tag
beforeAll(async () => {
  server = await startServer()
})
beforeEach(async () => {
  user = await buildUser(server)
  tag = await buildTag(user, 'tag')
})
afterAll(() => server.close())

const send = (act: 'tag' | 'untag', body: unknown) =>
  user.raw(`/api/tags/${act}-files`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const buildFiles = (count: number) => Promise.all(Array.from({ length: count }, () => buildFile(user)))
const idsOf = (items: readonly { id: number }[]) => items.map(({ id }) => id)
const countOf = async (id: number) => (await user.call(listTags, {})).tags.find(found => found.id === id)?.file_count
const notFound = { status: 404, error: 'not_found' }

describe('tagging', () => {
  test('adds the tag to every file, and counts those that did not have it', async () => {
    const ids = idsOf(await buildFiles(5))
    expect(await user.call(tagFiles, { tag_id: tag.id, file_ids: ids.slice(0, 2) })).toEqual({ changed: 2 })
    expect(await user.call(tagFiles, { tag_id: tag.id, file_ids: ids })).toEqual({ changed: 3 })
    expect(await user.call(tagFiles, { tag_id: tag.id, file_ids: ids })).toEqual({ changed: 0 })
    for (const id of ids) {
      expect((await user.call(listFileTags, { id })).tags).toEqual([{ id: tag.id, name: 'tag', color: tag.color }])
    }
    expect(await countOf(tag.id)).toBe(5)
  })

  test('is undone by untagging, which counts the files that had the tag', async () => {
    const ids = idsOf(await buildFiles(3))
    await user.call(tagFiles, { tag_id: tag.id, file_ids: ids.slice(0, 2) })
    expect(await user.call(untagFiles, { tag_id: tag.id, file_ids: ids })).toEqual({ changed: 2 })
    expect(await user.call(untagFiles, { tag_id: tag.id, file_ids: ids })).toEqual({ changed: 0 })
    expect(await countOf(tag.id)).toBe(0)
  })

  test('counts a file once that is named twice', async () => {
    const file = await buildFile(user)
    expect(await user.call(tagFiles, { tag_id: tag.id, file_ids: [file.id, file.id] })).toEqual({ changed: 1 })
    expect(await user.call(untagFiles, { tag_id: tag.id, file_ids: [file.id, file.id] })).toEqual({ changed: 1 })
  })

  test('shows on the item and in its listing, sorted by name, and leaves updated_at unchanged', async () => {
    const file = await buildFile(user)
    const first = await buildTag(user, 'a first', '#EF4444')
    for (const { id } of [tag, first]) await user.call(tagFiles, { tag_id: id, file_ids: [file.id] })
    const tags = [first, tag].map(({ id, name, color }) => ({ id, name, color }))
    expect((await user.call(getFile, { id: file.id })).file).toEqual({ ...file, tags })
    const listed = (await user.call(listFiles, {})).files.find(({ id }) => id === file.id)
    expect(listed?.tags).toEqual(tags)
    expect(listed?.updated_at).toBe(file.updated_at)
  })

  test('accepts at most 1,000 files at once', async () => {
    const file = await buildFile(user)
    const ids = Array.from({ length: 1000 }, () => file.id)
    expect((await send('tag', { tag_id: tag.id, file_ids: ids })).status).toBe(200)
    for (const file_ids of [[...ids, file.id], []]) {
      expect(await failure(await send('tag', { tag_id: tag.id, file_ids }))).toEqual({
        status: 400,
        error: 'invalid_input',
        fields: { file_ids: expect.any(String) },
      })
    }
  })

  test.each(['tag', 'untag'] as const)('is all or nothing: %s', async act => {
    const stranger = await buildUser(server)
    const [own, trashed] = await buildFiles(2)
    const foreign = await buildFile(stranger)
    const folder = await buildFolder(user)
    if (act === 'untag') await user.call(tagFiles, { tag_id: tag.id, file_ids: [own?.id ?? 0] })
    await user.call(trashFile, { id: trashed?.id ?? 0 })
    const before = await countOf(tag.id)
    for (const id of [foreign.id, trashed?.id, 999_999]) {
      const answer = await send(act, { tag_id: tag.id, file_ids: [own?.id, id] })
      expect({ id, ...(await failure(answer)) }).toEqual({ id, ...notFound })
    }
    const answer = await send(act, { tag_id: tag.id, file_ids: [own?.id, folder.id] })
    expect(await failure(answer)).toEqual({
      status: 400,
      error: 'invalid_input',
      fields: { file_ids: 'Folders cannot be tagged' },
    })
    expect(await failure(await send(act, { tag_id: 999_999, file_ids: [own?.id] }))).toEqual(notFound)
    expect(await countOf(tag.id)).toBe(before)
    expect((await stranger.call(listFileTags, { id: foreign.id })).tags).toEqual([])
  })

  test('adds an event to the activity of a single changed file', async () => {
    const [one, two] = idsOf(await buildFiles(2))
    await user.call(tagFiles, { tag_id: tag.id, file_ids: [one ?? 0] })
    await user.call(tagFiles, { tag_id: tag.id, file_ids: [one ?? 0, two ?? 0] })
    for (const id of [one, two]) {
      const { events } = await user.call(listFileEvents, { id: id ?? 0 })
      expect(events.map(({ action }) => action)).toEqual(['file.tag', 'file.upload'])
      expect(events[0]?.detail).toEqual({ tag_id: tag.id, name: 'tag' })
    }
  })

  test('of many files records one event, and none when nothing changes', async () => {
    const admin = await signIn(server.url, server.adminName, server.adminPassword)
    const ids = idsOf(await buildFiles(20))
    const input = { tag_id: tag.id, file_ids: ids }
    for (const act of [tagFiles, tagFiles, untagFiles, untagFiles]) await user.call(act, input)
    const { events } = await admin.call(listAudit, { actor: user.username, action: 'file' })
    const taggings = events.filter(({ action }) => action.endsWith('tag'))
    const told = { item_id: null, detail: { tag_id: tag.id, name: 'tag', items: 20 } }
    expect(taggings).toMatchObject([
      { action: 'file.untag', ...told },
      { action: 'file.tag', ...told },
    ])
    const { events: activity } = await user.call(listFileEvents, { id: ids[0] ?? 0 })
    expect(activity.map(({ action }) => action)).toEqual(['file.upload'])
  })
})

describe('the tags of an item', () => {
  test('need files:read of an API key, like the item itself', async () => {
    const file = await buildFile(user)
    const reader = await buildKey(server, user, ['files:read'])
    expect((await reader.call(listFileTags, { id: file.id })).tags).toEqual([])
    const other = await buildKey(server, user, ['tags:read'])
    expect((await other.raw(`/api/files/${file.id}/tags`)).status).toBe(403)
  })

  test('are empty for a folder, and 404 for trashed items, unknown items and those of other users', async () => {
    const folder = await buildFolder(user)
    expect((await user.call(listFileTags, { id: folder.id })).tags).toEqual([])
    const [trashed, foreign] = [await buildFile(user), await buildFile(await buildUser(server))]
    await user.call(trashFile, { id: trashed.id })
    for (const id of [trashed.id, foreign.id, 999_999]) {
      expect(await failure(await user.raw(`/api/files/${id}/tags`))).toEqual(notFound)
    }
  })
})

describe('the ETag of a listing', () => {
  const etagOf = async () => (await user.raw('/api/files')).headers.get('etag') ?? ''
  const changes: [string, (file: number) => Promise<unknown>][] = [
    ['tagging', async file => user.call(tagFiles, { tag_id: (await buildTag(user)).id, file_ids: [file] })],
    ['taking a tag off', file => user.call(untagFiles, { tag_id: tag.id, file_ids: [file] })],
    ['renaming a tag', () => user.call(updateTag, { id: tag.id, name: 'another' })],
    ['recolouring a tag', () => user.call(updateTag, { id: tag.id, color: '#000000' })],
    ['deleting a tag', () => user.call(deleteTag, { id: tag.id })],
  ]
  test.each(changes)('changes with %s', async (_name, change) => {
    const file = await buildFile(user)
    await user.call(tagFiles, { tag_id: tag.id, file_ids: [file.id] })
    const before = await etagOf()
    expect((await user.raw('/api/files', { headers: { 'if-none-match': before } })).status).toBe(304)
    await change(file.id)
    expect((await user.raw('/api/files', { headers: { 'if-none-match': before } })).status).toBe(200)
  })

  test('stays the same when nothing changes', async () => {
    const file = await buildFile(user)
    await user.call(tagFiles, { tag_id: tag.id, file_ids: [file.id] })
    const before = await etagOf()
    await user.call(tagFiles, { tag_id: tag.id, file_ids: [file.id] })
    await user.call(updateTag, { id: tag.id, name: 'tag' })
    await send('tag', { tag_id: tag.id, file_ids: [999_999] })
    expect(await etagOf()).toBe(before)
  })
})

describe('concurrent requests', () => {
  test('that tag one file 20 times add the tag once', async () => {
    const file = await buildFile(user)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => user.call(tagFiles, { tag_id: tag.id, file_ids: [file.id] })),
    )
    expect(answers.reduce((sum, { changed }) => sum + changed, 0)).toBe(1)
    expect(await countOf(tag.id)).toBe(1)
  })

  test('that tag, untag, change, delete and trash leave no file with the deleted tag', async () => {
    for (let round = 0; round < 5; round++) {
      const raced = await buildTag(user)
      const files = await buildFiles(6)
      const input = { tag_id: raced.id, file_ids: idsOf(files) }
      const outcomes = await Promise.allSettled([
        ...Array.from({ length: 4 }, () => user.call(tagFiles, input)),
        ...Array.from({ length: 4 }, () => user.call(untagFiles, input)),
        user.call(updateTag, { id: raced.id, name: `renamed ${round}` }),
        user.call(deleteTag, { id: raced.id }),
        user.call(deleteTag, { id: raced.id }),
        user.call(tagFiles, input),
        user.call(trashFile, { id: files[0]?.id ?? 0 }),
      ])
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 404, code: 'not_found' })
      }
      const deletions = outcomes.slice(9, 11).map(({ status }) => status)
      expect(deletions.sort()).toEqual(['fulfilled', 'rejected'])
      const left = await server.deps.db.rows('SELECT file_id FROM file_tags WHERE tag_id = $1', [raced.id])
      expect(left).toEqual([])
    }
  })
})
