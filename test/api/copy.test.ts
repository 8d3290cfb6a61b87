/** Copying files and folders: what a copy keeps, where it may go, and how much quota it uses. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { copyFile, favoriteFile, getFile, listFiles } from '../../src/api/files.ts'
import { createTag, tagFiles } from '../../src/api/tags.ts'
import { trashFile } from '../../src/api/trash.ts'

import { failure, signIn, type TestClient } from '../support/client.ts'
import {
  type BuiltUser,
  buildField,
  buildFile,
  buildFolder,
  buildKey,
  buildUser,
  turnSettings,
} from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { largeContent } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
})
beforeEach(async () => {
  user = await buildUser(server)
})
afterAll(() => server.close())

const copy = async (id: number, parent_id: number | null = null, name?: string) =>
  (await user.call(copyFile, { id, parent_id, name })).file
const tryCopy = (id: number, body: object, client: TestClient = user) =>
  client.raw(`/api/files/${id}/copy`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const notFound = { status: 404, error: 'not_found' }

describe('copying a file', () => {
  test('answers 201 with a new file that has the same content', async () => {
    const folder = await buildFolder(user, 'target')
    const file = await buildFile(user, { name: 'a.txt', modified_at: '2001-02-03T04:05:06.789Z' }, 'content')
    const response = await tryCopy(file.id, { parent_id: folder.id })
    expect(response.status).toBe(201)
    const { message, data } = await response.json()
    expect(message).toBe('Copied')
    expect(data.file).toEqual({
      ...file,
      id: expect.any(Number),
      path: '/target/a.txt',
      logical_path: '/target/a.txt',
      parent_id: folder.id,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect(data.file.id).not.toBe(file.id)
    expect(Date.parse(data.file.created_at)).toBeGreaterThanOrEqual(Date.parse(file.created_at))
    expect(await (await user.raw(`/api/files/${data.file.id}/download`)).text()).toBe('content')
  })

  test('keeps tags and metadata, but not the favorite mark', async () => {
    const field = await buildField(admin)
    const { tag } = await user.call(createTag, { name: 'kept', color: '#112233' })
    const file = await buildFile(user)
    await user.call(tagFiles, { tag_id: tag.id, file_ids: [file.id] })
    await user.call(favoriteFile, { id: file.id, is_favorite: true })
    const { db } = server.deps
    const value = { file_id: file.id, field_id: field.id, value: 'V', value_folded: 'v' }
    await db.touch(() => db.insertAll(db.fileMetadata, [value]))
    const source = (await user.call(getFile, { id: file.id })).file
    const made = await copy(file.id)
    expect(made.tags).toEqual(source.tags)
    expect(made.tags).toHaveLength(1)
    expect(made.metadata).toEqual(source.metadata)
    expect(made.metadata).toHaveLength(1)
    expect(made.is_favorite).toBe(false)
    expect((await user.call(getFile, { id: file.id })).file.is_favorite).toBe(true)
  })

  test.each([
    ['a.txt', undefined, 'a (1).txt'],
    ['.env', undefined, '.env (1)'],
    ['a.txt', 'b.txt', 'b.txt'],
    ['a.txt', 'a.txt', 'a (1).txt'],
  ])('beside the original gives the copy a free name: %s as %s is %s', async (name, asked, expected) => {
    const file = await buildFile(user, { name })
    expect((await copy(file.id, null, asked)).name).toBe(expected)
  })

  test('under another name gives the copy the type of that name', async () => {
    const file = await buildFile(user, { name: 'a.txt' })
    expect(await copy(file.id, null, 'a.png')).toMatchObject({ name: 'a.png', mime_type: 'image/png' })
  })

  test('uses its size again of the quota, but stores no more bytes', async () => {
    const file = await buildFile(user, {}, largeContent())
    const before = await readHoldings(server)
    await copy(file.id)
    const after = await readHoldings(server)
    expect(after).toEqual({
      ...before,
      files: before.files + 1,
      itemCount: before.itemCount + 1,
      storageUsed: before.storageUsed + file.size,
    })
  })

  test('is 413 and leaves nothing when it would exceed the quota, but may fill it exactly', async () => {
    user = await buildUser(server, { storageQuota: 250 })
    const file = await buildFile(user, {}, 'x'.repeat(125))
    await copy(file.id)
    const before = await readHoldings(server)
    expect(await failure(await tryCopy(file.id, {}))).toEqual({ status: 413, error: 'quota_exceeded' })
    expect(await readHoldings(server)).toEqual(before)
  })

  test('is 404 when the file or the target folder is trashed, another user’s or unknown', async () => {
    const [stranger, file, folder] = [await buildUser(server), await buildFile(user), await buildFolder(user)]
    const theirs = await buildFile(stranger)
    const theirFolder = await buildFolder(stranger)
    const gone = await buildFile(user)
    await user.call(trashFile, { id: gone.id })
    await user.call(trashFile, { id: folder.id })
    for (const id of [theirs.id, gone.id, 987_654_321]) expect(await failure(await tryCopy(id, {}))).toEqual(notFound)
    for (const parent_id of [theirFolder.id, folder.id, file.id, 987_654_321]) {
      expect(await failure(await tryCopy(file.id, { parent_id }))).toEqual(notFound)
    }
  })

  test('needs the permissions files:read and files:write of an API key', async () => {
    const file = await buildFile(user)
    for (const permission of ['files:read', 'files:write'] as const) {
      expect((await tryCopy(file.id, {}, await buildKey(server, user, [permission]))).status).toBe(403)
    }
    const key = await buildKey(server, user, ['files:read', 'files:write'])
    expect((await tryCopy(file.id, {}, key)).status).toBe(201)
  })
})

describe('the status of a copy', () => {
  const plantStatus = (id: number, status: string) =>
    server.deps.db.touch(() =>
      server.deps.db.change('UPDATE files SET validation_status = $1, validation_comment = $2 WHERE id = $3', [
        status,
        'why',
        id,
      ]),
    )

  test.each([
    [false, 'rejected', 'approved'],
    [false, 'pending', 'approved'],
    [true, 'approved', 'approved'],
    [true, 'pending', 'pending'],
    [true, 'rejected', 'pending'],
  ])('with validation %s, of a file that is %s, is %s, alone and in a folder', async (isOn, status, expected) => {
    const folder = await buildFolder(user)
    const file = await buildFile(user, { parent_id: folder.id })
    await plantStatus(file.id, status)
    await turnSettings(admin, { validation_enabled: isOn })
    const alone = await copy(file.id)
    const tree = await copy(folder.id)
    await turnSettings(admin, { validation_enabled: false })
    expect(alone).toMatchObject({ validation_status: expected, validation_comment: null })
    expect(tree.validation_status).toBe('approved')
    const [inside] = (await user.call(listFiles, { parent_id: tree.id })).files
    expect(inside).toMatchObject({ validation_status: expected, validation_comment: null })
  })
})
