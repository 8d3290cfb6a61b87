/** Copying files and folders: what a copy keeps, where it may go, and what it costs. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getProfile } from '../../src/api/auth.ts'
import { copyFile, deleteFile, favoriteFile, getFile, listFiles, listTrash, trashFile } from '../../src/api/files.ts'
import { createTag, tagFiles } from '../../src/api/tags.ts'
import { plantTree } from '../bench/plant.ts'
import { failure, signIn, type TestClient } from '../support/client.ts'
import {
  type BuiltUser,
  buildChain,
  buildField,
  buildFile,
  buildFolder,
  buildKey,
  buildUser,
  turnSettings,
} from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { countItems, expectTrueCounters, largeContent, plant } from '../support/planting.ts'
import { startServer, type TestServer } from '../support/server.ts'

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

/** Every live path of a user with its size, from one folder down. */
async function readPaths(parentId: number | null): Promise<string[]> {
  const { files, folders } = await user.call(listFiles, { parent_id: parentId })
  const below = await Promise.all(folders.map(({ id }) => readPaths(id)))
  return [
    ...folders.map(({ path }) => path),
    ...files.map(({ path, size }) => `${path} ${size}`),
    ...below.flat(),
  ].sort()
}

describe('copying a file', () => {
  test('answers 201 with a file of its own that has the same content', async () => {
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

  test('keeps tags and metadata, and not the favourite', async () => {
    const field = await buildField(admin)
    const { tag } = await user.call(createTag, { name: 'kept', color: '#112233' })
    const file = await buildFile(user)
    await user.call(tagFiles, { tag_id: tag.id, file_ids: [file.id] })
    await user.call(favoriteFile, { id: file.id, is_favorite: true })
    await server.deps.db.touch(() =>
      server.deps.db.fileMetadata.create({ file_id: file.id, field_id: field.id, value: 'V', value_folded: 'v' }),
    )
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
  ])('beside itself gets a free name: %s as %s is %s', async (name, asked, expected) => {
    const file = await buildFile(user, { name })
    expect((await copy(file.id, null, asked)).name).toBe(expected)
  })

  test('under another name takes its type from that', async () => {
    const file = await buildFile(user, { name: 'a.txt' })
    expect(await copy(file.id, null, 'a.png')).toMatchObject({ name: 'a.png', mime_type: 'image/png' })
  })

  test('costs its size again, but no bytes', async () => {
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

  test('that would exceed the quota is 413 and leaves nothing; filling it exactly is allowed', async () => {
    user = await buildUser(server, { storageQuota: 250 })
    const file = await buildFile(user, {}, 'x'.repeat(125))
    await copy(file.id)
    const before = await readHoldings(server)
    expect(await failure(await tryCopy(file.id, {}))).toEqual({ status: 413, error: 'quota_exceeded' })
    expect(await readHoldings(server)).toEqual(before)
  })

  test('is 404 for one that is trashed, another user’s or none, and for such a folder', async () => {
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

  test('asks a key for files:read and files:write', async () => {
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

describe('copying a folder', () => {
  test('copies all that is live below it, and nothing that is trashed', async () => {
    const [top = 0, middle = 0] = await buildChain(user, 3)
    await buildFile(user, { name: 'a.txt', parent_id: top }, 'a')
    await buildFile(user, { name: 'b.txt', parent_id: middle }, 'bb')
    const [gone, goneFolder] = [await buildFile(user, { parent_id: top }), await buildFolder(user, 'gone', middle)]
    await buildFile(user, { parent_id: goneFolder.id })
    await user.call(trashFile, { id: gone.id })
    await user.call(trashFile, { id: goneFolder.id })
    const source = await user.call(getFile, { id: top })
    const made = await copy(top, null, 'copied')
    const rename = (path: string) => path.replace(source.file.path, '/copied')
    expect(await readPaths(made.id)).toEqual((await readPaths(top)).map(rename).sort())
    expect((await user.call(listTrash, {})).total).toBe(2)
    await expectTrueCounters(server, user)
  })

  test('of thousands of items has every one, with its tags and metadata, under its own copy of the folder', async () => {
    const folder = await plant(server, user, (db, owner) => plantTree(db, owner, 'planted', 3300))
    const { db } = server.deps
    const field = await buildField(admin)
    const { tag } = await user.call(createTag, { name: 'every third', color: '#112233' })
    await db.touch(async () => {
      const files = 'FROM files WHERE owner_id = $2 AND is_directory = 0 AND id % 3 = 0'
      await db.change(`INSERT INTO file_tags (tag_id, file_id) SELECT $1, id ${files}`, [tag.id, user.id])
      await db.change(
        `INSERT INTO file_metadata (file_id, field_id, value, value_folded) SELECT id, $1, name, name ${files}`,
        [field.id, user.id],
      )
    })
    const before = await countItems(server, user)
    const made = await copy(folder)
    expect(await countItems(server, user)).toBe(before * 2)
    expect(made).toMatchObject({ name: 'planted (1)', parent_id: null, deleted_at: null })
    const describeBelow = (id: number) =>
      db.rows(
        `SELECT p.name AS folder, f.name, f.size, f.mime_type, f.blob_id, f.sort_key, f.name_folded, t.tag_id, m.value
         FROM files p JOIN files f ON f.parent_id = p.id LEFT JOIN file_tags t ON t.file_id = f.id
           LEFT JOIN file_metadata m ON m.file_id = f.id
         WHERE p.parent_id = $1 AND f.deleted_at IS NULL AND f.trash_root_id IS NULL ORDER BY p.name, f.name`,
        [id],
      )
    const copied = await describeBelow(made.id)
    expect(copied.length).toBeGreaterThan(3000)
    expect(copied).toEqual(await describeBelow(folder))
    await expectTrueCounters(server, user)
  })

  test('that is empty, and one of hundreds of empty folders', async () => {
    const empty = await buildFolder(user, 'empty')
    expect(await copy(empty.id)).toMatchObject({ name: 'empty (1)', is_directory: true, path: '/empty (1)' })
    const wide = await buildFolder(user, 'wide')
    await server.deps.db.touch(() =>
      server.deps.db.change(
        `INSERT INTO files (space_id, owner_id, parent_id, name, name_folded, sort_key, is_directory, size, is_favorite,
           validation_status, created_at, updated_at)
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)
         SELECT f.space_id, f.owner_id, f.id, CONCAT('d', n.i), 'd', 'd', 1, 0, 0, 'approved', 0, 0
         FROM files f JOIN n ON 1 = 1 WHERE f.id = $1`,
        [wide.id],
      ),
    )
    const made = await copy(wide.id)
    expect((await user.call(listFiles, { parent_id: made.id, limit: 1 })).total_folders).toBe(900)
  })

  test('into a folder of its own place in the tree keeps the names free', async () => {
    const [folder, target] = [await buildFolder(user, 'folder.d'), await buildFolder(user, 'target')]
    expect((await copy(folder.id, target.id)).path).toBe('/target/folder.d')
    expect((await copy(folder.id, target.id)).path).toBe('/target/folder.d (1)')
    expect((await copy(folder.id, target.id, 'other')).path).toBe('/target/other')
  })

  test('into itself or below itself is 409', async () => {
    const [top = 0, middle = 0] = await buildChain(user, 2)
    for (const parent_id of [top, middle]) {
      expect(await failure(await tryCopy(top, { parent_id }))).toEqual({ status: 409, error: 'would_cycle' })
    }
    expect(await countItems(server, user)).toBe(2)
  })

  test('as deep as a tree may be is allowed, and deeper is 400', async () => {
    const chain = await buildChain(user, 98)
    const [one = 0] = await buildChain(user, 2)
    expect((await copy(one, chain.at(-1))).parent_id).toBe(chain.at(-1))
    const before = await countItems(server, user)
    const [three = 0] = await buildChain(user, 3)
    expect(await failure(await tryCopy(three, { parent_id: chain.at(-1) }))).toMatchObject({
      status: 400,
      fields: { parent_id: expect.any(String) },
    })
    expect(await countItems(server, user)).toBe(before + 3)
  })

  test('that would exceed the quota is 413 before anything is there', async () => {
    user = await buildUser(server, { storageQuota: 999 })
    const folder = await buildFolder(user)
    for (let n = 0; n < 5; n++) await buildFile(user, { parent_id: folder.id }, Buffer.alloc(100, n))
    const before = await readHoldings(server)
    expect(await failure(await tryCopy(folder.id, {}))).toEqual({ status: 413, error: 'quota_exceeded' })
    expect(await readHoldings(server)).toEqual(before)
    expect((await user.call(getProfile, {})).storage_used).toBe(500)
  })

  test('is one event, and can be trashed and deleted like any folder', async () => {
    const folder = await plant(server, user, (db, owner) => plantTree(db, owner, 'once', 700))
    const before = await countItems(server, user)
    const made = await copy(folder)
    const events = await server.deps.db.rows<{ item_id: number; detail: string }>(
      "SELECT item_id, detail FROM events WHERE actor_id = $1 AND action = 'file.copy'",
      [user.id],
    )
    expect(events).toEqual([{ item_id: made.id, detail: `{"from":${folder},"name":"once (1)","parent_id":null}` }])
    await user.call(trashFile, { id: made.id })
    await user.call(deleteFile, { id: made.id })
    expect(await countItems(server, user)).toBe(before)
    await expectTrueCounters(server, user)
  })
})
