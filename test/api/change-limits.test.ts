/** The rate limit of changes for each user and day, which bounds how many events one user can add. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { batchFiles, copyFile, getFile, renameFile, setFileMetadata } from '../../src/api/files.ts'
import { maxChangesPerDay } from '../../src/api/limits.ts'
import { tagFiles, untagFiles } from '../../src/api/tags.ts'
import { deleteFile, restoreFile, trashFile } from '../../src/api/trash.ts'
import { failure } from '../support/client.ts'
import {
  type BuiltUser,
  buildField,
  buildFile,
  buildFolder,
  buildKey,
  buildTag,
  buildUser,
} from '../support/factories.ts'
import { onlyOn, onlyOneServer } from '../support/only-on.ts'
import { countItems, expectTrueCounters } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

beforeEach(context => onlyOneServer('counts', context))

const tooMany = { status: 429, code: 'rate_limited', message: 'Too many changes within a day, try again later' }

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

test('a user who reaches the day’s limit of changes can change nothing more, but can still delete', async () => {
  const [user, other] = [await buildUser(server), await buildUser(server)]
  const [file, tag] = [await buildFile(user), await buildTag(user)]
  const key = await buildKey(server, user, ['files:write'])
  await user.call(trashFile, { id: (await buildFile(user)).id })
  // The test made four changes above, with the key; this count leaves ten.
  await server.deps.changes.count(user.id, maxChangesPerDay - 4 - 10)
  const ids = Array.from({ length: 9 }, () => file.id)
  await user.call(batchFiles, { action: 'move', ids })
  await user.call(renameFile, { id: file.id, name: 'the last' })
  await expect(buildFolder(user)).rejects.toMatchObject(tooMany)
  await expect(buildFolder(key)).rejects.toMatchObject(tooMany)
  await expect(buildFile(user)).rejects.toMatchObject(tooMany)
  await expect(user.call(batchFiles, { action: 'tag', ids, tag_id: tag.id })).rejects.toMatchObject(tooMany)
  const refused = await user.raw('/api/files/folders', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'new' }),
  })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(23 * 60 * 60)
  expect(await failure(refused)).toEqual({ status: 429, error: 'rate_limited' })
  await user.call(trashFile, { id: file.id })
  await expect(user.call(restoreFile, { id: file.id })).rejects.toMatchObject(tooMany)
  await user.call(deleteFile, { id: file.id })
  await buildFolder(other)
})

describe('tags and favorites', () => {
  test.each<[string, (user: BuiltUser, tagId: number, ids: number[]) => Promise<unknown>]>([
    ['a tag', (user, tag_id, file_ids) => user.call(tagFiles, { tag_id, file_ids })],
    ['a tag that is taken off', (user, tag_id, file_ids) => user.call(untagFiles, { tag_id, file_ids })],
    ['a tag in a batch', (user, tag_id, ids) => user.call(batchFiles, { action: 'tag', ids, tag_id })],
    ['a tag taken off in a batch', (user, tag_id, ids) => user.call(batchFiles, { action: 'untag', ids, tag_id })],
    ['a favorite', (user, _, ids) => user.call(batchFiles, { action: 'favorite', ids, is_favorite: true })],
  ])('count as one change for each ten files, rounded up: %s', async (_what, mark) => {
    const user = await buildUser(server)
    const [file, tag] = [await buildFile(user), await buildTag(user)]
    const filesOf = (count: number) => Array.from({ length: count }, () => file.id)
    // The test made two changes above; this count leaves seven.
    await server.deps.changes.count(user.id, maxChangesPerDay - 2 - 7)
    await mark(user, tag.id, filesOf(21))
    await mark(user, tag.id, filesOf(30))
    await expect(mark(user, tag.id, filesOf(11))).rejects.toMatchObject(tooMany)
    await mark(user, tag.id, filesOf(10))
    await expect(mark(user, tag.id, filesOf(1))).rejects.toMatchObject(tooMany)
  })
})

test.each(['a file', 'a folder'])('the tags of a copy count as one change for each ten: %s', async kind => {
  const user = await buildUser(server)
  const folder = await buildFolder(user)
  const file = await buildFile(user, { parent_id: folder.id })
  for (let n = 0; n < 20; n++) {
    const tag = await buildTag(user)
    await user.call(tagFiles, { tag_id: tag.id, file_ids: [file.id] })
  }
  const { id } = kind === 'a file' ? file : folder
  // The test made 42 changes above; this count leaves those of one copy, and one less than those of another.
  await server.deps.changes.count(user.id, maxChangesPerDay - 42 - 3 - 2)
  await user.call(copyFile, { id })
  await expect(user.call(copyFile, { id })).rejects.toMatchObject(tooMany)
})

describe('metadata', () => {
  let fieldId: number
  let user: BuiltUser
  beforeAll(async () => {
    fieldId = (await buildField(await buildUser(server, { role: 'admin' }), { field_type: 'textarea' })).id
  })
  beforeEach(async () => {
    user = await buildUser(server)
  })

  /** A value that takes this many KB, in its own form and in the folded form for search. */
  const metadataOf = (kilobytes: number) => [{ field_id: fieldId, value: 'x'.repeat(512 * kilobytes) }]
  /** Counts changes of the user so that some are left of the day; `made` of them are counted already. */
  const leave = (left: number, made: number) => server.deps.changes.count(user.id, maxChangesPerDay - made - left)

  test('counts as one change for each KB, beside the change itself, when it is set, uploaded or copied', async () => {
    const { id } = await buildFile(user)
    await leave(3 * 11 + 2, 1)
    await user.call(setFileMetadata, { id, metadata: metadataOf(10) })
    await user.call(setFileMetadata, { id, metadata: [{ field_id: fieldId, value: '' }] })
    const file = await buildFile(user, { metadata: metadataOf(10) })
    await user.call(copyFile, { id: file.id })
    await user.call(renameFile, { id, name: 'the last' })
    await expect(user.call(renameFile, { id, name: 'one too many' })).rejects.toMatchObject(tooMany)
  })

  test('is not stored when it has more KB than the day’s limit leaves', async () => {
    const metadata = metadataOf(10)
    const [file, marked] = [await buildFile(user, { name: 'a.txt' }), await buildFile(user, { metadata })]
    await leave(10, 2 + 10)
    await expect(user.call(setFileMetadata, { id: file.id, metadata })).rejects.toMatchObject(tooMany)
    await expect(buildFile(user, { name: 'b.txt', metadata })).rejects.toMatchObject(tooMany)
    await expect(user.call(copyFile, { id: marked.id })).rejects.toMatchObject(tooMany)
    expect((await user.call(getFile, { id: file.id })).file.metadata).toEqual([])
    expect(await countItems(server, user)).toBe(2)
  })

  describe('of a copied folder', () => {
    const [files, kilobytes] = [70, 19]
    const metadata = files * kilobytes
    let folder: number
    beforeEach(async () => {
      folder = (await buildFolder(user)).id
      for (let n = 0; n < files; n++) await buildFile(user, { parent_id: folder, metadata: metadataOf(kilobytes) })
    })

    test('counts in all slices of the copy', async () => {
      await leave(1 + metadata, 1 + files + metadata)
      await user.call(copyFile, { id: folder })
      expect(await countItems(server, user)).toBe(2 * (files + 1))
      await expect(buildFolder(user)).rejects.toMatchObject(tooMany)
    })

    test('ends the copy without a trace when it exceeds the day’s limit', async () => {
      await leave(metadata, 1 + files + metadata)
      await expect(user.call(copyFile, { id: folder })).rejects.toMatchObject(tooMany)
      expect(await countItems(server, user)).toBe(files + 1)
      await expectTrueCounters(server, user)
    })
  })
})

test('two servers of one database count the changes of a user together', async context => {
  onlyOn('mariadb', context)
  const second = await startServer({ database: server.databaseFlag })
  context.onTestFinished(async () => {
    await second.deps.db.close()
  })
  const user = await buildUser(server)
  await second.deps.changes.count(user.id, maxChangesPerDay)
  await expect(buildFolder(user)).rejects.toMatchObject(tooMany)
})
